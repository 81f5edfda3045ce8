import fc from 'fast-check';

/**
 * The random draws of one case, a function of a seed and the case's index alone: whichever process draws it, and
 * whatever it drew before.
 *
 * xorshift128 (Marsaglia 2003), its state mixed from both numbers by the finalizer of SplitMix32.
 */
export function caseRandom(seed: number, index: number): fc.Random {
  let mixed = 0;
  const state = [low(seed), high(seed), low(index), high(index)];
  // Twice around, so that every word depends on every part.
  for (let turn = 0; turn < 8; turn++) {
    mixed = mix32(mixed ^ state[turn % 4]!);
    state[turn % 4] = mixed;
  }
  // A state of zeros would give zeros only.
  return new fc.Random(new Xorshift128(state[0]!, state[1]!, state[2]!, state[3]! | 1));
}

function low(number: number): number {
  return number | 0;
}

function high(number: number): number {
  return Math.floor(number / 2 ** 32) | 0;
}

function mix32(word: number): number {
  word = (word + 0x9e3779b9) | 0;
  word = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
  word = Math.imul(word ^ (word >>> 15), 0x735a2d97);
  return word ^ (word >>> 15);
}

class Xorshift128 {
  #x: number;
  #y: number;
  #z: number;
  #w: number;

  constructor(x: number, y: number, z: number, w: number) {
    this.#x = x;
    this.#y = y;
    this.#z = z;
    this.#w = w;
  }

  clone(): Xorshift128 {
    return new Xorshift128(this.#x, this.#y, this.#z, this.#w);
  }

  /** 32 bits, as a signed number. */
  next(): number {
    const t = this.#x ^ (this.#x << 11);
    this.#x = this.#y;
    this.#y = this.#z;
    this.#z = this.#w;
    this.#w = this.#w ^ (this.#w >>> 19) ^ t ^ (t >>> 8);
    return this.#w;
  }

  getState(): readonly number[] {
    return [this.#x, this.#y, this.#z, this.#w];
  }
}
