import type { WordHash } from './murmur3.ts';

/**
 * Rows of words, each found by its first words, its key. Keys must be self-delimiting: none is the beginning of
 * another. A hash only points to a row; its key is compared word by word.
 *
 * Rows are numbered from 0 as they are added, and stay.
 */
export class RowStore {
  /** Number of rows. */
  size = 0;
  /** Row `n` takes `lengths[n]` words from `starts[n]`. */
  words: Int32Array;
  starts: Int32Array;
  lengths: Int32Array;
  /** Words of the arena that were given out, and how many of them no row uses any more. */
  used = 0;
  wasted = 0;
  private readonly hash: WordHash;
  private readonly lanes = new Int32Array(4);
  private hashes: Int32Array;
  /** Row number + 1 at its hash, linear probing, at most half full. */
  private index: Int32Array;

  /** Has room for `rows` rows of `words` words in all; grows beyond. */
  constructor(hash: WordHash, rows = 16, words = 256) {
    const capacity = Math.max(rows, 1);
    this.hash = hash;
    this.words = new Int32Array(Math.max(words, 1));
    this.starts = new Int32Array(capacity);
    this.lengths = new Int32Array(capacity);
    this.hashes = new Int32Array(capacity);
    this.index = new Int32Array(indexSize(capacity));
  }

  /** The row whose key is the `keyLength` words from `start`, or -1. */
  find(words: Int32Array, start: number, keyLength: number): number {
    return this.index[this.slot(words, start, keyLength, this.hashOf(words, start, keyLength))]! - 1;
  }

  /** The row with the key of the given one; added where there was none. */
  findOrAdd(words: Int32Array, start: number, length: number, keyLength: number): number {
    const hash = this.hashOf(words, start, keyLength);
    const slot = this.slot(words, start, keyLength, hash);
    const found = this.index[slot]! - 1;
    if (found >= 0) return found;
    if (this.size === this.starts.length) {
      this.grow();
      return this.findOrAdd(words, start, length, keyLength);
    }
    const row = this.size++;
    this.index[slot] = row + 1;
    this.hashes[row] = hash;
    this.write(row, words, start, length);
    return row;
  }

  /** Writes a row over one that has the same key. */
  replace(row: number, words: Int32Array, start: number, length: number): void {
    const room = this.lengths[row]!;
    if (length > room) {
      this.wasted += room;
      this.write(row, words, start, length);
      return;
    }
    this.wasted += room - length;
    this.lengths[row] = length;
    const at = this.starts[row]!;
    for (let index = 0; index < length; index++) this.words[at + index] = words[start + index]!;
  }

  /** Writes a row's words to the end of the arena. */
  private write(row: number, words: Int32Array, start: number, length: number): void {
    if (this.used + length > this.words.length) {
      const grown = new Int32Array(2 * (this.used + length));
      grown.set(this.words.subarray(0, this.used));
      this.words = grown;
    }
    this.starts[row] = this.used;
    this.lengths[row] = length;
    for (let index = 0; index < length; index++) this.words[this.used++] = words[start + index]!;
  }

  private hashOf(words: Int32Array, start: number, length: number): number {
    this.hash(words, start, 4 * length, 0, this.lanes);
    // Not the lane that chose a row's bucket: within one bucket its bits are alike.
    return this.lanes[3]!;
  }

  private slot(words: Int32Array, start: number, keyLength: number, hash: number): number {
    const mask = this.index.length - 1;
    let slot = hash & mask;
    for (;;) {
      const row = this.index[slot]! - 1;
      if (row < 0) return slot;
      if (this.hashes[row] === hash && this.hasKey(row, words, start, keyLength)) return slot;
      slot = (slot + 1) & mask;
    }
  }

  private hasKey(row: number, words: Int32Array, start: number, keyLength: number): boolean {
    const at = this.starts[row]!;
    for (let index = 0; index < keyLength; index++) {
      if (this.words[at + index] !== words[start + index]) return false;
    }
    return true;
  }

  private grow(): void {
    const capacity = 2 * this.size;
    this.starts = enlarged(this.starts, capacity);
    this.lengths = enlarged(this.lengths, capacity);
    this.hashes = enlarged(this.hashes, capacity);
    this.index = new Int32Array(indexSize(capacity));
    const mask = this.index.length - 1;
    for (let row = 0; row < this.size; row++) {
      let slot = this.hashes[row]! & mask;
      while (this.index[slot] !== 0) slot = (slot + 1) & mask;
      this.index[slot] = row + 1;
    }
  }
}

function indexSize(rows: number): number {
  return 2 ** Math.ceil(Math.log2(2 * rows));
}

function enlarged(array: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(capacity);
  grown.set(array);
  return grown;
}
