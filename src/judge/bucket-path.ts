import type { CanonicalRow } from './canonical-row.ts';
import type { WordHash } from './murmur3.ts';

const BUCKET_BITS = 10;
const KEY_SEED = 1;
const EXACT_SEED = 2;

/** Buckets below each node of the tree. */
export const BUCKETS = 1 << BUCKET_BITS;

/** Levels of the tree that look at the key only, so that all rows of a key lie below one node of the last. */
export const KEY_LEVELS = 2;

/** Levels of the tree. The others look at all exact columns: rows that may be partners stay together. */
export const LEVELS = 4;

/**
 * A node of the tree in which rows are parted by hashes: the whole, or one bucket of another node. Says in which
 * bucket below it a row lies.
 */
export class BucketPath {
  readonly depth: number;
  private readonly hash: WordHash;
  private readonly path: readonly number[];
  private readonly lanes = new Int32Array(4);

  constructor(hash: WordHash, path: readonly number[] = []) {
    this.hash = hash;
    this.path = path;
    this.depth = path.length;
  }

  /** Marks the bucket of the whole in which the rows below this node lie; undefined at the root. */
  get root(): Uint8Array | undefined {
    const [bucket] = this.path;
    return bucket === undefined ? undefined : new Uint8Array(BUCKETS).fill(1, bucket, bucket + 1);
  }

  below(bucket: number): BucketPath {
    return new BucketPath(this.hash, [...this.path, bucket]);
  }

  /** The row's bucket, or -1 where it does not lie below this node. */
  bucketOf(row: CanonicalRow): number {
    const { lanes, depth } = this;
    let bucket = -1;
    for (let level = 0; level <= depth; level++) {
      if (level === 0) this.hash(row.words, 0, 4 * row.keyLength, KEY_SEED, lanes);
      if (level === KEY_LEVELS) this.hash(row.words, 0, 4 * row.exactLength, EXACT_SEED, lanes);
      bucket = (lanes[0]! >>> (BUCKET_BITS * (level % KEY_LEVELS))) & (BUCKETS - 1);
      if (level < depth && bucket !== this.path[level]) return -1;
    }
    return bucket;
  }
}
