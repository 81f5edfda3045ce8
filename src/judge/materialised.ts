import { alteredColumns } from './altered-columns.ts';
import type { Layout } from './canonical-row.ts';
import type { Differences } from './differences.ts';
import { eachFinalRow, finalState } from './final-state.ts';
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
 * side's number of rows, those of the output with the ones that repeat the key of another: such a row is a
 * difference, whatever the other side holds.
 */
export async function compareStates(
  { expected, actual, layout, relative, hash }: StateComparison,
  differences: Differences,
): Promise<{ readonly expectedRows: number; readonly actualRows: number }> {
  const found = new StateDifferences(differences, layout, relative);
  const reduction = { layout, hash, onCorrupt: differences.corrupt.bind(differences) };
  const truth = await finalState(expected, { ...reduction, onRepeated: found.lost.bind(found) });
  /** By row of the truth: whether the output has its key. */
  const isThere = new Uint8Array(truth.numbers);
  const actualRows = await eachFinalRow(actual, reduction, (row) => {
    const own = truth.find(row.words, row.start, row.keyLength);
    if (own === null || isThere[own.row] === 1) {
      found.extra(row);
      return;
    }
    isThere[own.row] = 1;
    if (!isSame(layout, own, row, relative)) found.altered(own, row);
  });
  truth.each((row) => {
    if (isThere[row.row] === 0) found.lost(row);
  });
  return { expectedRows: truth.size, actualRows };
}

/** Counts rows that differ, samples in the order in which they are found. */
class StateDifferences {
  private readonly differences: Differences;
  private readonly layout: Layout;
  private readonly relative: number;
  private ordinal = 0;

  constructor(differences: Differences, layout: Layout, relative: number) {
    this.differences = differences;
    this.layout = layout;
    this.relative = relative;
  }

  lost({ words, start }: RowPlace): void {
    this.differences.count('lost', 1);
    this.differences.sample('lost', this.ordinal++, () => {
      return { kind: 'lost', count: 1, expected: this.layout.row(words, start) };
    });
  }

  extra({ words, start }: RowPlace): void {
    this.differences.count('extra', 1);
    this.differences.sample('extra', this.ordinal++, () => {
      return { kind: 'extra', count: 1, actual: this.layout.row(words, start) };
    });
  }

  altered(before: RowPlace, after: RowPlace): void {
    const { layout, relative } = this;
    this.differences.count('altered', 1);
    this.differences.sample('altered', this.ordinal++, () => {
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
  }
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
