import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rowFromJson, rowToJson } from '../../src/model/row-json.ts';
import type { Column } from '../../src/model/schema.ts';
import { typeSchema } from '../../src/model/type.ts';
import { bigintValue } from '../../src/model/value.ts';

const columns: readonly Column[] = [
  { name: 'b', type: 'BOOLEAN', nullable: true },
  { name: 'i', type: 'INT', nullable: true },
  { name: 'l', type: 'BIGINT', nullable: true },
  { name: 'd', type: 'DOUBLE', nullable: true },
  { name: 's', type: 'STRING', nullable: true },
  { name: 't', type: 'TIMESTAMP(3)', nullable: false },
  { name: 'n', type: 'DECIMAL(6,2)', nullable: true },
];

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null });
const rows = fc.tuple(
  nullable(fc.boolean()),
  nullable(fc.integer()),
  nullable(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(bigintValue)),
  nullable(fc.double()),
  nullable(fc.string({ unit: 'binary' })),
  fc.maxSafeInteger(),
  nullable(
    fc
      .integer({ min: -999_999, max: 999_999 })
      .map((cents) => (cents / 100).toFixed(2).replace('-0.00', '0.00')),
  ),
);

describe('a row as JSON', () => {
  test('comes back as it was, for every type', () => {
    fc.assert(
      fc.property(rows, (row) => {
        expect(rowFromJson(columns, rowToJson(columns, row))).toEqual(row);
      }),
    );
  });

  test('keeps digits that a double would round', () => {
    const one: Column[] = [{ name: 'l', type: 'BIGINT', nullable: false }];
    for (const digits of ['9007199254740992', '9007199254740993', '-9223372036854775808']) {
      expect(rowToJson(one, rowFromJson(one, `{"l":${digits}}`))).toBe(`{"l":${digits}}`);
    }
  });

  const valid = '{"b":true,"i":1,"l":2,"d":3.5,"s":"x","t":4,"n":"1.50"}';
  test.each([
    ['i', valid.replace('"i":1', '"i":2147483648'), 'expected a INT'],
    ['i', valid.replace('"i":1', '"i":1.5'), 'expected a INT'],
    ['l', valid.replace('"l":2', '"l":9223372036854775808'), 'expected a BIGINT'],
    ['l', valid.replace('"l":2', '"l":"2"'), 'expected a BIGINT'],
    ['d', valid.replace('3.5', '"much"'), 'expected a DOUBLE'],
    ['s', valid.replace('"x"', '"\\ud83d"'), 'expected a STRING'],
    ['t', valid.replace('"t":4', '"t":null'), 'null in a column that is not nullable'],
    ['n', valid.replace('1.50', '1.505'), 'expected a DECIMAL(6,2)'],
    ['n', valid.replace('1.50', '12345.00'), 'expected a DECIMAL(6,2)'],
    ['n', valid.replace(',"n":"1.50"', ''), 'missing'],
    ['z', valid.replace('{', '{"z":1,'), 'not a column'],
  ])('is refused at field %s: %s', (field, json, problem) => {
    expect(() => rowFromJson(columns, json)).toThrow(`field ${field}: ${problem}`);
  });

  test('an error holds no value', () => {
    expect(() => rowFromJson(columns, valid.replace('"t":4', '"t":"secret"'))).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('secret') }),
    );
    expect(() => rowFromJson(columns, '{"b":secret}')).toThrow('not a JSON value');
  });
});

test.each(['DECIMAL(39,0)', 'DECIMAL(4,5)', 'VARCHAR', 'TIMESTAMP(6)', 'int'])('%s is no type', (type) => {
  expect(typeSchema.safeParse(type).success).toBe(false);
});
