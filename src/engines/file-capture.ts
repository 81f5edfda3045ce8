import { rm } from 'node:fs/promises';
import type { Capture } from '../model/outcome.ts';
import { fileBytes } from '../streams/file-bytes.ts';

/** An output that an engine left in a file of its session. Released, the file is removed. */
export function fileCapture(format: Capture['format'], path: string): Capture {
  return {
    format,
    bytes: fileBytes(path),
    release: () => rm(path, { force: true }),
  };
}
