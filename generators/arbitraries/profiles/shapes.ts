import { profileOf } from './everyday.ts';

/** Profiles of how many rows there are, and how they lie in partitions and groups. */

export const partitions = profileOf({
  name: 'partitions',
  aim: 'a partition that stays empty, starts late or holds little lets the watermark run ahead, or for ever behind',
  covers: ['empty-partition', 'late-start', 'skewed-partitions', 'several-partitions'],
  weight: 6,
  data: {
    partitions: [2, 3, 4],
    spread: ['late-start', 'skewed', 'one-empty', 'late-start', 'skewed'],
  },
});

export const keys = profileOf({
  name: 'keys',
  aim: 'state is kept for the wrong key, for one key only, or for no more keys than fit a first allocation',
  covers: ['single-key', 'hot-key', 'many-keys', 'more-than-256-keys'],
  weight: 4,
  queries: ({ keys }) => keys.has('device') || keys.has('zone') || keys.has('bidder') || keys.has('auction'),
  data: {
    exactly: [...Array.from({ length: 12 }, () => 'drawn' as const), 100, 300, 500],
    keys: ['few', 'single', 'hot', 'many', 'many'],
    steps: [{ kind: 'ms', least: 0, most: 3 }, { kind: 'ms', least: 0, most: 500 }, { kind: 'part' }],
  },
});

export const rowCounts = profileOf({
  name: 'row-counts',
  aim: 'a batch that is just full, or overflows by one row, loses or repeats rows at its end',
  covers: ['around-256', 'around-2048'],
  weight: 1,
  // Each row of a join would meet hundreds.
  queries: ({ streams, features }) => streams.length === 1 && !features.has('join'),
  data: {
    maxRows: 24,
    exactly: [255, 256, 257, 256, 255, 257, 2_047, 2_048, 2_049],
    steps: [
      { kind: 'ms', least: 0, most: 3 },
      { kind: 'ms', least: 0, most: 300 },
    ],
    keys: ['few', 'many'],
  },
});
