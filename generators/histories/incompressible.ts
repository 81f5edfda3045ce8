import { TOAST_CHARACTERS } from '../../src/model/history/index.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Bytes of a long value: more than {@link TOAST_CHARACTERS}, so that it is out of line also where a row is short. */
const LEAST = TOAST_CHARACTERS + 100;
const SPREAD = 1_500;

/** Text of a seed that no compression of PostgreSQL makes shorter, 2,200 to 3,700 letters. The seed tells it from others. */
export function longText(seed: number): string {
  let text = '';
  for (const byte of longBytes(seed)) text += LETTERS[byte % LETTERS.length];
  return text;
}

/** As many bytes of a seed, in PostgreSQL's hex form. */
export function longHex(seed: number): string {
  let text = '\\x';
  for (const byte of longBytes(seed)) text += byte.toString(16).padStart(2, '0');
  return text;
}

/** xorshift32 (Marsaglia 2003), its state mixed from the seed. */
function longBytes(seed: number): Uint8Array {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  // The first draws of neighbouring seeds are alike.
  for (let turn = 0; turn < 8; turn++) next();
  const bytes = new Uint8Array(LEAST + (next() % SPREAD));
  for (let index = 0; index < bytes.length; index++) bytes[index] = next() >>> 11;
  return bytes;
}
