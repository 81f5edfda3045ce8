import type { ByteSource } from '../../model/outcome.ts';

const NEWLINE = 0x0a;
const FOUR_NEWLINES = 0x0a0a0a0a;

/**
 * Calls `onLine` with the bytes of each line, without its newline. Nothing follows a final newline; a final
 * line without one is a line. The bytes are valid during the call only.
 */
export async function eachLine(
  source: ByteSource,
  onLine: (bytes: Uint8Array, start: number, end: number) => void,
): Promise<void> {
  let carry = new Uint8Array(1024);
  let carried = 0;
  const keep = (bytes: Uint8Array, start: number, end: number) => {
    const length = carried + end - start;
    if (length > carry.length) {
      const grown = new Uint8Array(2 * length);
      grown.set(carry.subarray(0, carried));
      carry = grown;
    }
    carry.set(bytes.subarray(start, end), carried);
    carried = length;
  };
  for await (const chunk of source.open()) {
    // A plain view, whatever subclass the source yields: the scanner's loops then see one kind of array.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    let newline = nextNewline(bytes, view, 0);
    if (carried > 0 && newline >= 0) {
      keep(bytes, 0, newline);
      onLine(carry, 0, carried);
      carried = 0;
      start = newline + 1;
      newline = nextNewline(bytes, view, start);
    }
    while (newline >= 0) {
      onLine(bytes, start, newline);
      start = newline + 1;
      newline = nextNewline(bytes, view, start);
    }
    if (start < bytes.length) keep(bytes, start, bytes.length);
  }
  if (carried > 0) onLine(carry, 0, carried);
}

/** The place of the first newline from `at` on, or -1. Lines are short: calling `indexOf` takes longer. */
function nextNewline(bytes: Uint8Array, view: DataView, at: number): number {
  for (; at + 4 <= bytes.length; at += 4) {
    // A byte of zero borrows from its top bit, and nothing else does before it.
    const word = view.getInt32(at, true) ^ FOUR_NEWLINES;
    if (((word - 0x01010101) & ~word & 0x80808080) !== 0) break;
  }
  for (; at < bytes.length; at++) if (bytes[at] === NEWLINE) return at;
  return -1;
}
