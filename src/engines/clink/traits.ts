import type { Traits } from '../../model/traits.ts';

/** Measured on 0.12.2 over files. */
export const clinkTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 0 },
  watermarkScope: 'reader',
  watermarkEmission: 'periodic',
  sessionTouching: 'merge',
  subtaskWithoutPartition: 'holds',
  values: {
    integerDivision: 'truncates',
    divisionByZero: 'null',
    integerOverflow: 'null',
    sumOverflow: 'null',
    nullOrder: 'least',
    stringUnit: 'byte',
  },
  stops: ['drain'],
  transports: ['files'],
};

/** Measured on 0.12.2 over Kafka, with as many partitions as subtasks. */
export const clinkKafkaTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 0 },
  watermarkScope: 'partition',
  watermarkEmission: 'periodic',
  sessionTouching: 'merge',
  subtaskWithoutPartition: 'holds',
  values: {
    integerDivision: 'truncates',
    divisionByZero: 'null',
    integerOverflow: 'null',
    sumOverflow: 'widens',
    nullOrder: 'least',
    stringUnit: 'byte',
  },
  stops: ['settle-cancel', 'cancel'],
  transports: ['kafka'],
};
