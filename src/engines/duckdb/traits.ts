import type { Traits } from '../../model/traits.ts';

/** A batch engine: it sees all rows at once, so it knows no watermark, and it referees the drained truth only. */
export const duckdbTraits: Traits = {
  mode: 'batch',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 0 },
  watermarkScope: 'reader',
  watermarkEmission: 'every-row',
  sessionTouching: 'merge',
  subtaskWithoutPartition: 'holds',
  values: {
    integerDivision: 'truncates',
    divisionByZero: 'null',
    integerOverflow: 'fails',
    sumOverflow: 'fails',
    nullOrder: 'as-asked',
    stringUnit: 'code-point',
  },
  stops: ['drain'],
  transports: ['files'],
};
