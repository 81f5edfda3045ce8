/**
 * A hash of the `byteLength` bytes that start at word `start`, written to the four lanes of `out`.
 *
 * Bytes lie in the words' own order; those of the last word beyond `byteLength` must be zero.
 */
export type WordHash = (
  words: Int32Array,
  start: number,
  byteLength: number,
  seed: number,
  out: Int32Array,
) => void;

const C1 = 0x239b961b;
const C2 = 0xab0e9789 | 0;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93 | 0;

/** MurmurHash3_x86_128 by Austin Appleby (public domain). */
export const murmur3: WordHash = (words, start, byteLength, seed, out) => {
  let h1 = seed | 0;
  let h2 = h1;
  let h3 = h1;
  let h4 = h1;
  const body = start + ((byteLength >> 4) << 2);
  for (let at = start; at < body; at += 4) {
    let k = Math.imul(words[at]!, C1);
    h1 ^= Math.imul((k << 15) | (k >>> 17), C2);
    h1 = ((h1 << 19) | (h1 >>> 13)) + h2;
    h1 = (Math.imul(h1, 5) + 0x561ccd1b) | 0;

    k = Math.imul(words[at + 1]!, C2);
    h2 ^= Math.imul((k << 16) | (k >>> 16), C3);
    h2 = ((h2 << 17) | (h2 >>> 15)) + h3;
    h2 = (Math.imul(h2, 5) + 0x0bcaa747) | 0;

    k = Math.imul(words[at + 2]!, C3);
    h3 ^= Math.imul((k << 17) | (k >>> 15), C4);
    h3 = ((h3 << 15) | (h3 >>> 17)) + h4;
    h3 = (Math.imul(h3, 5) + 0x96cd1c35) | 0;

    k = Math.imul(words[at + 3]!, C4);
    h4 ^= Math.imul((k << 18) | (k >>> 14), C1);
    h4 = ((h4 << 13) | (h4 >>> 19)) + h1;
    h4 = (Math.imul(h4, 5) + 0x32ac3b17) | 0;
  }

  // A zero word mixes to zero, so the lanes that the tail does not reach need no case of their own.
  const tail = start + ((byteLength + 3) >> 2) - body;
  if (tail > 3) h4 ^= mixTail(words[body + 3]!, C4, 18, C1);
  if (tail > 2) h3 ^= mixTail(words[body + 2]!, C3, 17, C4);
  if (tail > 1) h2 ^= mixTail(words[body + 1]!, C2, 16, C3);
  if (tail > 0) h1 ^= mixTail(words[body]!, C1, 15, C2);

  h1 ^= byteLength;
  h2 ^= byteLength;
  h3 ^= byteLength;
  h4 ^= byteLength;
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = (h2 + h1) | 0;
  h3 = (h3 + h1) | 0;
  h4 = (h4 + h1) | 0;
  h1 = avalanche(h1);
  h2 = avalanche(h2);
  h3 = avalanche(h3);
  h4 = avalanche(h4);
  h1 = (h1 + h2 + h3 + h4) | 0;
  out[0] = h1;
  out[1] = h2 + h1;
  out[2] = h3 + h1;
  out[3] = h4 + h1;
};

function mixTail(word: number, first: number, rotation: number, second: number): number {
  const k = Math.imul(word, first);
  return Math.imul((k << rotation) | (k >>> (32 - rotation)), second);
}

function avalanche(h: number): number {
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}
