import { isSafeNumber, LosslessNumber, parse as parseLossless } from 'lossless-json';
import { InputError } from './errors.ts';
import type { Column } from './schema.ts';
import { decimalOf, type Type } from './type.ts';
import { BIGINT_MAX, BIGINT_MIN, bigintValue, INT_MAX, INT_MIN, type Row, type Value } from './value.ts';

/**
 * One row as a JSON object, its fields in schema order (semantics §1): BIGINT as exact digits, TIMESTAMP(3) as
 * epoch milliseconds, DECIMAL as text. A DOUBLE that JSON has no number for is the string `"NaN"`,
 * `"Infinity"` or `"-Infinity"`.
 */
export function rowToJson(columns: readonly Column[], row: Row): string {
  let heads = headsOf.get(columns);
  if (heads === undefined) {
    heads = columns.map(({ name }, index) => `${index === 0 ? '{' : ','}"${name}":`);
    headsOf.set(columns, heads);
  }
  let json = '';
  for (let index = 0; index < heads.length; index++) json += heads[index]! + valueToJson(row[index] as Value);
  return `${json}}`;
}

/** What stands before each value, made once for each schema. */
const headsOf = new WeakMap<readonly Column[], readonly string[]>();

function valueToJson(value: Value): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      if (Number.isFinite(value)) return Object.is(value, -0) ? '-0.0' : String(value);
      return `"${value}"`;
    default:
      return String(value);
  }
}

/**
 * Reads one row from JSON text.
 *
 * @throws InputError naming the field that is missing, unknown, or not of its column's type. The message never
 * holds a value.
 */
export function rowFromJson(columns: readonly Column[], text: string): Row {
  return rowFromObject(columns, parseExactJson(text));
}

/** JSON text with every number that is not a safe integer or an exact double kept as its digits. */
export function parseExactJson(text: string): unknown {
  let fast: unknown;
  try {
    fast = JSON.parse(text);
  } catch {
    throw new InputError('not a JSON value');
  }
  // Only a number too great to be a safe integer can have lost digits that matter to a BIGINT.
  return holdsUnsafeInteger(fast) ? parseLossless(text, null, { parseNumber: exactNumber }) : fast;
}

function exactNumber(digits: string): unknown {
  const number = Number(digits);
  const exact = isSafeNumber(digits) && (Number.isSafeInteger(number) || !Number.isInteger(number));
  return exact ? number : new LosslessNumber(digits);
}

function holdsUnsafeInteger(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return false;
  for (const inner of Object.values(value)) if (holdsUnsafeInteger(inner)) return true;
  return false;
}

/** A row from a parsed object, see {@link rowFromJson}. */
export function rowFromObject(columns: readonly Column[], object: unknown): Row {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw new InputError('a row must be a JSON object');
  }
  const fields = object as Record<string, unknown>;
  const row: Value[] = new Array(columns.length);
  for (let index = 0; index < columns.length; index++) {
    const column = columns[index]!;
    const field = fields[column.name];
    if (field === undefined) throw new InputError('missing', { field: column.name });
    row[index] = valueFromJson(column, field);
  }
  if (Object.keys(fields).length !== columns.length) {
    const known = new Set(columns.map((column) => column.name));
    throw new InputError('not a column of this stream', {
      field: Object.keys(fields).find((name) => !known.has(name)),
    });
  }
  return row;
}

function valueFromJson(column: Column, field: unknown): Value {
  if (field === null) {
    if (!column.nullable)
      throw new InputError('null in a column that is not nullable', { field: column.name });
    return null;
  }
  const value = typedValue(
    column.type,
    field instanceof LosslessNumber ? field.value : field,
    field instanceof LosslessNumber,
  );
  if (value === undefined) throw new InputError(`expected a ${column.type}`, { field: column.name });
  return value;
}

const INTEGER_TEXT = /^-?(0|[1-9]\d*)$/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** The value of JSON data under a type, or undefined where it is none. `digits`: a number given as its text. */
export function typedValue(type: Type, json: unknown, digits = false): Value | undefined {
  switch (type) {
    case 'BOOLEAN':
      return typeof json === 'boolean' ? json : undefined;
    case 'INT':
      return Number.isInteger(json) && (json as number) >= INT_MIN && (json as number) <= INT_MAX
        ? (json as number) + 0
        : undefined;
    case 'BIGINT':
      if (Number.isSafeInteger(json)) return (json as number) + 0;
      return digits ? bigintFromText(json as string) : undefined;
    case 'TIMESTAMP(3)':
      return Number.isSafeInteger(json) ? (json as number) + 0 : undefined;
    case 'DOUBLE':
      if (typeof json === 'number') return json;
      if (digits) return Number(json);
      return json === 'NaN' || json === 'Infinity' || json === '-Infinity' ? Number(json) : undefined;
    case 'STRING':
      return typeof json === 'string' && !digits && !LONE_SURROGATE.test(json) ? json : undefined;
    default:
      return typeof json === 'string' && !digits ? decimalFromText(type, json) : undefined;
  }
}

/** A BIGINT from its digits, or undefined when they are none or out of range. */
export function bigintFromText(text: string): number | bigint | undefined {
  if (!INTEGER_TEXT.test(text)) return undefined;
  const exact = BigInt(text);
  return exact >= BIGINT_MIN && exact <= BIGINT_MAX ? bigintValue(exact) : undefined;
}

/** The one representation of a DECIMAL from digits with a point, or undefined when it does not fit its type. */
export function decimalFromText(type: Type, text: string): string | undefined {
  const size = decimalOf(type);
  const match = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text);
  if (size === null || match === null) return undefined;
  const fraction = match[3] ?? '';
  if (/[^0]/.test(fraction.slice(size.scale))) return undefined;
  const whole = match[2]!.replace(/^0+(?=\d)/, '');
  if (whole !== '0' && whole.length > size.precision - size.scale) return undefined;
  const digits =
    size.scale === 0 ? whole : `${whole}.${fraction.slice(0, size.scale).padEnd(size.scale, '0')}`;
  return match[1] === '-' && /[1-9]/.test(digits) ? `-${digits}` : digits;
}
