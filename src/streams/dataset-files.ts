import { join } from 'node:path';
import {
  BLOCK_EVENTS,
  type BlockLines,
  blockCount,
  type NexmarkOptions,
  ndjsonBlocks,
  nexmarkGenerator,
  nexmarkProvenance,
  nexmarkStreams,
} from '../../generators/nexmark/index.ts';
import { DATASET_VERSION, type Dataset, type Event, partitionFile } from '../model/dataset.ts';
import { rowToJson } from '../model/row-json.ts';
import { makeEmptyDirectory, withWriters } from './files.ts';
import { HEADER_FILE, writeHeader } from './header-file.ts';
import { lineChunks } from './line-chunks.ts';

export { readDataset } from './read-dataset.ts';

/**
 * Writes a dataset (semantics §1): `dataset.json`, and for each stream and partition NDJSON of `arrival` and
 * `row`. The directory is made; `dataset.json` appears only when everything else is there.
 *
 * @throws InputError when the directory holds anything or something cannot be written.
 */
export async function writeDataset(dataset: Dataset, dir: string): Promise<void> {
  await makeEmptyDirectory(dir);
  const names = dataset.streams.flatMap(({ schema, partitions }) =>
    partitions.map((_, partition) => partitionFile(schema.name, partition)),
  );
  await withWriters(dir, names, async (write) => {
    for (const { schema, partitions } of dataset.streams) {
      const lineOf = ({ arrival, row }: Event) =>
        `{"arrival":${arrival},"row":${rowToJson(schema.columns, row)}}`;
      for (const [partition, events] of partitions.entries()) {
        for (const chunk of lineChunks(events, lineOf))
          await write(partitionFile(schema.name, partition), chunk);
      }
    }
  });
  await writeHeader(join(dir, HEADER_FILE), {
    version: DATASET_VERSION,
    lagMs: dataset.lagMs,
    provenance: dataset.provenance,
    streams: dataset.streams.map(({ schema, partitions }) => ({
      schema,
      rows: partitions.map((events) => events.length),
    })),
  });
}

/** How far a long write has come, in events of all streams. */
export interface WriteProgress {
  readonly events: number;
  readonly ofEvents: number;
}

/**
 * Writes what `writeDataset(generateNexmark(options), dir)` writes, byte for byte, but holds one block at a
 * time. `onProgress` is called after each block.
 *
 * @throws InputError naming the option out of range, or the path that cannot be written.
 */
export async function writeNexmark(
  options: NexmarkOptions,
  dir: string,
  onProgress: (progress: WriteProgress) => void = () => {},
): Promise<void> {
  const generator = nexmarkGenerator(options);
  const { partitions, events, lagMs } = generator.parameters;
  await makeEmptyDirectory(dir);
  const streams = nexmarkStreams.map((schema) => ({ schema, rows: new Array<number>(partitions).fill(0) }));
  const names = streams.flatMap(({ schema, rows }) =>
    rows.map((_, index) => partitionFile(schema.name, index)),
  );
  await withWriters(dir, names, async (write) => {
    const linesOf = ndjsonBlocks(generator);
    for (let block = 0; block < blockCount(generator); block++) {
      const lines = linesOf(block);
      for (const { schema, rows } of streams) {
        for (const [partition, written] of lines[schema.name as keyof BlockLines].entries()) {
          await write(partitionFile(schema.name, partition), written.bytes);
          rows[partition]! += written.rows;
        }
      }
      onProgress({ events: Math.min(events, (block + 1) * BLOCK_EVENTS), ofEvents: events });
    }
  });
  await writeHeader(join(dir, HEADER_FILE), {
    version: DATASET_VERSION,
    lagMs,
    provenance: nexmarkProvenance(generator),
    streams,
  });
}
