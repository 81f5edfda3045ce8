import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { type Lsn, lsnSchema } from '../../model/history/index.ts';

/**
 * How far a library has come whose sink keeps no checkpoint. Transactions and messages have each their own position, for
 * the two may be equal (semantics §10).
 */
export interface LibraryPosition {
  readonly transaction: Lsn | undefined;
  readonly message: Lsn | undefined;
  /** Chunks of a snapshot, from the first on. */
  readonly chunks: number;
}

const schema = z.strictObject({
  version: z.literal(1),
  transaction: lsnSchema.optional(),
  message: lsnSchema.optional(),
  chunks: z.int().min(0),
});

/** The library's checkpoint in a file. What was written is there after a crash, whole, or what was before it. */
export class LibraryCheckpoint {
  readonly #file: string;

  constructor(directory: string) {
    this.#file = join(directory, 'checkpoint.json');
  }

  async read(): Promise<LibraryPosition> {
    let text: string;
    try {
      text = await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      return { transaction: undefined, message: undefined, chunks: 0 };
    }
    const { transaction, message, chunks } = z.decode(schema, JSON.parse(text));
    return { transaction, message, chunks };
  }

  async write(position: LibraryPosition): Promise<void> {
    const text = JSON.stringify(z.encode(schema, { version: 1, ...position }));
    const next = `${this.#file}.next`;
    await writeDurably(next, text);
    await rename(next, this.#file);
    // The new name is durable once its directory is.
    const directory = await open(dirname(this.#file), 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
