import type { Row, Value } from '../src/model/value.ts';

/** Order of two values of one type, neither null: strings by code point, false before true (semantics §1). */
export function compareValues(a: Exclude<Value, null>, b: Exclude<Value, null>): number {
  // Numbers apart, though the last line would do: a comparison of one kind of value alone is compiled well.
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string') return compareCodePoints(a, b as string);
  return a < b ? -1 : a > b ? 1 : 0;
}

/** JS compares UTF-16 units, which puts U+E010 after U+1F680; by code point it comes before. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index);
    const y = b.charCodeAt(index);
    if (x !== y) return codePointRank(x) - codePointRank(y);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all of the basic plane. */
function codePointRank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** A fixed order of rows that depends on their values alone; NULL first. */
export function compareRows(a: Row, b: Row): number {
  for (let index = 0; index < a.length; index++) {
    const x = a[index] as Value;
    const y = b[index] as Value;
    if (x === y) continue;
    if (x === null) return -1;
    if (y === null) return 1;
    const order = compareValues(x, y);
    if (order !== 0) return order;
  }
  return 0;
}
