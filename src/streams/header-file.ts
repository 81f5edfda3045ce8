import { rename, writeFile } from 'node:fs/promises';
import { DATASET_VERSION, type DatasetHeader, datasetHeaderSchema } from '../model/dataset.ts';
import { orInputError } from './files.ts';
import { readJsonFile } from './json-file.ts';

/** The file that describes a dataset. It is written last, so a directory without it is no dataset. */
export const HEADER_FILE = 'dataset.json';

/** @throws InputError when the file cannot be written. */
export async function writeHeader(file: string, header: DatasetHeader): Promise<void> {
  await orInputError(file, 'cannot write', async () => {
    // Renamed into place, so that it is never seen half written.
    await writeFile(`${file}.part`, `${JSON.stringify(header, null, 2)}\n`);
    await rename(`${file}.part`, file);
  });
}

/** @throws InputError naming file and field when the file is missing, newer than we read, or malformed. */
export function readHeader(file: string): Promise<DatasetHeader> {
  return readJsonFile(file, datasetHeaderSchema, DATASET_VERSION);
}
