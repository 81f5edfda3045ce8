import type { Row } from '../model/value.ts';
import { eachAppendedRow } from './appended-rows.ts';
import { BUCKETS, BucketPath, KEY_LEVELS, LEVELS } from './bucket-path.ts';
import { type Batch, BucketSums } from './bucket-sums.ts';
import type { CanonicalRow, Layout } from './canonical-row.ts';
import type { CorruptVisitor } from './decode/captured-lines.ts';
import type { Differences } from './differences.ts';
import { HeldRows } from './held-rows.ts';
import { KeyDifferences } from './key-differences.ts';
import { LineBuckets } from './line-buckets.ts';
import type { WordHash } from './murmur3.ts';
import { eachEncoded, type LineFilter, type RowVisitor, type Side } from './side.ts';

/** Two append outputs to compare, and the means. */
export interface MultisetComparison {
  readonly expected: Side;
  readonly actual: Side;
  /** Rows that are true only beyond the watermark. */
  readonly beyond: readonly Row[];
  readonly layout: Layout;
  /** Relative tolerance, or 0 without one. */
  readonly relative: number;
  /** Memory for rows that are looked at one by one. */
  readonly heldBytes: number;
  readonly maxSamples: number;
  readonly hash: WordHash;
}

/**
 * Compares the rows of two append outputs as multisets in bounded memory (semantics §6). Returns each side's
 * number of rows.
 *
 * One pass over each side sums fingerprints in buckets of rows, chosen by a hash of the key. Where the sums of a
 * bucket are equal its rows are (by chance with probability 2^-128). The others are read again and compared word
 * by word, as many buckets in a pass as fit `heldBytes`. A bucket that does not fit alone is split further, by
 * its keys and then by its rows; what is left below the last level is held whatever its size.
 */
export async function compareMultisets(
  comparison: MultisetComparison,
  differences: Differences,
): Promise<{ readonly expectedRows: number; readonly actualRows: number }> {
  const drill = new Drill(comparison, differences);
  const root = new BucketPath(comparison.hash);
  const { sums, ...rows } = await drill.sum(root, (position) => differences.corrupt(position));
  await drill.descend(root, sums);
  return rows;
}

class Drill {
  private readonly comparison: MultisetComparison;
  private readonly differences: Differences;
  private readonly expectedBuckets = new LineBuckets();
  private readonly actualBuckets = new LineBuckets();
  /** What was found of keys whose rows do not fit one pass, until the last of them. */
  private readonly carried = new Map<string, KeyDifferences>();

  constructor(comparison: MultisetComparison, differences: Differences) {
    this.comparison = comparison;
    this.differences = differences;
  }

  /** Fingerprints the buckets below a node. */
  async sum(path: BucketPath, onCorrupt: CorruptVisitor = () => {}) {
    const { hash } = this.comparison;
    const sums = new BucketSums(BUCKETS);
    const lanes = new Int32Array(4);
    let expectedRows = 0;
    let actualRows = 0;
    const isRoot = path.depth === 0;
    await this.eachRow(
      path.root,
      {
        expected: (row, line) => {
          expectedRows++;
          const bucket = path.bucketOf(row);
          if (bucket < 0) return;
          if (isRoot) this.expectedBuckets.note(line, bucket);
          hash(row.words, 0, 4 * row.length, 0, lanes);
          sums.add(bucket, lanes, row.length);
        },
        actual: (row, line) => {
          actualRows++;
          const bucket = path.bucketOf(row);
          if (bucket < 0) return;
          if (isRoot) this.actualBuckets.note(line, bucket);
          hash(row.words, 0, 4 * row.length, 0, lanes);
          sums.subtract(bucket, lanes, row.length);
        },
        beyond: (row) => {
          const bucket = path.bucketOf(row);
          if (bucket >= 0) sums.note(bucket, row.length);
        },
      },
      onCorrupt,
    );
    return { sums, expectedRows, actualRows };
  }

  /** Finds all differences below a node. */
  async descend(path: BucketPath, sums: BucketSums): Promise<void> {
    const { heldBytes } = this.comparison;
    for (const batch of sums.batches(heldBytes)) {
      if (batch.size > heldBytes && path.depth < LEVELS - 1) {
        const below = path.below(batch.buckets[0]!);
        await this.descend(below, (await this.sum(below)).sums);
      } else {
        await this.hold(path, batch);
      }
    }
    if (path.depth === KEY_LEVELS) this.reportCarried();
  }

  private async hold(path: BucketPath, batch: Batch): Promise<void> {
    const { layout, relative, maxSamples, hash } = this.comparison;
    const chosen = new Uint8Array(BUCKETS);
    for (const bucket of batch.buckets) chosen[bucket] = 1;
    const isChosen = (row: CanonicalRow) => {
      const bucket = path.bucketOf(row);
      return bucket >= 0 && chosen[bucket] === 1;
    };
    const held = new HeldRows(layout, relative, hash, batch);
    await this.eachRow(path.root ?? chosen, {
      // Even and odd: no two rows share an ordinal, so that samples do not depend on the passes.
      expected: (row, line) => {
        if (isChosen(row)) held.addExpected(row, 2 * line);
      },
      actual: (row, line) => {
        if (isChosen(row)) held.addActual(row, 2 * line + 1);
      },
      beyond: (row) => {
        if (isChosen(row)) held.addBeyond(row);
      },
    });
    held.eachDifferingKey(this.differences, (found, words, start, keyLength) => {
      if (path.depth < KEY_LEVELS) {
        found.report(this.differences, layout, relative);
        return;
      }
      const key = keyText(words, start, keyLength);
      const carried = this.carried.get(key) ?? new KeyDifferences();
      this.carried.set(key, carried);
      carried.addSampled(found, layout, maxSamples);
    });
  }

  private reportCarried(): void {
    const { layout, relative } = this.comparison;
    for (const found of this.carried.values()) found.report(this.differences, layout, relative);
    this.carried.clear();
  }

  /** Reads the rows of both sides, at least those of the buckets `chosen` below the root, or all. */
  private async eachRow(
    chosen: Uint8Array | undefined,
    on: Readonly<Record<'expected' | 'actual' | 'beyond', RowVisitor>>,
    onCorrupt: CorruptVisitor = () => {},
  ): Promise<void> {
    const { expected, actual, beyond, layout } = this.comparison;
    const among = (buckets: LineBuckets): LineFilter | undefined =>
      chosen && ((line) => buckets.mayHold(line, chosen));
    await eachAppendedRow(expected, layout, on.expected, onCorrupt, among(this.expectedBuckets));
    await eachAppendedRow(actual, layout, on.actual, onCorrupt, among(this.actualBuckets));
    eachEncoded(beyond, layout, on.beyond);
  }
}

/** The words of a key as a map's key. */
function keyText(words: Int32Array, start: number, length: number): string {
  let text = '';
  for (let at = start; at < start + length; at++) {
    text += String.fromCharCode(words[at]! & 0xffff, words[at]! >>> 16);
  }
  return text;
}
