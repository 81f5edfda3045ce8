import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type Dataset, partitionFile } from '../model/dataset.ts';
import { HEADER_FILE } from './header-file.ts';

/** SHA-256 over a dataset's files, `dataset.json` first, then the partitions in its order. */
export async function hashDataset(dataset: Dataset, directory: string): Promise<string> {
  const hash = createHash('sha256');
  const partitions = dataset.streams.flatMap(({ schema, partitions: { length } }) =>
    Array.from({ length }, (_, partition) => partitionFile(schema.name, partition)),
  );
  for (const name of [HEADER_FILE, ...partitions]) {
    for await (const chunk of createReadStream(join(directory, name))) hash.update(chunk as Uint8Array);
  }
  return hash.digest('hex');
}
