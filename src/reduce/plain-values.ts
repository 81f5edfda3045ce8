import type { Literal } from '../model/expression.ts';
import type { Type } from '../model/type.ts';
import type { Value } from '../model/value.ts';

/** From here on a number is there for its size. */
export const GREAT = 2 ** 31;

/** The least whole number that a double does not hold. */
export const BEYOND_DOUBLE = 2n ** 53n + 1n;

const E_ACUTE = '\u00e9';

/**
 * Values by type, the plainest first. Behind the everyday ones stand those that show what types get wrong: signs, the
 * ends of 32 bits and of what a double holds, letters of more than one byte or unit, composed and not.
 */
const plainest: Readonly<Partial<Record<Type, readonly Value[]>>> = {
  BOOLEAN: [true, false],
  INT: [0, 1, -1, 2, -2, 3, -3],
  BIGINT: [
    ...[0, 1, -1, 2, -2, 3, -3],
    ...[GREAT, 2 * GREAT, BEYOND_DOUBLE, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n)],
  ],
  DOUBLE: [0, 1, -1, 0.5, 2],
  STRING: [
    ...['a', 'b', '', 'A', 'aa', 'ab', 'ba', 'aaa', '"'],
    ...[E_ACUTE, '\u00c9', 'e\u0301', '\ue010', '🚀', `${E_ACUTE}a`, '🚀a'],
  ],
};

/** A value as a literal; undefined where there is none for it, as for what is no finite number. */
export function literalOf(type: Type, value: Value): Literal | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  return { lit: typeof value === 'bigint' ? String(value) : value, type };
}

/** How many values are tried in place of NULL, which is rarely there for nothing. */
const FOR_NULL = 2;

/** The plainest value of a type. */
export function plainestOf(type: Type): Value | undefined {
  return plainest[type]?.[0];
}

/** Values that are plainer than another one, the plainest first, none of them longer or farther from zero. */
export function plainerThan(type: Type, value: Value): readonly Value[] {
  const values = plainest[type] ?? [];
  if (value === null) return values.slice(0, FOR_NULL);
  const place = values.indexOf(value);
  const before = place < 0 ? values : values.slice(0, place);
  return before.filter((plainer) => isWithin(plainer, value));
}

function isWithin(plainer: Value, value: Value): boolean {
  if (typeof value === 'string') {
    const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);
    const length = (text: string) => [...text].length;
    return (
      length(plainer as string) <= Math.max(1, length(value)) &&
      (!isAscii(value) || isAscii(plainer as string))
    );
  }
  if (typeof value === 'boolean') return true;
  const magnitude = (number: Value) => Math.abs(Number(number));
  return magnitude(value) >= GREAT || magnitude(plainer) <= magnitude(value);
}

/** The n-th of values that are all different and in their order; undefined where a type has none. */
export function numbered(type: Type, n: number): Value | undefined {
  switch (type) {
    case 'INT':
    case 'BIGINT':
    case 'DOUBLE':
      return n;
    case 'STRING':
      return n < 25 ? String.fromCharCode(97 + n) : `z${String(n).padStart(6, '0')}`;
    default:
      return undefined;
  }
}
