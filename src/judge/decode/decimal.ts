const MINUS = 0x2d;
const PLUS = 0x2b;
const POINT = 0x2e;
const ZERO = 0x30;
const MAX_DIGITS = 38;

/** Most bytes that {@link normaliseDecimal} writes: a sign, a leading zero, a point and the digits. */
export const DECIMAL_MAX_BYTES = MAX_DIGITS + 3;

const significant = new Uint8Array(MAX_DIGITS);

/**
 * Writes the one representation of a DECIMAL (semantics §1) to `out` at `at`, and returns the end of it; -1
 * where bytes `start` to `end` are no decimal or do not fit. Zeros in front, zeros after the fraction and an
 * exponent are read; a digit that the scale would cut does not fit.
 */
export function normaliseDecimal(
  bytes: Uint8Array,
  start: number,
  end: number,
  { precision, scale }: { readonly precision: number; readonly scale: number },
  out: Uint8Array,
  at: number,
): number {
  let position = start;
  const negative = position < end && bytes[position] === MINUS;
  if (negative) position++;
  const first = position;
  let count = 0; // of significant digits up to the last that is not zero
  let zeros = 0; // after it
  let whole = 0; // of significant digits before the point; negative for zeros after it
  let afterPoint = false;
  for (; position < end; position++) {
    const byte = bytes[position]!;
    if (byte === POINT && !afterPoint && position > first) {
      afterPoint = true;
      continue;
    }
    const digit = byte - ZERO;
    if (digit < 0 || digit > 9) break;
    if (digit === 0 && count === 0) {
      if (afterPoint) whole--;
      continue;
    }
    if (!afterPoint) whole++;
    if (digit === 0) {
      zeros++;
      continue;
    }
    if (count + zeros >= MAX_DIGITS) return -1;
    for (; zeros > 0; zeros--) significant[count++] = ZERO;
    significant[count++] = byte;
  }
  if (position === first) return -1;
  if (position < end) {
    const exponent = readExponent(bytes, position, end);
    if (exponent === undefined) return -1;
    whole += exponent;
  }
  if (count === 0) whole = 0;
  else if (whole > precision - scale || count - whole > scale) return -1;

  if (negative && count > 0) out[at++] = MINUS;
  if (whole <= 0) out[at++] = ZERO;
  for (let place = 0; place < whole; place++) out[at++] = place < count ? significant[place]! : ZERO;
  if (scale > 0) out[at++] = POINT;
  for (let place = whole; place < whole + scale; place++) {
    out[at++] = place >= 0 && place < count ? significant[place]! : ZERO;
  }
  return at;
}

function readExponent(bytes: Uint8Array, position: number, end: number): number | undefined {
  if ((bytes[position]! | 0x20) !== 0x65) return undefined;
  position++;
  const sign = position < end ? bytes[position]! : 0;
  if (sign === MINUS || sign === PLUS) position++;
  if (position === end) return undefined;
  let exponent = 0;
  for (; position < end; position++) {
    const digit = bytes[position]! - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    exponent = exponent * 10 + digit;
  }
  return sign === MINUS ? -exponent : exponent;
}
