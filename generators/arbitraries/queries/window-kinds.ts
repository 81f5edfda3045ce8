import { cumulate, hop, tumble } from '../../../src/model/build.ts';
import type { WindowKind } from '../../../src/model/plan/window.ts';

/**
 * Windows that queries are varied over, in milliseconds, by kind: the everyday one first, then short ones, and ones
 * whose sizes, slides and offsets have no common measure.
 */

export const tumbles: readonly WindowKind[] = [
  tumble(10_000),
  tumble(2_000),
  tumble(1_000),
  tumble(7_000),
  tumble(10_000, 3_000),
  tumble(5_000, -1_500),
  tumble(2_000, 1),
];

export const hops: readonly WindowKind[] = [
  hop(10_000, 2_000),
  hop(4_000, 1_000),
  hop(10_000, 3_000),
  hop(7_000, 2_000),
  hop(5_000, 5_000),
  hop(6_000, 2_000, 500),
  hop(2_000, 3_000),
];

export const cumulates: readonly WindowKind[] = [
  cumulate(2_000, 10_000),
  cumulate(1_000, 4_000),
  cumulate(5_000, 5_000),
  cumulate(2_000, 6_000, 1_000),
];

export const gaps: readonly number[] = [10_000, 1_000, 5_000, 2_500, 1];
