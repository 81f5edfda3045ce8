import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { InputError } from '../model/errors.ts';
import { orInputError } from './files.ts';

const CHUNK_BYTES = 1 << 20;
const NEWLINE = 10;

/**
 * The lines of a file without their newlines, in batches. Bytes are decoded only up to a line's end, so no
 * character is cut.
 *
 * @throws InputError naming the file, and the line that is not UTF-8 or that the end of the file cuts off.
 */
export async function* readLines(file: string): AsyncGenerator<string[]> {
  const handle = await orInputError(file, 'cannot read', () => open(file));
  try {
    let lineNumber = 1;
    let held = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await orInputError(file, 'cannot read', () => handle.read(chunk));
      if (bytesRead === 0) break;
      const bytes = Buffer.concat([held, chunk.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      held = bytes.subarray(end);
      if (end === 0) continue;
      const lines = decodeLines(bytes.subarray(0, end), file, lineNumber);
      lineNumber += lines.length;
      yield lines;
    }
    if (held.length > 0) {
      throw new InputError('the last line is cut off: it does not end with a newline', {
        file,
        line: lineNumber,
      });
    }
  } finally {
    await handle.close();
  }
}

function decodeLines(bytes: Buffer, file: string, firstLine: number): string[] {
  if (!isUtf8(bytes)) throw new InputError('not UTF-8', { file, line: firstLine + badLine(bytes) });
  const lines = bytes.toString().split('\n');
  lines.pop(); // what follows the last newline: nothing
  return lines;
}

/** The first line that is not UTF-8, counted from 0. */
function badLine(bytes: Buffer): number {
  let start = 0;
  for (let line = 0; ; line++) {
    const end = bytes.indexOf(NEWLINE, start) + 1;
    if (!isUtf8(bytes.subarray(start, end))) return line;
    start = end;
  }
}
