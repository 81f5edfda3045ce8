import type { Value } from '../../../model/value.ts';
import type { Faults } from '../faults.ts';

/** A function of up to three values that are not null; NULL stands for those it does not take. */
export type PlainFunction = (first: Value, second: Value, third: Value) => Value;

/** Made once for each specimen. */
const known = new WeakMap<Faults, Readonly<Record<string, PlainFunction>>>();

/** Functions of strings as sequences of code points (semantics §1, §3); positions count from 1. */
export function stringFunctions(faults: Faults): Readonly<Record<string, PlainFunction>> {
  let functions = known.get(faults);
  if (functions === undefined) {
    functions = makeFunctions(faults);
    known.set(faults, functions);
  }
  return functions;
}

function makeFunctions(faults: Faults): Readonly<Record<string, PlainFunction>> {
  const asciiOnly = faults.has('case-of-ascii-only');
  const inUnits = faults.has('length-in-utf16');
  const inBytes = faults.has('position-in-bytes');
  const once = faults.has('replace-once');
  const skipsEmpty = faults.has('split-skips-empty-parts');
  return {
    lower: (text) => mapCase(text as string, (letter) => letter.toLowerCase(), asciiOnly),
    upper: (text) => mapCase(text as string, (letter) => letter.toUpperCase(), asciiOnly),
    char_length: (text) => (inUnits ? (text as string).length : codePoints(text as string)),
    position(needle, text) {
      const at = (text as string).indexOf(needle as string);
      if (at < 0) return 0;
      const before = (text as string).slice(0, at);
      return 1 + (inBytes ? Buffer.byteLength(before) : codePoints(before));
    },
    replace(text, needle, by) {
      if (needle === '') return text;
      const parts = (text as string).split(needle as string);
      if (once && parts.length > 2) return parts[0]! + by + parts.slice(1).join(needle as string);
      return parts.join(by as string);
    },
    concat: (first, second) => `${first}${second}`,
    split_index(text, separator, index) {
      // An empty separator parts nothing.
      const all = separator === '' ? [text as string] : (text as string).split(separator as string);
      const parts = skipsEmpty ? all.filter((part) => part !== '') : all;
      return parts[Number(index)] ?? null;
    },
  };
}

const ASCII = /^[\0-\x7f]*$/;

/** Code point by code point; one whose other case is several code points is left alone. */
function mapCase(text: string, map: (letter: string) => string, asciiOnly: boolean): string {
  if (ASCII.test(text)) return map(text);
  let mapped = '';
  for (const letter of text) {
    const other = asciiOnly && !ASCII.test(letter) ? letter : map(letter);
    mapped += codePoints(other) === 1 ? other : letter;
  }
  return mapped;
}

function codePoints(text: string): number {
  if (ASCII.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count++;
  return count;
}
