import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { murmur3 } from '../../src/judge/murmur3.ts';

function hash(bytes: Uint8Array, seed: number, start = 0): Int32Array {
  const words = new Int32Array(start + Math.ceil(bytes.length / 4) + 1).fill(-1);
  words.fill(0, start, start + Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes, 4 * start);
  const lanes = new Int32Array(4);
  murmur3(words, start, bytes.length, seed, lanes);
  return lanes;
}

const hex = (lanes: Int32Array) =>
  [...lanes].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');

describe('murmur3', () => {
  it('has the verification value of SMHasher for MurmurHash3_x86_128', () => {
    const key = Uint8Array.from({ length: 256 }, (_, index) => index);
    const hashes = new Uint8Array(256 * 16);
    for (let size = 0; size < 256; size++) {
      const lanes = hash(key.subarray(0, size), 256 - size);
      hashes.set(new Uint8Array(lanes.buffer), 16 * size);
    }
    expect(hash(hashes, 0)[0]! >>> 0).toBe(0xb3ece62a);
  });

  it.each([
    ['', '00000000000000000000000000000000'],
    ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66ce5e91d2c'],
  ])('hashes %j as published', (text, expected) => {
    expect(hex(hash(Buffer.from(text), 0))).toBe(expected);
  });

  it('hashes the same words alike wherever they start', () => {
    const bytes = Buffer.from('window_start, window_end, auction');
    expect(hash(bytes, 7, 5)).toEqual(hash(bytes, 7));
  });
});
