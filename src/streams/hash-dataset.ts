import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Dataset, partitionFile } from '../model/dataset.ts';
import { addFile } from './file-hash.ts';
import { HEADER_FILE } from './header-file.ts';

/** SHA-256 over a dataset's files, `dataset.json` first, then the partitions in its order. */
export async function hashDataset(dataset: Dataset, directory: string): Promise<string> {
  const hash = createHash('sha256');
  const partitions = dataset.streams.flatMap(({ schema, partitions: { length } }) =>
    Array.from({ length }, (_, partition) => partitionFile(schema.name, partition)),
  );
  for (const name of [HEADER_FILE, ...partitions]) {
    await addFile(hash, join(directory, name));
  }
  return hash.digest('hex');
}
