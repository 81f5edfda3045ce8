import type { Row } from '../../model/value.ts';

/** What a change does to the bag of rows (semantics §7): those below 2 add a row, the others remove one. */
export type ChangeKind = 0 | 1 | 2 | 3;

export const INSERT = 0;
export const UPDATE_AFTER = 1;
export const UPDATE_BEFORE = 2;
export const DELETE = 3;

/** How each kind is written in a changelog. */
export const kindNames = ['+I', '+U', '-U', '-D'] as const;

/** Whether a change adds its row. */
export function adds(kind: ChangeKind): boolean {
  return kind <= UPDATE_AFTER;
}

/** Why nothing more comes: the input is read to its end, or the job was cancelled. */
export type CloseReason = 'finished' | 'cancelled';

/** One input of a task. Everything is handed over at once: a change has gone through the whole job when this returns. */
export interface Receiver {
  change(kind: ChangeKind, row: Row): void;
  /** No row of an earlier event time comes on this input unless late. In epoch milliseconds, never goes back. */
  watermark(atMs: number): void;
  close(reason: CloseReason): void;
}
