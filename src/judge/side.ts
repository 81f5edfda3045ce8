import type { Capture } from '../model/outcome.ts';
import type { Row } from '../model/value.ts';
import { CanonicalRow, type Layout } from './canonical-row.ts';

/** One side of a comparison: rows as they must be, or an engine's output. */
export type Side = { readonly rows: readonly Row[] } | { readonly capture: Capture };

/** Takes a row. Its words are valid during the call only. */
export type RowVisitor = (row: CanonicalRow) => void;

/** Calls `onRow` with each row, encoded. */
export function eachEncoded(rows: readonly Row[], layout: Layout, onRow: RowVisitor): void {
  const canonical = new CanonicalRow(layout);
  for (const row of rows) {
    canonical.encode(row);
    onRow(canonical);
  }
}
