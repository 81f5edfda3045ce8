import type { DataShape, Profile, Range, ScheduleShape } from '../cases/profile.ts';

const NEW_YEAR_MS = 1_704_095_990_000; // 2024-01-01 07:59:50 UTC

/** Times well after the epoch, so that what breaks before it is met by the profiles that name it. */
export const afterTheEpoch: readonly Range[] = [
  { least: 100_000, most: 100_000 },
  { least: 100_000, most: 160_000 },
  { least: NEW_YEAR_MS, most: NEW_YEAR_MS },
];

/** Rows as they come everywhere: somewhat out of order, some at one time, some null, in one partition or a few. */
export const everydayData: DataShape = {
  maxRows: 48,
  exactly: ['drawn'],
  copies: [1],
  startMs: afterTheEpoch,
  steps: [
    { kind: 'ms', least: 0, most: 3 },
    { kind: 'ms', least: 0, most: 1_500 },
    { kind: 'part' },
    { kind: 'part' },
    { kind: 'edge', besideMs: 0 },
  ],
  latenesses: [{ kind: 'none' }, { kind: 'none' }, { kind: 'part' }, { kind: 'part' }, { kind: 'most' }],
  lagMs: [4_000, 4_000, 100, 2, 12_000],
  beyondLag: false,
  partitions: [1, 1, 2, 3],
  spread: ['even'],
  keys: ['few'],
  integers: ['plain'],
  texts: ['plain'],
  nulls: 'few',
};

/** Runs that read everything and end in order. */
export const everydaySchedule: ScheduleShape = {
  stops: ['drain', 'settle-cancel'],
  parallelism: [1, 1, 'partitions'],
  restarts: ['none'],
};

/** A profile by what sets it apart from the everyday. */
export function profileOf({
  data,
  schedule,
  ...profile
}: Omit<Profile, 'data' | 'schedule'> & {
  readonly data?: Partial<DataShape>;
  readonly schedule?: Partial<ScheduleShape>;
}): Profile {
  return { ...profile, data: { ...everydayData, ...data }, schedule: { ...everydaySchedule, ...schedule } };
}

/** What every engine should bear: the ground against which the other profiles stand out. */
export const everyday = profileOf({
  name: 'everyday',
  aim: 'whole operators are wrong, or wrong together, without any odd data or run',
  covers: [
    ...[
      'rows',
      'out-of-order',
      'several-partitions',
      'null',
      'settle-cancel',
      'drain',
      'row-by-row',
      'filter',
      'tumble',
    ],
    ...[
      'hop',
      'cumulate',
      'session',
      'unbounded',
      'having',
      'rank',
      'keep-first',
      'keep-last',
      'top-n',
      'join',
    ],
    ...[
      'join-condition',
      'filter-clause',
      'no-distinct',
      'one-distinct',
      'several-distinct',
      'window-over-window',
    ],
    ...['aggregate-over-window', 'aggregate-over-join', 'aggregate-over-rank', 'aggregate-over-aggregate'],
    ...['rank-over-aggregate', 'join-of-windows'],
  ],
  weight: 16,
});
