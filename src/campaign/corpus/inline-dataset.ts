import { z } from 'zod';
import type { Dataset, Event } from '../../model/dataset.ts';
import { InputError } from '../../model/errors.ts';
import { rowFromObject, rowToJson } from '../../model/row-json.ts';
import { type StreamSchema, streamSchema } from '../../model/schema.ts';
import type { Row } from '../../model/value.ts';

const MAX_REPEAT = 100_000;

const eventSchema = z.strictObject({
  arrival: z.int().min(0),
  /** How many such rows arrive one after the other from there on, each with the next number; one where it is absent. */
  repeat: z.int().min(2).max(MAX_REPEAT).optional(),
  /** As in a dataset's files: BIGINT as exact digits, TIMESTAMP(3) as epoch ms, DECIMAL as text. */
  row: z.record(z.string(), z.unknown()),
});

/** A dataset small enough to stand within another file. */
export const inlineDatasetSchema = z.strictObject({
  lagMs: z.int().min(0),
  streams: z
    .array(z.strictObject({ schema: streamSchema, partitions: z.array(z.array(eventSchema)).min(1) }))
    .min(1),
});

type InlineDataset = z.infer<typeof inlineDatasetSchema>;
type InlineEvent = z.infer<typeof eventSchema>;

/**
 * The dataset with its rows typed.
 *
 * @throws InputError naming the field below the dataset: a row that does not fit its schema, a stream named twice,
 * arrival numbers that do not rise within a partition or occur twice. The message holds no value of a row.
 */
export function inlineDataset({ lagMs, streams }: InlineDataset): Dataset {
  const names = new Set<string>();
  const arrivals = new Set<number>();
  const read = streams.map(({ schema, partitions }, stream) => {
    const path = `streams.${stream}`;
    if (names.has(schema.name)) throw new InputError('stream named twice', { field: `${path}.schema.name` });
    names.add(schema.name);
    return {
      schema,
      partitions: partitions.map((events, partition) =>
        readPartition(events, schema, `${path}.partitions.${partition}`, arrivals),
      ),
    };
  });
  return { lagMs, provenance: 'captured', streams: read };
}

/** JSON text of a dataset's streams of these names, an event a line: numbers keep all of their digits. */
export function inlineDatasetText({ lagMs, streams }: Dataset, reads: readonly string[]): string {
  const eventText = (schema: StreamSchema, { arrival, row }: Event) =>
    `{ "arrival": ${arrival}, "row": ${rowToJson(schema.columns, row)} }`;
  const partitionText = (schema: StreamSchema, events: readonly Event[]) =>
    events.length === 0 ? '[]' : `[\n${events.map((event) => eventText(schema, event)).join(',\n')}\n]`;
  const streamTexts = streams
    .filter(({ schema }) => reads.includes(schema.name))
    .map(({ schema, partitions }) => {
      const parts = partitions.map((events) => partitionText(schema, events)).join(', ');
      return `{ "schema": ${JSON.stringify(schema)},\n"partitions": [${parts}] }`;
    });
  return `{ "lagMs": ${lagMs}, "streams": [${streamTexts.join(',\n')}] }`;
}

function readPartition(
  events: readonly InlineEvent[],
  schema: StreamSchema,
  path: string,
  arrivals: Set<number>,
): readonly Event[] {
  let last = -1;
  return events.flatMap(({ arrival: first, repeat = 1, row: object }, index) => {
    const row = readRow(object, schema, `${path}.${index}.row`);
    return Array.from({ length: repeat }, (_, offset) => {
      const arrival = first + offset;
      const field = `${path}.${index}.arrival`;
      if (arrival <= last) throw new InputError('arrival numbers must rise within a partition', { field });
      if (arrivals.has(arrival)) throw new InputError('another row has this arrival number', { field });
      arrivals.add(arrival);
      last = arrival;
      return { arrival, row };
    });
  });
}

function readRow(object: unknown, { columns }: StreamSchema, path: string): Row {
  try {
    return rowFromObject(columns, object);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, {
      field: error.field === undefined ? path : `${path}.${error.field}`,
    });
  }
}
