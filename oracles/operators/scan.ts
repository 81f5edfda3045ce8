import type { StreamData } from '../../src/model/dataset.ts';
import { columnIndex } from '../../src/model/schema.ts';
import type { Traits } from '../../src/model/traits.ts';
import { partitionWatermark, watermarkCount } from '../watermark.ts';
import { IMMEDIATE, type RowStream } from './stream.ts';

/** All rows of a stream in arrival order (semantics §1), each with its partition's watermark before it (§2). */
export function scan(stream: StreamData, lagMs: number, traits: Traits): RowStream {
  const time = columnIndex(stream.schema.columns, stream.schema.eventTime);
  const { partitions } = stream;
  const watermarks = watermarkCount(stream, traits);
  return (emit) => {
    const next = partitions.map(() => 0);
    const greatest: number[] = new Array(watermarks).fill(Number.NEGATIVE_INFINITY);
    for (;;) {
      let earliest = -1;
      let arrival = Number.POSITIVE_INFINITY;
      for (let index = 0; index < partitions.length; index++) {
        const event = partitions[index]![next[index]!];
        if (event !== undefined && event.arrival < arrival) {
          earliest = index;
          arrival = event.arrival;
        }
      }
      if (earliest < 0) return;
      const { row } = partitions[earliest]![next[earliest]!]!;
      next[earliest]!++;
      const own = watermarks === 1 ? 0 : earliest;
      emit(row, IMMEDIATE, partitionWatermark(greatest[own]!, lagMs, traits));
      greatest[own] = Math.max(greatest[own]!, row[time] as number);
    }
  };
}
