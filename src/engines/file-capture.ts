import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from '../model/outcome.ts';

const GREATEST_CHUNK_BYTES = 1 << 20;

/** The bytes of a file, as it is when it is read. */
export function fileSource(path: string): ByteSource {
  return { open: () => chunksOf(path) };
}

/**
 * Reads without leaving the thread: the file was written a moment ago, and a test reads thousands of small ones,
 * each of which would wait several times for a thread.
 */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const file = openSync(path, 'r');
  try {
    const chunkBytes = Math.min(Math.max(fstatSync(file).size, 1), GREATEST_CHUNK_BYTES);
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const bytes = readSync(file, chunk);
      if (bytes === 0) return;
      yield chunk.subarray(0, bytes);
    }
  } finally {
    closeSync(file);
  }
}
