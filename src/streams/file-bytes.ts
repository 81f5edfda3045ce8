import { open } from 'node:fs/promises';
import type { ByteSource } from '../model/outcome.ts';

const CHUNK_BYTES = 1 << 20;

/**
 * The bytes of a file. All chunks of a reading lie in one buffer: a new one for each would make the collector look
 * at everything that is alive every few dozen of them.
 */
export function fileBytes(path: string): ByteSource {
  return { open: () => chunksOf(path) };
}

async function* chunksOf(path: string): AsyncGenerator<Uint8Array, void> {
  await using file = await open(path);
  const { size } = await file.stat();
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, size));
  for (let left = size; left > 0; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, left));
    if (bytesRead === 0) return;
    left -= bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
