import { type Event, inArrivalOrder, type StreamData } from '../src/model/dataset.ts';
import { columnIndex } from '../src/model/schema.ts';
import type { Traits } from '../src/model/traits.ts';

/** `m − L − c` of a partition after rows with greatest event time `m`; −∞ before its first row (semantics §2). */
export function partitionWatermark(greatestAt: number, lagMs: number, traits: Traits): number {
  return greatestAt - lagMs - traits.watermarkDelayMs;
}

/** The watermark of a source once all its rows are read (semantics §2). */
export function finalWatermark(stream: StreamData, lagMs: number, traits: Traits): number {
  const time = columnIndex(stream.schema.columns, stream.schema.eventTime);
  const partitions = readerPartitions(stream, traits);
  let least = Number.POSITIVE_INFINITY;
  for (const partition of partitions) {
    let greatest = Number.NEGATIVE_INFINITY;
    for (const { row } of partition) greatest = Math.max(greatest, row[time] as number);
    least = Math.min(least, partitionWatermark(greatest, lagMs, traits));
  }
  return least;
}

/** The sequences of rows over which watermarks advance apart: the partitions, or one where the reader is one. */
export function readerPartitions(stream: StreamData, traits: Traits): readonly (readonly Event[])[] {
  return traits.watermarkScope === 'partition' ? stream.partitions : [inArrivalOrder(stream)];
}
