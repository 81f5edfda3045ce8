import { extremes } from './extremes.ts';
import { nexmark } from './nexmark.ts';
import type { Profile } from './profile.ts';

/** The profiles that nexmark data can be generated under. */
export const profiles: readonly Profile[] = [nexmark, extremes];
