import type { Capture } from '../model/outcome.ts';
import type { Row } from '../model/value.ts';
import { CanonicalRow, type Layout } from './canonical-row.ts';

/**
 * One side of a comparison: rows as they must be, or an engine's output. `plus`: rows to take for part of the
 * output, such as those that only the other engine may show (semantics §7, Pairs).
 */
export type Side =
  | { readonly rows: readonly Row[] }
  | { readonly capture: Capture; readonly plus?: readonly Row[] };

/** Takes a row and its line, or where it stands among rows in memory. Its words are valid during the call only. */
export type RowVisitor = (row: CanonicalRow, line: number) => void;

/** Says whether a line needs to be read. */
export type LineFilter = (line: number) => boolean;

/** Calls `onRow` with each row that is wanted, encoded. The first counts as line `first`. */
export function eachEncoded(
  rows: readonly Row[],
  layout: Layout,
  onRow: RowVisitor,
  wanted?: LineFilter,
  first = 1,
): void {
  if (rows.length === 0) return;
  const canonical = new CanonicalRow(layout);
  for (let index = 0; index < rows.length; index++) {
    if (wanted !== undefined && !wanted(first + index)) continue;
    canonical.encode(rows[index]!);
    onRow(canonical, first + index);
  }
}
