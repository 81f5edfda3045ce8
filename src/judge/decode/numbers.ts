import type { JsonScanner } from './json-scanner.ts';

const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;

const POWERS_OF_TEN = Array.from({ length: 23 }, (_, power) => 10 ** power);

/**
 * Reads a whole number of digits only, no fraction and no exponent, exactly, to the scanner's `low` and `high`
 * words. False where it is none, or beyond 64 bits.
 */
export function readInteger(scanner: JsonScanner): boolean {
  const { bytes, end } = scanner;
  let position = scanner.position;
  const negative = position < end && bytes[position] === MINUS;
  if (negative) position++;
  const first = position;
  // Up to fifteen digits are exact in a double.
  let value = 0;
  while (position - first < 12 && position + 4 <= end) {
    const four = fourDigits(scanner.view.getInt32(position, true));
    if (four < 0) break;
    value = value * 10_000 + four;
    position += 4;
  }
  while (position - first < 15 && position < end) {
    const digit = bytes[position]! - ZERO;
    if (digit < 0 || digit > 9) break;
    value = value * 10 + digit;
    position++;
  }
  if (position === first) return scanner.fail('not a whole number', position);
  if (bytes[first] === ZERO && position - first > 1) return scanner.fail('leading zero', first);
  if (position < end) {
    const next = bytes[position]!;
    if (next === POINT || (next | 0x20) === 0x65) return scanner.fail('not a whole number', position);
    if (next >= ZERO && next <= ZERO + 9) return readLongInteger(scanner, first, negative);
  }
  scanner.position = position;
  if (negative) value = -value;
  scanner.high = Math.floor(value / 0x1_0000_0000);
  scanner.low = value | 0;
  return true;
}

/** The number that four digits make, the first in the lowest byte of `word`; -1 where they are not digits. */
function fourDigits(word: number): number {
  const odd = ((word & 0xf0f0f0f0) ^ 0x30303030) | (((word + 0x06060606) & 0xf0f0f0f0) ^ 0x30303030);
  if (odd !== 0) return -1;
  const digits = word & 0x0f0f0f0f;
  const pairs = Math.imul(digits, 10) + (digits >>> 8);
  return (pairs & 0xff) * 100 + ((pairs >>> 16) & 0xff);
}

function readLongInteger(scanner: JsonScanner, first: number, negative: boolean): boolean {
  const { bytes, end } = scanner;
  let low = 0;
  let high = 0;
  let position = first;
  for (; position < end; position++) {
    const digit = bytes[position]! - ZERO;
    if (digit < 0 || digit > 9) break;
    if (position - first === 19) return scanner.fail('beyond 64 bits', first);
    low = low * 10 + digit;
    const carry = Math.floor(low / 0x1_0000_0000);
    low -= carry * 0x1_0000_0000;
    high = high * 10 + carry;
  }
  const next = position < end ? bytes[position]! : 0;
  if (next === POINT || (next | 0x20) === 0x65) return scanner.fail('not a whole number', position);
  const isMinimum = negative && high === 0x8000_0000 && low === 0;
  if (high >= 0x8000_0000 && !isMinimum) return scanner.fail('beyond 64 bits', first);
  scanner.position = position;
  scanner.low = (negative ? -low : low) | 0;
  scanner.high = (negative ? (low === 0 ? -high : ~high) : high) | 0;
  return true;
}

/** Reads any JSON number, correctly rounded, to the scanner's `double`. */
export function readDouble(scanner: JsonScanner): boolean {
  const { bytes, end } = scanner;
  const start = scanner.position;
  let position = start;
  const negative = position < end && bytes[position] === MINUS;
  if (negative) position++;
  const first = position;
  let mantissa = 0;
  let digits = 0;
  let power = 0;
  for (; position < end; position++) {
    const digit = bytes[position]! - ZERO;
    if (digit < 0 || digit > 9) break;
    mantissa = mantissa * 10 + digit;
    if (mantissa > 0) digits++;
  }
  if (position === first) return scanner.fail('not a number', position);
  if (bytes[first] === ZERO && position - first > 1) return scanner.fail('leading zero', first);
  if (position < end && bytes[position] === POINT) {
    const fraction = ++position;
    for (; position < end; position++) {
      const digit = bytes[position]! - ZERO;
      if (digit < 0 || digit > 9) break;
      mantissa = mantissa * 10 + digit;
      if (mantissa > 0) digits++;
    }
    if (position === fraction) return scanner.fail('not a number', position);
    power = fraction - position;
  }
  if (position < end && (bytes[position]! | 0x20) === 0x65) {
    position++;
    const sign = position < end ? bytes[position]! : 0;
    if (sign === MINUS || sign === PLUS) position++;
    const exponentStart = position;
    let exponent = 0;
    for (; position < end; position++) {
      const digit = bytes[position]! - ZERO;
      if (digit < 0 || digit > 9) break;
      exponent = exponent * 10 + digit;
    }
    if (position === exponentStart) return scanner.fail('not a number', position);
    power += sign === MINUS ? -exponent : exponent;
  }
  scanner.position = position;
  let value: number;
  // Both operands are exact doubles, so that one rounding gives the nearest (Clinger 1990).
  if (digits <= 15 && power >= -22 && power <= 22) {
    value = power < 0 ? mantissa / POWERS_OF_TEN[-power]! : mantissa * POWERS_OF_TEN[power]!;
    if (negative) value = -value;
  } else {
    value = Number(ascii(bytes, start, position));
  }
  scanner.double = value;
  return true;
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  let text = '';
  for (let index = start; index < end; index++) text += String.fromCharCode(bytes[index]!);
  return text;
}
