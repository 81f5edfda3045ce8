import { type Dataset, inArrivalOrder, type StreamData } from '../../src/model/dataset.ts';
import { columnIndex } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/value.ts';

export function stream(dataset: Dataset, name: string): StreamData {
  return dataset.streams.find(({ schema }) => schema.name === name)!;
}

/** The values of a column, given as `stream.column`, in arrival order. */
export function column(dataset: Dataset, path: string): Value[] {
  const [streamName = '', columnName = ''] = path.split('.');
  const data = stream(dataset, streamName);
  const index = columnIndex(data.schema.columns, columnName);
  return inArrivalOrder(data).map(({ row }) => row[index]!);
}

/** Arrival number and event time of every row of every stream, in arrival order. */
export function timeline(dataset: Dataset): { arrival: number; at: number }[] {
  return dataset.streams
    .flatMap(({ schema, partitions }) => {
      const time = columnIndex(schema.columns, schema.eventTime);
      return partitions.flat().map(({ arrival, row }) => ({ arrival, at: row[time] as number }));
    })
    .sort((a, b) => a.arrival - b.arrival);
}

/** How far, in milliseconds, any row lies behind the latest one that arrived before it. */
export function disorder(dataset: Dataset): number {
  let latest = Number.NEGATIVE_INFINITY;
  let greatest = 0;
  for (const { at } of timeline(dataset)) {
    latest = Math.max(latest, at);
    greatest = Math.max(greatest, latest - at);
  }
  return greatest;
}
