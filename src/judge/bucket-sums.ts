/** Bytes that holding a row takes besides its words. */
const ROW_OVERHEAD_BYTES = 48;

/**
 * For each bucket of rows the difference of two multiset fingerprints: the sums of the rows' 128-bit hashes, lane
 * by lane modulo 2^32. Addition commutes, so that the order of rows does not matter and partitions add up.
 */
export class BucketSums {
  private readonly sums: Int32Array;
  private readonly balance: Float64Array;
  private readonly rows: Float64Array;
  private readonly bytes: Float64Array;

  constructor(buckets: number) {
    this.sums = new Int32Array(4 * buckets);
    this.balance = new Float64Array(buckets);
    this.rows = new Float64Array(buckets);
    this.bytes = new Float64Array(buckets);
  }

  /** Adds an expected row, of `words` words. */
  add(bucket: number, lanes: Int32Array, words: number): void {
    const at = 4 * bucket;
    this.sums[at]! += lanes[0]!;
    this.sums[at + 1]! += lanes[1]!;
    this.sums[at + 2]! += lanes[2]!;
    this.sums[at + 3]! += lanes[3]!;
    this.balance[bucket]! += 1;
    this.note(bucket, words);
  }

  /** Takes an actual row off. */
  subtract(bucket: number, lanes: Int32Array, words: number): void {
    const at = 4 * bucket;
    this.sums[at]! -= lanes[0]!;
    this.sums[at + 1]! -= lanes[1]!;
    this.sums[at + 2]! -= lanes[2]!;
    this.sums[at + 3]! -= lanes[3]!;
    this.balance[bucket]! -= 1;
    this.note(bucket, words);
  }

  /** Reckons with a row in the size of its bucket only. */
  note(bucket: number, words: number): void {
    this.rows[bucket]! += 1;
    this.bytes[bucket]! += 4 * words;
  }

  /** The buckets in which the sides differ, in groups that fit `heldBytes`; one that does not stands alone. */
  batches(heldBytes: number): Batch[] {
    const batches: Batch[] = [];
    for (let bucket = 0; bucket < this.rows.length; bucket++) {
      if (!this.differs(bucket)) continue;
      const rows = this.rows[bucket]!;
      const bytes = this.bytes[bucket]!;
      const size = bytes + rows * ROW_OVERHEAD_BYTES;
      const last = batches.at(-1);
      if (last !== undefined && last.size + size <= heldBytes) {
        last.buckets.push(bucket);
        last.rows += rows;
        last.words += bytes / 4;
        last.size += size;
      } else {
        batches.push({ buckets: [bucket], rows, words: bytes / 4, size });
      }
    }
    return batches;
  }

  private differs(bucket: number): boolean {
    const at = 4 * bucket;
    return (
      this.balance[bucket] !== 0 ||
      (this.sums[at]! | this.sums[at + 1]! | this.sums[at + 2]! | this.sums[at + 3]!) !== 0
    );
  }
}

/** Buckets whose rows are looked at together. */
export interface Batch {
  readonly buckets: number[];
  /** Upper bounds of what the rows take. */
  rows: number;
  words: number;
  size: number;
}
