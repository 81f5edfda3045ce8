import { inArrivalOrder, type StreamData } from '../../src/model/dataset.ts';
import { columnIndex } from '../../src/model/schema.ts';
import type { Traits } from '../../src/model/traits.ts';
import type { Row } from '../../src/model/value.ts';
import { partitionWatermark } from '../watermark.ts';
import type { RowPath } from './row-path.ts';

/**
 * A row as it comes to a window.
 *
 * - `at`: its event time.
 * - `before`: the watermark of its own partition just before it.
 * - `partition`: the number of that partition, 0 where one reader sees all as one.
 */
export interface Arrived {
  readonly row: Row;
  readonly at: number;
  readonly before: number;
  readonly partition: number;
  readonly arrival: number;
}

/** The rows of a stream that reach a window through `path`, in arrival order. `time`: the place of their event time. */
export function arrivedRows(
  stream: StreamData,
  path: RowPath,
  time: number,
  lagMs: number,
  traits: Traits,
): readonly Arrived[] {
  const eventTime = columnIndex(stream.schema.columns, stream.schema.eventTime);
  const partitions = traits.watermarkScope === 'partition' ? stream.partitions : [inArrivalOrder(stream)];
  const arrived = partitions.flatMap((events, partition) => {
    let greatest = Number.NEGATIVE_INFINITY;
    return events.flatMap(({ row: read, arrival }): Arrived[] => {
      const before = partitionWatermark(greatest, lagMs, traits);
      greatest = Math.max(greatest, read[eventTime] as number);
      const row = path(read);
      return row === undefined ? [] : [{ row, at: row[time] as number, before, partition, arrival }];
    });
  });
  return arrived.sort((a, b) => a.arrival - b.arrival);
}
