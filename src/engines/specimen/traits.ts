import type { Traits } from '../../model/traits.ts';

/** The law with Flink's habit of firing a pane with its last millisecond: f = 1. */
export const specimenTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 1 },
  watermarkScope: 'partition',
  watermarkEmission: 'every-row',
  sessionTouching: 'merge',
  subtaskWithoutPartition: 'ignored',
  values: {
    integerDivision: 'truncates',
    divisionByZero: 'fails',
    integerOverflow: 'fails',
    sumOverflow: 'fails',
    nullOrder: 'as-asked',
    stringUnit: 'code-point',
  },
  stops: ['settle-cancel', 'cancel', 'drain'],
  restart: true,
  transports: ['files'],
  splitsFiles: true,
};
