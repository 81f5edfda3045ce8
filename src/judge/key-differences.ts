import { alteredColumns } from './altered-columns.ts';
import type { Layout } from './canonical-row.ts';
import type { Differences } from './differences.ts';

/** Equal rows that the other side lacks. One of them lies in `words` from `start`. */
export interface Unpaired {
  /** Orders rows as they were read. */
  readonly ordinal: number;
  readonly count: number;
  readonly words: Int32Array;
  readonly start: number;
}

/**
 * The rows of one key that only one side has. Each lost row is paired with an extra one to an altered row, as
 * far as they go.
 */
export class KeyDifferences {
  private lost: Unpaired[] = [];
  private extra: Unpaired[] = [];
  private lostRows = 0;
  private extraRows = 0;

  get isEmpty(): boolean {
    return this.lostRows === 0 && this.extraRows === 0;
  }

  addLost(rows: Unpaired): void {
    this.lost.push(rows);
    this.lostRows += rows.count;
  }

  addExtra(rows: Unpaired): void {
    this.extra.push(rows);
    this.extraRows += rows.count;
  }

  /** Takes over what was found of the same key, but of its rows only the first `maxSamples` and the counts. */
  addSampled(other: KeyDifferences, layout: Layout, maxSamples: number): void {
    this.lost = firstFew([...this.lost, ...other.lost], layout, maxSamples);
    this.extra = firstFew([...this.extra, ...other.extra], layout, maxSamples);
    this.lostRows += other.lostRows;
    this.extraRows += other.extraRows;
  }

  /** `relative`: the tolerance, or 0 without one. */
  report(differences: Differences, layout: Layout, relative: number): void {
    const altered = Math.min(this.lostRows, this.extraRows);
    differences.count('altered', altered);
    differences.count('lost', this.lostRows - altered);
    differences.count('extra', this.extraRows - altered);

    const lost = new Queue(this.lost);
    const extra = new Queue(this.extra);
    let unpaired = altered;
    while (unpaired > 0 && lost.head !== undefined && extra.head !== undefined) {
      const { head: expected } = lost;
      const { head: actual } = extra;
      const count = Math.min(lost.left, extra.left, unpaired);
      differences.sample('altered', expected.ordinal, () => {
        const rows = {
          expected: layout.row(expected.words, expected.start),
          actual: layout.row(actual.words, actual.start),
        };
        const columns = alteredColumns(layout, rows.expected, rows.actual, relative);
        return { kind: 'altered', count, ...rows, columns };
      });
      lost.take(count);
      extra.take(count);
      unpaired -= count;
    }
    // Where only samples are left of a key, some of these rows have their partner among those left out.
    lost.take(unpaired);
    extra.take(unpaired);
    for (; lost.head !== undefined; lost.take(lost.left)) {
      const { head, left: count } = lost;
      differences.sample('lost', head.ordinal, () => {
        return { kind: 'lost', count, expected: layout.row(head.words, head.start) };
      });
    }
    for (; extra.head !== undefined; extra.take(extra.left)) {
      const { head, left: count } = extra;
      differences.sample('extra', head.ordinal, () => {
        return { kind: 'extra', count, actual: layout.row(head.words, head.start) };
      });
    }
  }
}

/** Rows in the order in which they were read, taken from the front. */
class Queue {
  /** Of the rows at the front, how many were not taken. */
  left: number;
  private readonly rows: readonly Unpaired[];
  private at = 0;

  constructor(rows: readonly Unpaired[]) {
    this.rows = rows.toSorted(byOrdinal);
    this.left = this.head?.count ?? 0;
  }

  get head(): Unpaired | undefined {
    return this.rows[this.at];
  }

  take(count: number): void {
    while (count >= this.left && this.head !== undefined) {
      count -= this.left;
      this.at++;
      this.left = this.head?.count ?? 0;
    }
    this.left -= count;
  }
}

function byOrdinal(a: Unpaired, b: Unpaired): number {
  return a.ordinal - b.ordinal;
}

/** Copies of the first rows, so that the memory they were found in can go. */
function firstFew(rows: readonly Unpaired[], layout: Layout, maxSamples: number): Unpaired[] {
  return rows
    .toSorted(byOrdinal)
    .slice(0, maxSamples)
    .map(({ ordinal, count, words, start }) => {
      const length = layout.prefixLength(words, start, layout.order.length);
      return { ordinal, count, words: words.slice(start, start + length), start: 0 };
    });
}
