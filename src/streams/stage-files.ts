import { join } from 'node:path';
import { type Dataset, type Event, inArrivalOrder } from '../model/dataset.ts';
import { rowToJson } from '../model/row-json.ts';
import { makeDirectory, withWriters } from './files.ts';
import { lineChunks } from './line-chunks.ts';

/**
 * Writes a dataset for engines that read files: for each stream one file of rows as plain JSON lines, in
 * `arrival` order over all its partitions (semantics §2: a file reader follows the greatest time it has seen,
 * so it is given one partition). The directory is made; files of an earlier staging are replaced.
 *
 * @returns the path of each stream's file by the stream's name.
 * @throws InputError with the path that cannot be written.
 */
export async function stageFiles(dataset: Dataset, dir: string): Promise<Map<string, string>> {
  await makeDirectory(dir);
  const fileOf = (stream: string) => `${stream}.ndjson`;
  const names = dataset.streams.map(({ schema }) => fileOf(schema.name));
  await withWriters(dir, names, async (write) => {
    for (const stream of dataset.streams) {
      const { name, columns } = stream.schema;
      const lineOf = ({ row }: Event) => rowToJson(columns, row);
      for (const chunk of lineChunks(inArrivalOrder(stream), lineOf)) await write(fileOf(name), chunk);
    }
  });
  return new Map(dataset.streams.map(({ schema: { name } }) => [name, join(dir, fileOf(name))]));
}
