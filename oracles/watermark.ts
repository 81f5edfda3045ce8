import type { StreamData } from '../src/model/dataset.ts';
import type { Traits } from '../src/model/traits.ts';
import { arrivalsOf } from './arrivals.ts';

/** `m − L − c` of a partition after rows with greatest event time `m`; −∞ before its first row (semantics §2). */
export function partitionWatermark(greatestAt: number, lagMs: number, traits: Traits): number {
  return greatestAt - lagMs - traits.watermarkDelayMs;
}

/** The watermark of a source once all its rows are read: the least over its partitions (semantics §2). */
export function finalWatermark(stream: StreamData, lagMs: number, traits: Traits): number {
  const { greatest } = arrivalsOf(stream, traits.watermarkScope);
  return partitionWatermark(Math.min(...greatest), lagMs, traits);
}

/** In how many sequences of rows watermarks advance apart: the partitions, or one where the reader is one. */
export function watermarkCount(stream: StreamData, traits: Traits): number {
  return traits.watermarkScope === 'partition' ? stream.partitions.length : 1;
}
