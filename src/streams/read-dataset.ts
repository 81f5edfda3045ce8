import { join } from 'node:path';
import { type Dataset, type Event, partitionFile, type StreamData } from '../model/dataset.ts';
import { InputError } from '../model/errors.ts';
import { parseExactJson, rowFromObject } from '../model/row-json.ts';
import type { Column } from '../model/schema.ts';
import { HEADER_FILE, readHeader } from './header-file.ts';
import { readLines } from './read-lines.ts';

/**
 * Reads a dataset (semantics §1) and checks every line of it.
 *
 * @throws InputError naming file, line (from 1) and field: for a file that is missing, a newer version, text
 * that is not UTF-8 or JSON, a field that is missing, unknown or not of its type, arrival numbers that do not
 * rise within a partition or occur twice, a last line that was cut off, and row counts other than
 * `dataset.json` says. The message never holds a value of a row.
 */
export async function readDataset(dir: string): Promise<Dataset> {
  const header = await readHeader(join(dir, HEADER_FILE));
  const files: PartitionEvents[] = [];
  const streams: StreamData[] = [];
  for (const { schema, rows } of header.streams) {
    const partitions: Event[][] = [];
    for (const [partition, count] of rows.entries()) {
      const file = join(dir, partitionFile(schema.name, partition));
      const events = await readPartition(file, schema.columns, count);
      partitions.push(events);
      files.push({ file, events });
    }
    streams.push({ schema, partitions });
  }
  refuseRepeatedArrivals(files);
  return { lagMs: header.lagMs, provenance: header.provenance, streams };
}

interface PartitionEvents {
  readonly file: string;
  readonly events: readonly Event[];
}

async function readPartition(file: string, columns: readonly Column[], rows: number): Promise<Event[]> {
  const events: Event[] = [];
  let latest = -1;
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      try {
        const event = eventFromJson(columns, line);
        if (event.arrival <= latest) {
          throw new InputError('not greater than on the line before', { field: 'arrival' });
        }
        latest = event.arrival;
        events.push(event);
      } catch (error) {
        throw error instanceof InputError ? placed(error, file, events.length + 1) : error;
      }
    }
  }
  if (events.length !== rows) {
    throw new InputError(`${events.length} rows where ${HEADER_FILE} says ${rows}`, { file });
  }
  return events;
}

function eventFromJson(columns: readonly Column[], line: string): Event {
  const json = parseExactJson(line);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new InputError('expected an object of arrival and row');
  }
  const { arrival, row } = json as { arrival?: unknown; row?: unknown };
  if (arrival === undefined) throw new InputError('missing', { field: 'arrival' });
  if (!Number.isSafeInteger(arrival) || (arrival as number) < 0) {
    throw new InputError('expected a whole number of at least 0', { field: 'arrival' });
  }
  if (row === undefined) throw new InputError('missing', { field: 'row' });
  const names = Object.keys(json);
  if (names.length > 2) {
    const unknown = names.find((name) => name !== 'arrival' && name !== 'row');
    throw new InputError('not a field of a line', { field: unknown });
  }
  return { arrival: arrival as number, row: rowFromObject(columns, row) };
}

function placed(error: InputError, file: string, line: number): InputError {
  return new InputError(error.problem, { file, line, field: error.field });
}

function refuseRepeatedArrivals(files: readonly PartitionEvents[]): void {
  const arrivals = new Float64Array(files.reduce((rows, { events }) => rows + events.length, 0));
  let index = 0;
  for (const { events } of files) for (const { arrival } of events) arrivals[index++] = arrival;
  arrivals.sort();
  const repeated = arrivals.find((arrival, place) => arrival === arrivals[place + 1]);
  if (repeated === undefined) return;
  const [, second] = files.flatMap(({ file, events }) => {
    const place = events.findIndex((event) => event.arrival === repeated);
    return place < 0 ? [] : [{ file, line: place + 1, field: 'arrival' }];
  });
  throw new InputError('the same number as a line of another file', second);
}
