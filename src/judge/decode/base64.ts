const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = 0x3d;
const NOT_BASE64 = 64;

const sextets = new Uint8Array(256).fill(NOT_BASE64);
for (let value = 0; value < 64; value++) sextets[ALPHABET.charCodeAt(value)] = value;

/**
 * Decodes padded base64 (RFC 4648 §4), bytes `start` to `end` of `from`, to the front of `out`. Returns the
 * number of bytes, or -1 where it is none.
 */
export function decodeBase64(from: Uint8Array, start: number, end: number, out: Uint8Array): number {
  if ((end - start) % 4 !== 0) return -1;
  let padding = 0;
  while (padding < 2 && end - padding > start && from[end - padding - 1] === PADDING) padding++;
  const stop = end - padding;
  let length = 0;
  for (let at = start; at < end; at += 4) {
    const a = sextets[from[at]!]!;
    const b = sextets[from[at + 1]!]!;
    const c = at + 2 < stop ? sextets[from[at + 2]!]! : 0;
    const d = at + 3 < stop ? sextets[from[at + 3]!]! : 0;
    if (((a | b | c | d) & NOT_BASE64) !== 0) return -1;
    const bits = (a << 18) | (b << 12) | (c << 6) | d;
    out[length++] = bits >> 16;
    out[length++] = bits >> 8;
    out[length++] = bits;
  }
  return length - padding;
}

/** Where the letters of base64, padding included, that start at `at` end; no later than at `end`. */
export function endOfBase64(from: Uint8Array, at: number, end: number): number {
  while (at < end && (sextets[from[at]!] !== NOT_BASE64 || from[at] === PADDING)) at++;
  return at;
}
