/** Lines that are remembered, at two bytes each. */
const MAX_LINES = 16 * 2 ** 20;

const NO_ROW = 0;

/**
 * Into which bucket the row of each line fell, so that a later pass need not decode lines of other buckets. Bounded:
 * of lines beyond the first 16 Mi nothing is known.
 */
export class LineBuckets {
  /** Bucket + 1 of each line. */
  private buckets = new Uint16Array(1024);

  note(line: number, bucket: number): void {
    if (line >= MAX_LINES) return;
    if (line >= this.buckets.length) {
      const grown = new Uint16Array(2 * line);
      grown.set(this.buckets);
      this.buckets = grown;
    }
    this.buckets[line] = bucket + 1;
  }

  /** False where the line holds no row of a bucket that is marked in `chosen`. */
  mayHold(line: number, chosen: Uint8Array): boolean {
    if (line >= MAX_LINES) return true;
    const noted = this.buckets[line] ?? NO_ROW;
    return noted !== NO_ROW && chosen[noted - 1] === 1;
  }
}
