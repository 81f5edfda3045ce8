import { CanonicalRow, type Layout } from '../judge/canonical-row.ts';
import { murmur3 } from '../judge/murmur3.ts';
import { RowStore } from '../judge/row-store.ts';
import type { Row } from '../model/value.ts';

const NONE = -1;

/** True rows, each to be found again, as often as it is true, by the values that are compared exactly. */
export class TrueRows {
  readonly #store: RowStore;
  /** Of each row of the store: the first true row with its values that was not taken yet. */
  readonly #first: Int32Array;
  /** Of each true row: the next one with the same values. */
  readonly #next: Int32Array;

  constructor(rows: readonly Row[], layout: Layout) {
    this.#store = new RowStore(murmur3, rows.length, 3 * layout.columns.length * rows.length);
    this.#first = new Int32Array(rows.length).fill(NONE);
    this.#next = new Int32Array(rows.length);
    const canonical = new CanonicalRow(layout);
    for (let index = rows.length - 1; index >= 0; index--) {
      canonical.encode(rows[index]!);
      const { words, exactLength } = canonical;
      const found = this.#store.findOrAdd(words, 0, exactLength, exactLength);
      this.#next[index] = this.#first[found]!;
      this.#first[found] = index;
    }
  }

  /** The index of a true row with these values, the first of those that are left; -1 without any. */
  take({ words, exactLength }: CanonicalRow): number {
    const found = this.#store.find(words, 0, exactLength);
    const index = found < 0 ? NONE : this.#first[found]!;
    if (index !== NONE) this.#first[found] = this.#next[index]!;
    return index;
  }
}
