import type { StreamData } from '../src/model/dataset.ts';
import { columnIndex } from '../src/model/schema.ts';
import type { Traits } from '../src/model/traits.ts';

/** `m − L − c` of a partition after rows with greatest event time `m`; −∞ before its first row (semantics §2). */
export function partitionWatermark(greatestAt: number, lagMs: number, traits: Traits): number {
  return greatestAt - lagMs - traits.watermarkDelayMs;
}

/** The watermark of a source once all its rows are read (semantics §2). */
export function finalWatermark(stream: StreamData, lagMs: number, traits: Traits): number {
  const time = columnIndex(stream.schema.columns, stream.schema.eventTime);
  const greatest = stream.partitions.map((events) =>
    events.reduce((at, { row }) => Math.max(at, row[time] as number), Number.NEGATIVE_INFINITY),
  );
  const deciding = traits.watermarkScope === 'partition' ? Math.min(...greatest) : Math.max(...greatest);
  return partitionWatermark(deciding, lagMs, traits);
}

/** In how many sequences of rows watermarks advance apart: the partitions, or one where the reader is one. */
export function watermarkCount(stream: StreamData, traits: Traits): number {
  return traits.watermarkScope === 'partition' ? stream.partitions.length : 1;
}
