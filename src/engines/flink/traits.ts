import type { Traits } from '../../model/traits.ts';

/** Measured on 2.2.1 over Kafka. */
export const flinkTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 1 },
  watermarkScope: 'partition',
  watermarkEmission: 'periodic',
  sessionTouching: 'merge',
  stops: ['settle-cancel', 'cancel', 'drain'],
  transports: ['kafka'],
};
