import { encodeUtf8 } from './text.ts';

const ZERO = 48;
const MINUS = 45;
/** Room for a sign and the digits of any safe integer. */
const MAX_DIGITS = 17;
const MILLIARD = 1_000_000_000;
/** Up to this length a loop is faster than a call of `set`. */
const LOOP_LIMIT = 12;
/** The least number of more than `index` digits. */
const LIMITS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
const LINE_END = encodeUtf8('}}\n');
const NULL = encodeUtf8('null');

/**
 * A growing buffer of JSON text in UTF-8.
 *
 * Filled byte by byte in plain loops: for pieces as short as these that is several times as fast as building
 * strings and encoding them.
 */
export class JsonLines {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  #lines = 0;

  /** Begins anew in the same memory. */
  clear(): void {
    this.#length = 0;
    this.#lines = 0;
  }

  /** How many lines have been ended. */
  get lines(): number {
    return this.#lines;
  }

  /** What has been written so far; valid until the next write. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** JSON text that is already encoded. */
  raw(piece: Uint8Array): void {
    const length = piece.length;
    if (this.#length + length > this.#bytes.length) this.#grow(length);
    const bytes = this.#bytes;
    const start = this.#length;
    this.#length = start + length;
    if (length > LOOP_LIMIT) bytes.set(piece, start);
    else for (let index = 0; index < length; index++) bytes[start + index] = piece[index]!;
  }

  /** Closes a row and its line. */
  endLine(): void {
    this.raw(LINE_END);
    this.#lines++;
  }

  /** A nullable whole number in its exact digits. */
  integer(value: number | bigint | null): void {
    if (typeof value !== 'number') {
      this.raw(value === null ? NULL : encodeUtf8(String(value)));
      return;
    }
    if (this.#length + MAX_DIGITS > this.#bytes.length) this.#grow(MAX_DIGITS);
    if (value < 0) {
      this.#bytes[this.#length++] = MINUS;
      value = -value;
    }
    // Division of integers below 2^31 is fast, so greater ones go in two parts.
    if (value < MILLIARD) {
      this.#digits(value, 1);
    } else {
      const low = value % MILLIARD;
      this.#digits((value - low) / MILLIARD, 1);
      this.#digits(low, 9);
    }
  }

  /** The digits of a number below 10^9, padded with zeros to `width`. */
  #digits(value: number, width: number): void {
    const bytes = this.#bytes;
    const start = this.#length;
    let rest = value | 0;
    let end = start + width;
    for (let index = width; index < LIMITS.length && rest >= LIMITS[index]!; index++) end++;
    for (let at = end - 1; at >= start; at--) {
      const tens = (rest / 10) | 0;
      bytes[at] = ZERO + rest - tens * 10;
      rest = tens;
    }
    this.#length = end;
  }

  #grow(count: number): void {
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.bytes());
    this.#bytes = grown;
  }
}
