import { type FileHandle, mkdir, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { InputError } from '../model/errors.ts';

/**
 * Makes a directory, with its parents, for files that are all ours.
 *
 * @throws InputError when it already holds anything, or cannot be made or read.
 */
export async function makeEmptyDirectory(dir: string): Promise<void> {
  await makeDirectory(dir);
  const held = await orInputError(dir, 'cannot read the directory', () => readdir(dir));
  if (held.length > 0) throw new InputError('the directory is not empty', { file: dir });
}

/** @throws InputError when the directory cannot be made. */
export async function makeDirectory(dir: string): Promise<void> {
  await orInputError(dir, 'cannot make the directory', () => mkdir(dir, { recursive: true }));
}

/** Runs a file operation; its failure becomes an InputError with the path and the system's code. */
export async function orInputError<T>(
  path: string,
  problem: string,
  operation: () => Promise<T>,
): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (typeof code !== 'string') throw error;
    throw new InputError(`${problem} (${code})`, { file: path });
  }
}

/**
 * Opens files, hands out a function that appends to one of them, and closes them all at the end.
 *
 * @throws InputError with the path when a file cannot be opened or written.
 */
export async function withWriters(
  dir: string,
  names: readonly string[],
  use: (write: (name: string, bytes: Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const handles = new Map<string, FileHandle>();
  try {
    for (const name of names) {
      const path = join(dir, name);
      handles.set(name, await orInputError(path, 'cannot write', () => open(path, 'w')));
    }
    await use(async (name, bytes) => {
      if (bytes.length === 0) return;
      const handle = handles.get(name)!;
      await orInputError(join(dir, name), 'cannot write', () => handle.writeFile(bytes));
    });
  } finally {
    for (const handle of handles.values()) await handle.close();
  }
}
