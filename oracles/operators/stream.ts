import type { Row } from '../../src/model/value.ts';
import type { Window } from '../windows.ts';

/**
 * Receives the rows of an operator, one by one.
 *
 * - `fire`: the row's fire point in epoch ms, −∞ where it is emitted at once (semantics §2).
 * - `before`: the watermark of the row's own partition just before it arrived; −∞ for rows that no longer stand
 *   for one arrival, which are never late.
 */
export type Emit = (row: Row, fire: number, before: number) => void;

/** An operator's result as rows pushed in a fixed order. */
export type RowStream = (emit: Emit) => void;

/** Rows in windows, whose end they wait for: each once, with every window it counts in. */
export type WindowedStream = (emit: (row: Row, windows: readonly Window[]) => void) => void;

export const IMMEDIATE = Number.NEGATIVE_INFINITY;
export const NEVER_LATE = Number.NEGATIVE_INFINITY;
