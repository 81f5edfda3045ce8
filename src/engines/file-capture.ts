import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Capture } from '../model/outcome.ts';

const CHUNK_BYTES = 1 << 20;

/** An output that an engine left in a file of its session. Released, the file is removed. */
export function fileCapture(format: Capture['format'], path: string): Capture {
  return {
    format,
    bytes: { open: () => createReadStream(path, { highWaterMark: CHUNK_BYTES }) },
    release: () => rm(path, { force: true }),
  };
}
