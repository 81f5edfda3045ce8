import { z } from 'zod';
import { type StreamSchema, streamSchema } from './schema.ts';
import type { Row } from './value.ts';

/** One row as it arrived. `arrival` numbers fix one order over all streams and partitions of a dataset. */
export interface Event {
  readonly arrival: number;
  readonly row: Row;
}

/** The rows of one stream, partition by partition, each in arrival order. */
export interface StreamData {
  readonly schema: StreamSchema;
  readonly partitions: readonly (readonly Event[])[];
}

/** The generator's whole input, or `captured` for rows that are a user's own and therefore private. */
export type Provenance =
  | 'captured'
  | {
      readonly seed: string;
      readonly profile: string;
      readonly parameters: Readonly<Record<string, number>>;
    };

/**
 * A dataset (semantics §1): streams in partitions with one arrival order over all of them, and the lag `L` in
 * milliseconds that its readers declare for their watermarks (§2).
 */
export interface Dataset {
  readonly lagMs: number;
  readonly provenance: Provenance;
  readonly streams: readonly StreamData[];
}

/** The version of the on-disk form below. A greater one is refused. */
export const DATASET_VERSION = 1;

/** `dataset.json`: all of a dataset but its rows. */
export interface DatasetHeader {
  readonly version: typeof DATASET_VERSION;
  readonly lagMs: number;
  readonly provenance: Provenance;
  readonly streams: readonly { readonly schema: StreamSchema; readonly rows: readonly number[] }[];
}

/** JSON form of `dataset.json`; `rows` holds the number of rows of each partition. */
export const datasetHeaderSchema = z.strictObject({
  version: z.literal(DATASET_VERSION),
  lagMs: z.int().min(0),
  provenance: z.union([
    z.literal('captured'),
    z.strictObject({ seed: z.string(), profile: z.string(), parameters: z.record(z.string(), z.number()) }),
  ]),
  streams: z
    .array(z.strictObject({ schema: streamSchema, rows: z.array(z.int().min(0)).min(1) }))
    .min(1)
    .superRefine((streams, context) => {
      const names = streams.map((stream) => stream.schema.name);
      for (const [index, name] of names.entries()) {
        if (names.indexOf(name) !== index) {
          context.addIssue({
            code: 'custom',
            path: [index, 'schema', 'name'],
            message: 'stream named twice',
          });
        }
      }
    }),
});

/** File that holds one partition of a stream: NDJSON of `{"arrival":…,"row":{…}}`. */
export function partitionFile(stream: string, partition: number): string {
  return `${stream}-${partition}.ndjson`;
}

/** All events of a stream in arrival order, whatever its number of partitions. */
export function inArrivalOrder(stream: StreamData): readonly Event[] {
  const [first] = stream.partitions;
  if (stream.partitions.length === 1 && first !== undefined) return first;
  return stream.partitions.flat().sort((a, b) => a.arrival - b.arrival);
}

/** Number of a stream's rows, over all partitions. */
export function rowCount({ partitions }: StreamData): number {
  return partitions.reduce((sum, { length }) => sum + length, 0);
}

/** Number of rows in the streams of these names. */
export function rowsOf(dataset: Dataset, names: readonly string[]): number {
  return dataset.streams
    .filter(({ schema }) => names.includes(schema.name))
    .reduce((sum, stream) => sum + rowCount(stream), 0);
}
