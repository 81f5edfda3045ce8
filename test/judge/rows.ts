import fc from 'fast-check';
import type { Column } from '../../src/model/schema.ts';
import { decimalOf, type Type } from '../../src/model/type.ts';
import {
  BIGINT_MAX,
  BIGINT_MIN,
  bigintValue,
  INT_MAX,
  INT_MIN,
  type Row,
  type Value,
} from '../../src/model/value.ts';

/** Columns of these types, named `a`, `b`, …, nullable. */
export function columnsOf(...types: readonly Type[]): Column[] {
  return types.map((type, index) => ({ name: String.fromCharCode(97 + index), type, nullable: true }));
}

/** A column of each type, and some twice. */
export const everyType = columnsOf(
  'BIGINT',
  'STRING',
  'DOUBLE',
  'BOOLEAN',
  'INT',
  'TIMESTAMP(3)',
  'DECIMAL(10,2)',
  'DECIMAL(38,0)',
  'STRING',
  'DOUBLE',
);

/** Values of a type, null among them. Shrinks to null, zero, the empty string. */
export function anyValue(type: Type): fc.Arbitrary<Value> {
  return fc.option(someValue(type), { freq: 6 });
}

function someValue(type: Type): fc.Arbitrary<Value> {
  switch (type) {
    case 'BOOLEAN':
      return fc.boolean();
    case 'INT':
      return fc.integer({ min: INT_MIN, max: INT_MAX });
    case 'BIGINT':
      return fc
        .oneof(
          fc.bigInt(-1000n, 1000n),
          fc.bigInt(BIGINT_MIN, BIGINT_MAX),
          fc.constantFrom(BIGINT_MIN, BIGINT_MAX),
        )
        .map(bigintValue);
    case 'DOUBLE':
      return fc.oneof(fc.double(), fc.integer(), fc.double({ min: -1000, max: 1000 }));
    case 'STRING':
      return fc.string({ unit: 'binary', maxLength: 80 });
    case 'TIMESTAMP(3)':
      return fc.oneof(fc.maxSafeInteger(), fc.integer({ min: 1_700_000_000_000, max: 1_700_000_100_000 }));
    default: {
      const { precision, scale } = decimalOf(type)!;
      const bound = 10n ** BigInt(precision) - 1n;
      return fc.bigInt(-bound, bound).map((unscaled) => decimalText(unscaled, scale));
    }
  }
}

function decimalText(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0');
  const text =
    scale === 0 ? digits : `${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
  return unscaled < 0n ? `-${text}` : text;
}

/** Rows over columns. */
export function rowOf(columns: readonly Column[]): fc.Arbitrary<Row> {
  return fc.tuple(...columns.map((column) => anyValue(column.type)));
}
