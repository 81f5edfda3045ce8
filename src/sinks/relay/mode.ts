import type { DeliveryMode } from '../../model/history/index.ts';

/** Whether messages are delivered in this mode: those of no transaction by themselves. */
export function hasMessages(mode: DeliveryMode): boolean {
  return mode === 'message' || mode === 'transactional-message' || mode === 'library-transactional-message';
}

export function isBatched(mode: DeliveryMode): boolean {
  return mode === 'batch' || mode === 'library-batch';
}

export function isSpilled(mode: DeliveryMode): boolean {
  return mode === 'spilled' || mode === 'library-spilled';
}

export function isInitialSnapshot(mode: DeliveryMode): boolean {
  return mode === 'initial-snapshot' || mode === 'library-initial-snapshot';
}

export function isIncrementalSnapshot(mode: DeliveryMode): boolean {
  return mode === 'incremental-snapshot' || mode === 'library-incremental-snapshot';
}
