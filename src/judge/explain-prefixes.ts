import type { Row } from '../model/value.ts';
import type { Explained } from './interrupted.ts';
import { keyOf } from './row-bag.ts';

/** Steps that the search for prefixes may take where rows of several partitions are equal. */
const MOST_STEPS = 1 << 16;

/**
 * The rows an interrupted per-record query must have emitted: of each partition all up to some row (semantics §5).
 * `partitions`: the true rows of each partition alone, in its order.
 *
 * Where no prefixes give just what is there, each partition's is the one that ends with the last row that can be its
 * own, for the judge to find what is wrong. Undefined where rows that several partitions hold leave too many ways to tell.
 */
export function explainPrefixes(
  partitions: readonly (readonly Row[])[],
  actual: readonly Row[],
): Explained | undefined {
  const keys = partitions.map((rows) => rows.map(keyOf));
  const shown = countsOf(actual.map(keyOf));
  const lengths = prefixes(keys, shown, actual.length);
  if (lengths === 'undecided') return undefined;
  const taken = lengths ?? greedy(keys, shown);
  return {
    rows: partitions.flatMap((rows, index) => rows.slice(0, taken[index])),
    watermark: { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY },
    open: partitions.reduce((sum, rows, index) => sum + rows.length - taken[index]!, 0),
  };
}

type Counts = Map<string, number>;

function countsOf(keys: readonly string[]): Counts {
  const counts: Counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Lengths of prefixes that together are just the rows shown; undefined where there are none. */
function prefixes(
  keys: readonly (readonly string[])[],
  shown: Counts,
  total: number,
): readonly number[] | 'undecided' | undefined {
  const ranges = rangesOf(keys, shown);
  if (ranges.some(({ least, most }) => least > most)) return undefined;
  // The partition with fewest ways first, so that little is tried in vain.
  const order = [...keys.keys()].sort((a, b) => width(ranges[a]!) - width(ranges[b]!));
  const left = new Map(shown);
  const lengths: number[] = new Array(keys.length).fill(0);
  let steps = 0;
  const take = (key: string) => {
    const count = left.get(key) ?? 0;
    if (count === 0) return false;
    left.set(key, count - 1);
    return true;
  };
  const search = (place: number, rest: number): boolean | 'undecided' => {
    const partition = order[place];
    if (partition === undefined) return rest === 0;
    const rows = keys[partition]!;
    const { least, most } = ranges[partition]!;
    let length = 0;
    try {
      for (;;) {
        if (length >= least) {
          const found = search(place + 1, rest - length);
          if (found !== false) {
            lengths[partition] = length;
            return found;
          }
        }
        if (length === most || length === rest) return false;
        if (++steps > MOST_STEPS + total) return 'undecided';
        if (!take(rows[length]!)) return false;
        length += 1;
      }
    } finally {
      for (const key of rows.slice(0, length)) left.set(key, left.get(key)! + 1);
    }
  };
  const found = search(0, total);
  if (found === 'undecided') return found;
  return found ? lengths : undefined;
}

interface PrefixRange {
  readonly least: number;
  readonly most: number;
}

const width = ({ least, most }: PrefixRange) => most - least;

/** What the rows that one partition alone holds say of the length of its prefix. */
function rangesOf(keys: readonly (readonly string[])[], shown: Counts): readonly PrefixRange[] {
  const holders = new Map<string, number | 'several'>();
  for (const [partition, rows] of keys.entries()) {
    for (const key of rows) {
      const holder = holders.get(key);
      if (holder === undefined) holders.set(key, partition);
      else if (holder !== partition) holders.set(key, 'several');
    }
  }
  return keys.map((rows) => {
    const seen: Counts = new Map();
    let least = 0;
    let most = rows.length;
    for (const [index, key] of rows.entries()) {
      if (holders.get(key) === 'several') continue;
      const count = (seen.get(key) ?? 0) + 1;
      seen.set(key, count);
      if (count <= (shown.get(key) ?? 0)) least = index + 1;
      else most = Math.min(most, index);
    }
    return { least, most };
  });
}

function greedy(keys: readonly (readonly string[])[], shown: Counts): readonly number[] {
  const left = new Map(shown);
  return keys.map((rows) => {
    let length = 0;
    for (const [index, key] of rows.entries()) {
      const count = left.get(key) ?? 0;
      if (count === 0) continue;
      left.set(key, count - 1);
      length = index + 1;
    }
    return length;
  });
}
