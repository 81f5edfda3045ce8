import { arithmetic } from './arithmetic.ts';
import { cast } from './cast.ts';
import { comparison } from './comparison.ts';
import { conditional } from './conditional.ts';
import { logic } from './logic.ts';
import type { Signature } from './signature.ts';
import { string } from './string.ts';
import { time } from './time.ts';

/** Every scalar function of the plan language by name. A family of functions is one file here. */
export const functions: ReadonlyMap<string, Signature> = new Map(
  [arithmetic, cast, comparison, conditional, logic, string, time].flatMap((family) =>
    Object.entries(family),
  ),
);
