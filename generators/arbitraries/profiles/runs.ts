import { profileOf } from './everyday.ts';

/** Profiles of how a case is run: restarts, stops and parallelism. */

export const restarts = profileOf({
  name: 'restarts',
  aim: 'a restart forgets open panes or groups, counts rows twice, or takes late rows for timely ones',
  covers: ['restart', 'restart-open-pane', 'restart-without-checkpoint', 'restart-twice', 'checkpoint-only'],
  weight: 8,
  data: { partitions: [1, 1, 2] },
  schedule: { restarts: ['checkpoint-restart', 'checkpoint-restart', 'twice', 'restart', 'checkpoint'] },
});

export const stops = profileOf({
  name: 'stops',
  aim: 'a cancelled run flushes panes that are not due, and a drained one keeps some back',
  covers: ['cancel', 'settle-cancel', 'drain', 'open-pane-at-stop'],
  weight: 6,
  data: { partitions: [1, 1, 2] },
  schedule: { stops: ['cancel', 'cancel', 'settle-cancel', 'drain'] },
});

export const parallelism = profileOf({
  name: 'parallelism',
  aim: 'rows reach the wrong subtask, or subtasks without a partition hold up or run ahead of the others',
  covers: [
    'parallel',
    'equal-parallelism',
    'more-subtasks-than-partitions',
    'fewer-subtasks-than-partitions',
  ],
  weight: 6,
  data: { partitions: [1, 2, 3, 4] },
  schedule: {
    parallelism: ['partitions', 'partitions', 1, 2, 3, 4],
    stops: ['drain', 'settle-cancel', 'cancel'],
  },
});
