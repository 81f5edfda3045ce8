import { z } from 'zod';

/**
 * The type of a column or an expression (semantics §1).
 *
 * `DECIMAL(p,s)` has `p` digits in all, `s` of them after the point; `TIMESTAMP(3)` is a point of time in
 * milliseconds since the epoch.
 */
export type Type =
  | 'BOOLEAN'
  | 'INT'
  | 'BIGINT'
  | 'DOUBLE'
  | 'STRING'
  | 'TIMESTAMP(3)'
  | `DECIMAL(${number},${number})`;

const DECIMAL = /^DECIMAL\(([1-9]\d?),(\d\d?)\)$/;

/** Precision and scale of a decimal type, or null for any other type. */
export function decimalOf(type: Type): { readonly precision: number; readonly scale: number } | null {
  if (!type.startsWith('DECIMAL')) return null;
  const match = DECIMAL.exec(type);
  return match === null ? null : { precision: Number(match[1]), scale: Number(match[2]) };
}

/** True for the types whose values are whole numbers with exact arithmetic. */
export function isInteger(type: Type): boolean {
  return type === 'INT' || type === 'BIGINT';
}

function isType(text: string): text is Type {
  if (['BOOLEAN', 'INT', 'BIGINT', 'DOUBLE', 'STRING', 'TIMESTAMP(3)'].includes(text)) return true;
  const decimal = decimalOf(text as Type);
  return decimal !== null && decimal.precision <= 38 && decimal.scale <= decimal.precision;
}

/** JSON form: the type as it is written, `"BIGINT"` or `"DECIMAL(10,2)"`. */
export const typeSchema = z.custom<Type>((value) => typeof value === 'string' && isType(value), {
  error:
    'expected a type: BOOLEAN, INT, BIGINT, DOUBLE, STRING, TIMESTAMP(3) or DECIMAL(p,s) with s <= p <= 38',
});
