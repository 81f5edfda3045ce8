import type { ByteSource } from '../../model/outcome.ts';

const NEWLINE = 0x0a;
const FOUR_NEWLINES = 0x0a0a0a0a;
const NOTHING = new Uint8Array(0);

/**
 * Calls `onLine` with the bytes of each line, without its newline. Nothing follows a final newline; a final
 * line without one is a line. The bytes are valid during the call only.
 */
export async function eachLine(source: ByteSource, onLine: LineVisitor): Promise<void> {
  const carry = new Carry();
  if (source.whole !== undefined) splitChunk(source.whole, carry, onLine);
  else for await (const chunk of source.open()) splitChunk(chunk, carry, onLine);
  if (carry.length > 0) onLine(carry.bytes, 0, carry.length);
}

type LineVisitor = (bytes: Uint8Array, start: number, end: number) => void;

/** Lines of a chunk; what is begun in it and not ended goes to `carry`. */
function splitChunk(chunk: Uint8Array, carry: Carry, onLine: LineVisitor): void {
  // A plain view, whatever subclass the source yields: the scanner's loops then see one kind of array.
  const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let start = 0;
  let newline = nextNewline(bytes, view, 0);
  if (carry.length > 0 && newline >= 0) {
    carry.keep(bytes, 0, newline);
    onLine(carry.bytes, 0, carry.length);
    carry.length = 0;
    start = newline + 1;
    newline = nextNewline(bytes, view, start);
  }
  while (newline >= 0) {
    onLine(bytes, start, newline);
    start = newline + 1;
    newline = nextNewline(bytes, view, start);
  }
  if (start < bytes.length) carry.keep(bytes, start, bytes.length);
}

/** The beginning of a line whose end is in a later chunk. */
class Carry {
  bytes: Uint8Array = NOTHING;
  length = 0;

  keep(bytes: Uint8Array, start: number, end: number): void {
    const length = this.length + end - start;
    if (length > this.bytes.length) {
      const grown = new Uint8Array(2 * length);
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    this.bytes.set(bytes.subarray(start, end), this.length);
    this.length = length;
  }
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
