import { z } from 'zod';

/** The ways in which items reach a sink, each with a guarantee of its own (semantics §10). */
export const DELIVERY_MODES = [
  'transaction',
  'batch',
  'library',
  'library-batch',
  'message',
  'transactional-message',
  'library-transactional-message',
  'initial-snapshot',
  'library-initial-snapshot',
  'incremental-snapshot',
  'library-incremental-snapshot',
  'spilled',
  'library-spilled',
] as const;

export type DeliveryMode = (typeof DELIVERY_MODES)[number];

export const deliveryModeSchema = z.enum(DELIVERY_MODES);

/**
 * What a mode promises: nothing is ever lost, and how much may take effect again.
 *
 * - `name`: as it is stated to users.
 * - `checkpoint`: who keeps it. The library's is written after the sink has answered.
 * - `unit`: what is delivered, and so redelivered, as one. A batch is of several transactions.
 * - `dupUnits`: most units that may take effect again after one restart; `any` is without bound.
 */
export interface Guarantee {
  readonly name: 'effect-once' | 'at-least-once';
  readonly checkpoint: 'sink' | 'library';
  readonly unit: 'transaction' | 'batch' | 'message' | 'chunk';
  readonly dupUnits: number | 'any';
}

const effectOnce = (unit: Guarantee['unit']): Guarantee => ({
  name: 'effect-once',
  checkpoint: 'sink',
  unit,
  dupUnits: 0,
});

const atLeastOnce = (unit: Guarantee['unit']): Guarantee => ({
  name: 'at-least-once',
  checkpoint: 'library',
  unit,
  dupUnits: 1,
});

/** The table of semantics §10. */
export const guarantees: Readonly<Record<DeliveryMode, Guarantee>> = {
  transaction: effectOnce('transaction'),
  batch: effectOnce('batch'),
  library: atLeastOnce('transaction'),
  'library-batch': atLeastOnce('batch'),
  message: { ...atLeastOnce('message'), dupUnits: 'any' },
  'transactional-message': effectOnce('transaction'),
  'library-transactional-message': atLeastOnce('transaction'),
  'initial-snapshot': effectOnce('chunk'),
  'library-initial-snapshot': atLeastOnce('chunk'),
  'incremental-snapshot': effectOnce('chunk'),
  'library-incremental-snapshot': atLeastOnce('chunk'),
  spilled: effectOnce('transaction'),
  'library-spilled': atLeastOnce('transaction'),
};
