import type { StreamData } from '../src/model/dataset.ts';
import { columnIndex } from '../src/model/schema.ts';
import type { Row } from '../src/model/value.ts';

/**
 * A stream as its readers see it (semantics §1, §2).
 *
 * - `rows`: all of them in arrival order.
 * - `greatestBefore`: for each row, the greatest event time that came before it in its own partition, or over all of
 *   them where one reader sees them as one; −∞ before the first.
 * - `greatest`: the greatest event time of each partition, or the one over all.
 */
export interface Arrivals {
  readonly rows: readonly Row[];
  readonly greatestBefore: Float64Array;
  readonly greatest: readonly number[];
}

/** Kept as long as the stream is: every query over it asks for the same. */
const known = { partition: new WeakMap<StreamData, Arrivals>(), reader: new WeakMap<StreamData, Arrivals>() };

/** `scope`: whether event times are compared within each partition or over all of them. */
export function arrivalsOf(stream: StreamData, scope: 'partition' | 'reader'): Arrivals {
  let arrivals = known[scope].get(stream);
  if (arrivals === undefined) {
    arrivals = merge(stream, scope);
    known[scope].set(stream, arrivals);
  }
  return arrivals;
}

function merge({ schema, partitions }: StreamData, scope: 'partition' | 'reader'): Arrivals {
  const time = columnIndex(schema.columns, schema.eventTime);
  const count = partitions.reduce((sum, { length }) => sum + length, 0);
  const rows: Row[] = new Array(count);
  const greatestBefore = new Float64Array(count);
  const greatest: number[] = new Array(scope === 'partition' ? partitions.length : 1);
  greatest.fill(Number.NEGATIVE_INFINITY);
  const next = partitions.map(() => 0);
  for (let place = 0; place < count; place++) {
    let earliest = -1;
    let arrival = Number.POSITIVE_INFINITY;
    for (let index = 0; index < partitions.length; index++) {
      const event = partitions[index]![next[index]!];
      if (event !== undefined && event.arrival < arrival) {
        earliest = index;
        arrival = event.arrival;
      }
    }
    const { row } = partitions[earliest]![next[earliest]!]!;
    next[earliest]!++;
    const own = scope === 'partition' ? earliest : 0;
    rows[place] = row;
    greatestBefore[place] = greatest[own]!;
    greatest[own] = Math.max(greatest[own]!, row[time] as number);
  }
  return { rows, greatestBefore, greatest };
}
