import { alteredColumns } from './altered-columns.ts';
import type { Layout } from './canonical-row.ts';
import type { Differences } from './differences.ts';
import { finalState } from './final-state.ts';
import type { RowPlace } from './latest-rows.ts';
import type { WordHash } from './murmur3.ts';
import type { Side } from './side.ts';
import { allWithin } from './tolerance.ts';

/** Two materialised outputs to compare, and the means. */
export interface StateComparison {
  readonly expected: Side;
  readonly actual: Side;
  readonly layout: Layout;
  /** Relative tolerance, or 0 without one. */
  readonly relative: number;
  readonly hash: WordHash;
}

/**
 * Compares the final states of two materialised outputs by their declared keys (semantics §6). Returns each
 * side's number of rows. A row that repeats the key of another is a difference, whatever the other side holds.
 */
export async function compareStates(
  { expected, actual, layout, relative, hash }: StateComparison,
  differences: Differences,
): Promise<{ readonly expectedRows: number; readonly actualRows: number }> {
  let ordinal = 0;
  const lost = ({ words, start }: RowPlace) => {
    differences.count('lost', 1);
    differences.sample('lost', ordinal++, () => {
      return { kind: 'lost', count: 1, expected: layout.row(words, start) };
    });
  };
  const extra = ({ words, start }: RowPlace) => {
    differences.count('extra', 1);
    differences.sample('extra', ordinal++, () => {
      return { kind: 'extra', count: 1, actual: layout.row(words, start) };
    });
  };
  const altered = (before: RowPlace, after: RowPlace) => {
    differences.count('altered', 1);
    differences.sample('altered', ordinal++, () => {
      const rows = {
        expected: layout.row(before.words, before.start),
        actual: layout.row(after.words, after.start),
      };
      return {
        kind: 'altered',
        count: 1,
        ...rows,
        columns: alteredColumns(layout, rows.expected, rows.actual, relative),
      };
    });
  };
  const reduce = (side: Side, onRepeated: (row: RowPlace) => void) =>
    finalState(side, { layout, hash, onRepeated, onCorrupt: (position) => differences.corrupt(position) });

  const truth = await reduce(expected, lost);
  const output = await reduce(actual, extra);
  truth.each((row) => {
    const found = output.find(row.words, row.start, row.keyLength);
    if (found === null) lost(row);
    else if (!isSame(layout, row, found, relative)) altered(row, found);
  });
  output.each((row) => {
    if (truth.find(row.words, row.start, row.keyLength) === null) extra(row);
  });
  return { expectedRows: truth.size, actualRows: output.size };
}

function isSame(layout: Layout, a: RowPlace, b: RowPlace, relative: number): boolean {
  const exact = layout.prefixLength(a.words, a.start, layout.exactColumns);
  if (!equalWords(a, b, exact)) return false;
  if (relative === 0) return true;
  return allWithin(layout.tolerated(a.words, a.start), layout.tolerated(b.words, b.start), relative);
}

function equalWords(a: RowPlace, b: RowPlace, length: number): boolean {
  for (let index = 0; index < length; index++) {
    if (a.words[a.start + index] !== b.words[b.start + index]) return false;
  }
  return true;
}
