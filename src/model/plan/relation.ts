import type { TypedColumn } from '../expression.ts';

/**
 * What is known of an operator's result before any row is read.
 *
 * - `unique`: column sets of which no two rows share the values; a total order may rest on them (§3, Totality).
 * - `eventTime`: a row's event time is the value of `column` plus `shiftMs` (a window's result stands at
 *   `window_end - 1`). Absent where the result has none.
 * - `window`: set while rows carry the bounds of a window that has not been aggregated yet.
 * - `updating`: rows may be withdrawn later, so that only the final state can be judged (§6).
 */
export interface Relation {
  readonly columns: readonly TypedColumn[];
  readonly unique: readonly (readonly string[])[];
  readonly eventTime?: EventTime | undefined;
  readonly window?: 'aligned' | 'session' | undefined;
  readonly updating: boolean;
}

export interface EventTime {
  readonly column: string;
  readonly shiftMs: 0 | -1;
}

/** Names of the columns that a window adds. */
export const WINDOW_START = 'window_start';
export const WINDOW_END = 'window_end';

/** The bounds of a window, as columns. */
export const WINDOW_COLUMNS: readonly TypedColumn[] = [WINDOW_START, WINDOW_END].map((name) => ({
  name,
  type: 'TIMESTAMP(3)',
  nullable: false,
  integral: true,
}));

/** True when some unique set lies within `columns`, so that no two rows agree on all of them. */
export function coversUnique(relation: Relation, columns: readonly string[]): boolean {
  return relation.unique.some((set) => set.every((name) => columns.includes(name)));
}
