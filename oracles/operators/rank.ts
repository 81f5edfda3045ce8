import type { OrderKey } from '../../src/model/plan/rank.ts';
import type { Row, Value } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import { compareValues } from '../order.ts';
import { NEVER_LATE, type RowStream } from './stream.ts';

/** One column of an order, by position. */
export interface OrderColumn extends Pick<OrderKey, 'direction' | 'nulls'> {
  readonly index: number;
}

interface Ranked {
  readonly row: Row;
  readonly fire: number;
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
    const bests: Ranked[][] = [];
    input((row, fire) => {
      const partition = partitions.of(row);
      const best = bests[partition];
      if (best === undefined) {
        // Made with its first row: an array that grows keeps room, which most partitions never use.
        bests[partition] = [{ row, fire }];
        return;
      }
      let place = best.length;
      while (place > 0 && compareBy(orderBy, row, best[place - 1]!.row) < 0) place--;
      if (place === limit) return;
      for (let index = Math.min(best.length, limit - 1); index > place; index--)
        best[index] = best[index - 1]!;
      best[place] = { row, fire };
    });
    for (const best of bests) {
      for (const { row, fire } of best) emit(row, fire, NEVER_LATE);
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
