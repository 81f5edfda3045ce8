import type { Batch } from './bucket-sums.ts';
import type { CanonicalRow, Layout } from './canonical-row.ts';
import type { Differences } from './differences.ts';
import { KeyDifferences, type Unpaired } from './key-differences.ts';
import type { WordHash } from './murmur3.ts';
import { RowStore } from './row-store.ts';
import { matchWithin, type Unmatched } from './tolerance.ts';

interface UnmatchedRow extends Unmatched {
  readonly row: number;
}

/** Some of the rows of both sides, each distinct row once with how often it occurs where. */
export class HeldRows {
  private readonly layout: Layout;
  private readonly relative: number;
  private readonly store: RowStore;
  private readonly expected: Int32Array;
  private readonly actual: Int32Array;
  private readonly beyond: Int32Array;
  private readonly ordinals: Float64Array;

  /** `batch` bounds the rows that will be added. */
  constructor(layout: Layout, relative: number, hash: WordHash, batch: Batch) {
    this.layout = layout;
    this.relative = relative;
    this.store = new RowStore(hash, batch.rows, batch.words);
    this.expected = new Int32Array(batch.rows);
    this.actual = new Int32Array(batch.rows);
    this.beyond = new Int32Array(batch.rows);
    this.ordinals = new Float64Array(batch.rows);
  }

  addExpected(row: CanonicalRow, ordinal: number): void {
    this.expected[this.add(row, ordinal)]! += 1;
  }

  addActual(row: CanonicalRow, ordinal: number): void {
    this.actual[this.add(row, ordinal)]! += 1;
  }

  addBeyond(row: CanonicalRow): void {
    this.beyond[this.add(row, 0)]! += 1;
  }

  private add(row: CanonicalRow, ordinal: number): number {
    const size = this.store.size;
    const held = this.store.findOrAdd(row.words, 0, row.length, row.length);
    if (held === size) this.ordinals[held] = ordinal;
    return held;
  }

  /**
   * Calls `onKey` for each key in which the sides differ. Extra rows that are true beyond the watermark are
   * reported as premature and go no further.
   */
  eachDifferingKey(
    differences: Differences,
    onKey: (found: KeyDifferences, words: Int32Array, start: number, keyLength: number) => void,
  ): void {
    const { layout } = this;
    const { words, starts } = this.store;
    const rows = this.candidates().sort((a, b) => this.compare(a, b));
    let at = 0;
    while (at < rows.length) {
      const start = starts[rows[at]!]!;
      const keyLength = layout.prefixLength(words, start, layout.keyColumns);
      const end = this.endOfPrefix(rows, at, keyLength);
      const found = new KeyDifferences();
      while (at < end) {
        const exactLength = layout.prefixLength(words, starts[rows[at]!]!, layout.exactColumns);
        const next = this.endOfPrefix(rows, at, exactLength);
        this.settle(rows.subarray(at, next), found, differences);
        at = next;
      }
      if (!found.isEmpty) onKey(found, words, start, keyLength);
    }
  }

  /** Rows that may differ: with a tolerance also equal ones, which may be a better partner of another row. */
  private candidates(): Int32Array {
    const rows = new Int32Array(this.store.size);
    let count = 0;
    for (let row = 0; row < this.store.size; row++) {
      if (this.relative > 0 || this.expected[row] !== this.actual[row]) rows[count++] = row;
    }
    return rows.subarray(0, count);
  }

  /** Any total order of the words: it brings rows of one key, and of one exact part, together. */
  private compare(a: number, b: number): number {
    const { words, starts } = this.store;
    const start = starts[a]!;
    const offset = starts[b]! - start;
    const end = start + this.store.lengths[a]!;
    for (let at = start; at < end; at++) {
      const difference = words[at]! - words[at + offset]!;
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Where the run of rows ends that share their first `length` words with the one at `first`. */
  private endOfPrefix(rows: Int32Array, first: number, length: number): number {
    const { words, starts } = this.store;
    const start = starts[rows[first]!]!;
    let end = first + 1;
    for (; end < rows.length; end++) {
      const other = starts[rows[end]!]!;
      let index = 0;
      while (index < length && words[start + index] === words[other + index]) index++;
      if (index < length) break;
    }
    return end;
  }

  /** Finds what differs among rows that are equal but for their tolerance columns. */
  private settle(rows: Int32Array, found: KeyDifferences, differences: Differences): void {
    if (rows.every((row) => this.expected[row] === this.actual[row])) return;
    const lost = this.unmatched(rows, this.expected);
    const extra = this.unmatched(rows, this.actual);
    this.match(lost, extra);
    const surplus = extra.map((rows) => rows.count);
    this.match(extra, this.unmatched(rows, this.beyond));
    for (const { row, count } of lost) if (count > 0) found.addLost(this.unpaired(row, count));
    for (const [index, { row, count }] of extra.entries()) {
      if (count > 0) found.addExtra(this.unpaired(row, count));
      const premature = surplus[index]! - count;
      if (premature === 0) continue;
      differences.count('premature', premature);
      differences.sample('premature', this.ordinals[row]!, () => {
        const actual = this.layout.row(this.store.words, this.store.starts[row]!);
        return { kind: 'premature', count: premature, actual };
      });
    }
  }

  private unmatched(rows: Int32Array, counts: Int32Array): UnmatchedRow[] {
    const unmatched: UnmatchedRow[] = [];
    for (const row of rows) {
      if (counts[row] === 0) continue;
      const values = this.layout.tolerated(this.store.words, this.store.starts[row]!);
      unmatched.push({ row, count: counts[row]!, values });
    }
    return unmatched;
  }

  private match(left: UnmatchedRow[], right: UnmatchedRow[]): void {
    const [a] = left;
    const [b] = right;
    if (a === undefined || b === undefined) return;
    if (this.relative > 0) {
      matchWithin(left, right, this.relative);
      return;
    }
    const count = Math.min(a.count, b.count);
    a.count -= count;
    b.count -= count;
  }

  private unpaired(row: number, count: number): Unpaired {
    return { ordinal: this.ordinals[row]!, count, words: this.store.words, start: this.store.starts[row]! };
  }
}
