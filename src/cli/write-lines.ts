import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { InputError } from '../model/errors.ts';

const BATCH_CHARACTERS = 1 << 16;

/** Writes lines as fast as the stream takes them. */
export async function writeLines(stream: NodeJS.WritableStream, lines: Iterable<string>): Promise<void> {
  let batch = '';
  const flush = async () => {
    const taken = stream.write(batch);
    batch = '';
    if (!taken) await once(stream, 'drain');
  };
  for (const line of lines) {
    batch += `${line}\n`;
    if (batch.length >= BATCH_CHARACTERS) await flush();
  }
  if (batch !== '') await flush();
}

/** Writes lines to a new file. @throws InputError when it exists already, or cannot be written. */
export async function writeLinesToFile(file: string, lines: Iterable<string>): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx' });
  try {
    await once(stream, 'open');
    await writeLines(stream, lines);
    stream.end();
    await finished(stream);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new InputError(code === 'EEXIST' ? 'the file exists already' : `cannot be written (${code})`, {
      file,
    });
  }
}
