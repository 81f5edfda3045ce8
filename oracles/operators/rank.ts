import type { OrderKey } from '../../src/model/plan/rank.ts';
import type { Row, Value } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import { compareValues } from '../order.ts';
import { NEVER_LATE, type RowStream } from './stream.ts';

/** One column of an order, by position. */
export interface OrderColumn extends Pick<OrderKey, 'direction' | 'nulls'> {
  readonly index: number;
}

/** No row is better, or worse. */
const NONE = -1;

/**
 * The first `limit` rows of each partition over all inputs that have appeared (semantics §3).
 *
 * The best rows of all partitions lie side by side in arrays, each linked to the next better one of its partition by
 * place: so a row costs no object. The place of one that is pushed out goes to the one that pushed.
 */
export function rank(
  input: RowStream,
  partitionBy: readonly number[],
  orderBy: readonly OrderColumn[],
  limit: number,
): RowStream {
  const [first, ...others] = orderBy;
  return (emit) => {
    const partitions = new Groups(partitionBy);
    /** By partition: the place of the worst of its best rows, and how many these are. */
    const worsts: number[] = [];
    const sizes: number[] = [];
    const rows: Row[] = [];
    /** The values of the first column of the order, which decides most often: here they lie close together. */
    const leads: Value[] = [];
    const leadOf = (row: Row) => (first === undefined ? null : row[first.index]!);
    const fires: number[] = [];
    const betters: number[] = [];
    input((row, fire) => {
      const partition = partitions.of(row);
      if (partition === worsts.length) {
        worsts.push(NONE);
        sizes.push(0);
      }
      const worst = worsts[partition]!;
      const lead = leadOf(row);
      let worse = NONE;
      let better = worst;
      while (better !== NONE) {
        const order = first === undefined ? 0 : compareIn(first, lead, leads[better]!);
        if (order > 0 || (order === 0 && compareBy(others, row, rows[better]!) >= 0)) break;
        worse = better;
        better = betters[better]!;
      }
      const isFull = sizes[partition] === limit;
      if (isFull && worse === NONE) return;
      const place = isFull ? worst : rows.length;
      rows[place] = row;
      leads[place] = lead;
      fires[place] = fire;
      if (!isFull) sizes[partition]!++;
      // Where the row stands next to the one whose place it takes, all links are as they were.
      if (isFull && worse === worst) return;
      if (isFull) worsts[partition] = betters[worst]!;
      if (worse === NONE) worsts[partition] = place;
      else betters[worse] = place;
      betters[place] = better;
    });
    for (const worst of worsts) {
      for (let place = worst; place !== NONE; place = betters[place]!) {
        emit(rows[place]!, fires[place]!, NEVER_LATE);
      }
    }
  };
}

function compareBy(columns: readonly OrderColumn[], a: Row, b: Row): number {
  for (let key = 0; key < columns.length; key++) {
    const column = columns[key]!;
    const order = compareIn(column, a[column.index]!, b[column.index]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Negative when `x` comes before `y` in the order of a column. */
function compareIn({ direction, nulls }: OrderColumn, x: Value, y: Value): number {
  if (x === y) return 0;
  if (x === null) return nulls === 'first' ? -1 : 1;
  if (y === null) return nulls === 'first' ? 1 : -1;
  const order = compareValues(x, y);
  return direction === 'asc' ? order : -order;
}
