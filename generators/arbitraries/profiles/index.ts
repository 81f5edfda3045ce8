import type { Profile } from '../cases/profile.ts';
import { everyday } from './everyday.ts';
import { parallelism, restarts, stops } from './runs.ts';
import { keys, partitions, rowCounts } from './shapes.ts';
import { beforeTheEpoch, disorder, lateness, pace, sessionGaps, ties, windows } from './times.ts';
import { arithmetic, integers, nulls, texts } from './values.ts';

/** Every profile; together, by their weights, they are the default mix. */
export const profiles: readonly Profile[] = [
  everyday,
  disorder,
  lateness,
  ties,
  windows,
  sessionGaps,
  beforeTheEpoch,
  pace,
  partitions,
  keys,
  rowCounts,
  nulls,
  texts,
  integers,
  arithmetic,
  restarts,
  stops,
  parallelism,
];
