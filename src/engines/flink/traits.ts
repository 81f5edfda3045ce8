import type { Traits } from '../../model/traits.ts';

/** Measured on 2.2.1 and on 1.20.3 over Kafka. */
export const flinkTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 1 },
  watermarkScope: 'partition',
  watermarkEmission: 'periodic',
  sessionTouching: 'merge',
  subtaskWithoutPartition: 'holds',
  values: {
    integerDivision: 'truncates',
    divisionByZero: 'fails',
    integerOverflow: 'wraps',
    sumOverflow: 'wraps',
    nullOrder: 'as-asked',
    stringUnit: 'code-point',
  },
  stops: ['settle-cancel', 'cancel', 'drain'],
  deliveries: ['at-least-once', 'exactly-once'],
  transports: ['kafka'],
};
