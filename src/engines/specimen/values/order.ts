import type { Type } from '../../../model/type.ts';
import { decimalOf } from '../../../model/type.ts';
import type { Value } from '../../../model/value.ts';
import type { Faults } from '../faults.ts';

/** Less than 0 where the first value comes before the second, 0 where they are equal. Neither is null. */
export type Order = (a: Value, b: Value) => number;

/** The order of a type's values: numbers by size, false before true, strings by code point (semantics §1). */
export function orderOf(type: Type, faults: Faults): Order {
  if (type === 'STRING') return faults.has('strings-by-utf16-order') ? bySize : byCodePoint;
  return decimalOf(type) === null ? bySize : byDecimal;
}

/** NaN comes after every other number. */
const bySize: Order = (a, b) => {
  if (a! < b!) return -1;
  if (a! > b!) return 1;
  return a === b ? 0 : Number(Number.isNaN(a)) - Number(Number.isNaN(b));
};

const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

const byCodePoint: Order = (first, second) => {
  const a = first as string;
  const b = second as string;
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const unitA = a.charCodeAt(index);
    const unitB = b.charCodeAt(index);
    if (unitA === unitB) continue;
    // A surrogate stands for a code point beyond all that take one unit.
    return isSurrogate(unitA) === isSurrogate(unitB) ? unitA - unitB : isSurrogate(unitA) ? 1 : -1;
  }
  return a.length - b.length;
};

function isSurrogate(unit: number): boolean {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE;
}

/** Of one scale, so that the digits compare as whole numbers. */
const byDecimal: Order = (a, b) => {
  const difference = digitsOf(a as string) - digitsOf(b as string);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

function digitsOf(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}
