import type { StreamData } from '../../src/model/dataset.ts';
import type { Traits } from '../../src/model/traits.ts';
import { arrivalsOf } from '../arrivals.ts';
import { partitionWatermark } from '../watermark.ts';
import { IMMEDIATE, type RowStream } from './stream.ts';

/** All rows of a stream in arrival order (semantics §1), each with its partition's watermark before it (§2). */
export function scan(stream: StreamData, lagMs: number, traits: Traits): RowStream {
  return (emit) => {
    const { rows, greatestBefore } = arrivalsOf(stream, traits.watermarkScope);
    for (let index = 0; index < rows.length; index++) {
      emit(rows[index]!, IMMEDIATE, partitionWatermark(greatestBefore[index]!, lagMs, traits));
    }
  };
}
