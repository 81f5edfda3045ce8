import type { OrderKey } from '../../src/model/plan/rank.ts';
import type { Row, Value } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import { compareValues } from '../order.ts';
import { NEVER_LATE, type RowStream } from './stream.ts';

/** One column of an order, by position. */
export interface OrderColumn extends Pick<OrderKey, 'direction' | 'nulls'> {
  readonly index: number;
}

/** One of the best rows of a partition, linked to the next better one. */
interface Ranked {
  readonly row: Row;
  readonly fire: number;
  better: Ranked | undefined;
}

/** The first `limit` rows of each partition over all inputs that have appeared (semantics §3). */
export function rank(
  input: RowStream,
  partitionBy: readonly number[],
  orderBy: readonly OrderColumn[],
  limit: number,
): RowStream {
  return (emit) => {
    const partitions = new Groups(partitionBy);
    /** By partition: the worst of its best rows, and how many these are. */
    const worsts: Ranked[] = [];
    const sizes: number[] = [];
    input((row, fire) => {
      const partition = partitions.of(row);
      if (partition === worsts.length) {
        worsts.push({ row, fire, better: undefined });
        sizes.push(1);
        return;
      }
      const isFull = sizes[partition] === limit;
      let worse: Ranked | undefined;
      let better: Ranked | undefined = worsts[partition];
      while (better !== undefined && compareBy(orderBy, row, better.row) < 0) {
        worse = better;
        better = better.better;
      }
      if (worse === undefined) {
        if (isFull) return;
        worsts[partition] = { row, fire, better };
      } else {
        worse.better = { row, fire, better };
      }
      if (isFull) worsts[partition] = worsts[partition]!.better!;
      else sizes[partition]!++;
    });
    for (const worst of worsts) {
      for (let ranked: Ranked | undefined = worst; ranked !== undefined; ranked = ranked.better) {
        emit(ranked.row, ranked.fire, NEVER_LATE);
      }
    }
  };
}

function compareBy(orderBy: readonly OrderColumn[], a: Row, b: Row): number {
  for (const { index, direction, nulls } of orderBy) {
    const x = a[index] as Value;
    const y = b[index] as Value;
    if (x === y) continue;
    if (x === null) return nulls === 'first' ? -1 : 1;
    if (y === null) return nulls === 'first' ? 1 : -1;
    const order = compareValues(x, y);
    if (order !== 0) return direction === 'asc' ? order : -order;
  }
  return 0;
}
