import { TextBuffer } from './text-buffer.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/**
 * Reads the JSON of one line from its bytes. Methods that read something return false (or -1) where it is not
 * there, and have then noted the fault: its place and what is wrong, never what was read.
 */
export class JsonScanner {
  bytes: Uint8Array = NOTHING;
  /** The same bytes, for reading four at a time. */
  view: DataView = NO_VIEW;
  /** Next byte to read. */
  position = 0;
  /** First byte that is not the line's. */
  end = 0;
  /** Decoded strings of this line. */
  readonly text: TextBuffer;
  /** The last whole number that was read, in two's complement. */
  low = 0;
  high = 0;
  /** The last number that was read as a double. */
  double = 0;
  /** Place of the fault. */
  faultAt = 0;
  problem = '';

  constructor(text: TextBuffer = new TextBuffer()) {
    this.text = text;
  }

  /** Starts a line. `room`: bytes of text beyond those of the line that its readers will write. */
  open(bytes: Uint8Array, start: number, end: number, room = 0): void {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    this.position = start;
    this.end = end;
    this.text.clear(end - start + room);
  }

  fail(problem: string, at = this.position): false {
    this.problem = at >= this.end ? 'ends early' : problem;
    this.faultAt = at;
    return false;
  }

  /** The next byte that is not white space, or -1 at the end of the line. It is not consumed. */
  peek(): number {
    const { bytes, end } = this;
    let position = this.position;
    while (position < end) {
      const byte = bytes[position]!;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x09 && byte !== 0x0d && byte !== 0x0a)) {
        this.position = position;
        return byte;
      }
      position++;
    }
    this.position = position;
    return -1;
  }

  /** Consumes `byte` and the white space before it. */
  expect(byte: number, problem: string): boolean {
    if (this.peek() !== byte) return this.fail(problem);
    this.position++;
    return true;
  }

  /** True when only white space is left. */
  finish(): boolean {
    if (this.peek() === -1) return true;
    return this.fail('text after the object');
  }

  /** Consumes `word` (`null`, `true`, `false`), given as its bytes. */
  literal(word: Uint8Array, problem: string): boolean {
    for (let index = 0; index < word.length; index++) {
      const at = this.position + index;
      if (at >= this.end || this.bytes[at] !== word[index]) return this.fail(problem, at);
    }
    this.position += word.length;
    return true;
  }

  /** Decodes the string that starts here to the end of `text`. Returns its start there, or -1. */
  string(problem: string): number {
    const { bytes, end } = this;
    const out = this.text.bytes;
    const start = this.text.length;
    let length = start;
    let position = this.position;
    if (position >= end || bytes[position] !== QUOTE) return this.failString(problem, position);
    position++;
    while (position < end) {
      const byte = bytes[position]!;
      if (byte === QUOTE) {
        this.position = position + 1;
        this.text.length = length;
        return start;
      }
      if (byte === BACKSLASH) {
        this.position = position;
        length = this.escape(length);
        if (length < 0) return -1;
        position = this.position;
      } else if (byte < 0x80) {
        if (byte < 0x20) return this.failString('control character in a string', position);
        out[length++] = byte;
        position++;
      } else {
        const size = sequenceLength(bytes, position, end);
        if (size === 0) return this.failString('invalid UTF-8', position);
        for (let index = 0; index < size; index++) out[length++] = bytes[position++]!;
      }
    }
    return this.failString(problem, end);
  }

  private failString(problem: string, at: number): -1 {
    this.fail(problem, at);
    return -1;
  }

  /** Decodes the escape at `position` to `text` at `length`. Returns the length after it, or -1. */
  private escape(length: number): number {
    const at = this.position;
    const out = this.text.bytes;
    const byte = at + 1 < this.end ? this.bytes[at + 1]! : -1;
    if (byte !== 0x75) {
      const plain = escaped(byte);
      if (plain < 0) return this.failString('unknown escape', at + 1);
      out[length] = plain;
      this.position = at + 2;
      return length + 1;
    }
    let point = this.hex(at + 2);
    if (point < 0) return -1;
    this.position = at + 6;
    if (point >= 0xd800 && point < 0xe000) {
      if (point >= 0xdc00 || this.bytes[at + 6] !== BACKSLASH || this.bytes[at + 7] !== 0x75) {
        return this.failString('lone surrogate', at);
      }
      const low = this.hex(at + 8);
      if (low < 0) return -1;
      if (low < 0xdc00 || low >= 0xe000) return this.failString('lone surrogate', at);
      point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
      this.position = at + 12;
    }
    return writeUtf8(out, length, point);
  }

  private hex(at: number): number {
    let value = 0;
    for (let index = at; index < at + 4; index++) {
      const digit = index < this.end ? hexDigit(this.bytes[index]!) : -1;
      if (digit < 0) return this.failString('unknown escape', index);
      value = (value << 4) | digit;
    }
    return value;
  }
}

function escaped(byte: number): number {
  switch (byte) {
    case 0x22:
    case 0x2f:
    case 0x5c:
      return byte;
    case 0x62:
      return 0x08;
    case 0x66:
      return 0x0c;
    case 0x6e:
      return 0x0a;
    case 0x72:
      return 0x0d;
    case 0x74:
      return 0x09;
    default:
      return -1;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** Bytes of the well-formed UTF-8 sequence of more than one byte at `at` (Unicode table 3-7), or 0. */
function sequenceLength(bytes: Uint8Array, at: number, end: number): number {
  const first = bytes[at]!;
  const size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (size === 0 || at + size > end) return 0;
  const second = bytes[at + 1]!;
  // Overlong forms, surrogates and points beyond U+10FFFF all show in the second byte.
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const greatest = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > greatest) return 0;
  for (let index = at + 2; index < at + size; index++) if ((bytes[index]! & 0xc0) !== 0x80) return 0;
  return size;
}

function writeUtf8(out: Uint8Array, at: number, point: number): number {
  if (point < 0x80) {
    out[at++] = point;
    return at;
  }
  if (point < 0x800) {
    out[at++] = 0xc0 | (point >> 6);
  } else {
    if (point < 0x10000) {
      out[at++] = 0xe0 | (point >> 12);
    } else {
      out[at++] = 0xf0 | (point >> 18);
      out[at++] = 0x80 | ((point >> 12) & 0x3f);
    }
    out[at++] = 0x80 | ((point >> 6) & 0x3f);
  }
  out[at++] = 0x80 | (point & 0x3f);
  return at;
}
