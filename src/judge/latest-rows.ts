import type { WordHash } from './murmur3.ts';
import { RowStore } from './row-store.ts';

const WITHDRAWN = 0;

/** Where a row lies: `length` words from `start`, the first `keyLength` of them its key. */
export interface RowPlace {
  /** Its number among the rows of its store, less than their {@link LatestRows.numbers}. */
  readonly row: number;
  readonly words: Int32Array;
  readonly start: number;
  readonly length: number;
  readonly keyLength: number;
}

/** The last row written under each key and not withdrawn since. Memory goes with the number of live keys. */
export class LatestRows {
  private readonly hash: WordHash;
  private store: RowStore;
  /** Words of each row's key, or {@link WITHDRAWN}. */
  private keyLengths: Int32Array;
  private live = 0;

  /** Number of live rows. */
  get size(): number {
    return this.live;
  }

  /** Rows are numbered below this, those that were withdrawn too. */
  get numbers(): number {
    return this.store.size;
  }

  /** Number of words that its rows take. */
  get used(): number {
    return this.store.used;
  }

  /** Has room for `rows` rows of `words` words in all; grows beyond. */
  constructor(hash: WordHash, rows = 16, words = 256) {
    this.hash = hash;
    this.store = new RowStore(hash, rows, words);
    this.keyLengths = new Int32Array(Math.max(rows, 1));
  }

  /** Writes the row at `start` over the one with its key, which is the first `keyLength` of its words. */
  put(words: Int32Array, start: number, length: number, keyLength: number): void {
    if (this.isWasteful()) this.compact();
    const { store } = this;
    const rows = store.size;
    const row = store.findOrAdd(words, start, length, keyLength);
    if (row < rows) store.replace(row, words, start, length);
    if (row >= this.keyLengths.length) {
      const grown = new Int32Array(2 * row);
      grown.set(this.keyLengths);
      this.keyLengths = grown;
    }
    if (this.keyLengths[row] === WITHDRAWN) this.live++;
    this.keyLengths[row] = keyLength;
  }

  /** Withdraws the row of a key, if there is one. */
  remove(words: Int32Array, keyLength: number): void {
    const row = this.store.find(words, 0, keyLength);
    if (row < 0 || this.keyLengths[row] === WITHDRAWN) return;
    this.keyLengths[row] = WITHDRAWN;
    this.live--;
  }

  /** The place of the live row of a key, or null. Valid until the next change. */
  find(words: Int32Array, start: number, keyLength: number): RowPlace | null {
    const row = this.store.find(words, start, keyLength);
    if (row < 0 || this.keyLengths[row] === WITHDRAWN) return null;
    return {
      row,
      words: this.store.words,
      start: this.store.starts[row]!,
      length: this.store.lengths[row]!,
      keyLength,
    };
  }

  /** Calls `onRow` with the place of each live row, in the order in which their keys were first written. */
  each(onRow: (place: RowPlace) => void): void {
    const { words, starts, lengths, size } = this.store;
    for (let row = 0; row < size; row++) {
      const keyLength = this.keyLengths[row]!;
      if (keyLength === WITHDRAWN) continue;
      onRow({ row, words, start: starts[row]!, length: lengths[row]!, keyLength });
    }
  }

  private isWasteful(): boolean {
    const { size, used, wasted } = this.store;
    return (size > 1024 && this.live < size / 2) || (used > 65_536 && wasted > used / 2);
  }

  private compact(): void {
    const store = new RowStore(this.hash, 2 * this.live, this.store.used);
    const keyLengths = new Int32Array(this.keyLengths.length);
    this.each(({ words, start, length, keyLength }) => {
      keyLengths[store.size] = keyLength;
      store.findOrAdd(words, start, length, keyLength);
    });
    this.store = store;
    this.keyLengths = keyLengths;
  }
}
