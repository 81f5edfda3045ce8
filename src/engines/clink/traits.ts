import type { Traits } from '../../model/traits.ts';

/** Measured on 0.12.2 over files. */
export const clinkTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 0 },
  watermarkScope: 'reader',
  watermarkEmission: 'periodic',
  sessionTouching: 'merge',
  stops: ['drain'],
  transports: ['files'],
};
