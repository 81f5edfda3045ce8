import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { Layout } from '../../src/judge/canonical-row.ts';
import { RowLineDecoder } from '../../src/judge/decode/row-line.ts';
import type { Type } from '../../src/model/type.ts';
import { columnsOf } from './rows.ts';

type Decoded = { row: readonly unknown[] } | { problem: string; byte: number; column: string | undefined };

/** Decodes one line whose columns `a`, `b`, … are of these types. */
function decode(line: string | Uint8Array, ...types: readonly Type[]): Decoded {
  const layout = new Layout(columnsOf(...types), ['a'], []);
  const decoder = new RowLineDecoder(layout);
  const bytes = typeof line === 'string' ? Buffer.from(line) : line;
  // What lies around the line must not be read.
  const surrounded = Buffer.concat([Buffer.from('99"'), bytes, Buffer.from('0"}]9')]);
  const meaning = decoder.decode(surrounded, 3, 3 + bytes.length);
  if (meaning === 'insert') return { row: layout.row(decoder.row.words, 0) };
  const { byte, problem, column } = decoder.fault();
  return { byte, problem, column };
}

const value = (type: Type, json: string) => decode(`{"a":${json}}`, type);

describe('values', () => {
  it.each<[Type, string, unknown]>([
    ['BIGINT', '0', 0],
    ['BIGINT', '-0', 0],
    ['BIGINT', '-1', -1],
    ['BIGINT', '999999999', 999999999],
    ['BIGINT', '1234567890', 1234567890],
    ['BIGINT', '123456789012345', 123456789012345],
    ['BIGINT', '-123456789012345', -123456789012345],
    ['BIGINT', '1234567890123456', 1234567890123456],
    ['BIGINT', '9007199254740991', Number.MAX_SAFE_INTEGER],
    ['BIGINT', '9007199254740992', 9007199254740992n],
    ['BIGINT', '9007199254740993', 9007199254740993n],
    ['BIGINT', '-9007199254740992', -9007199254740992n],
    ['BIGINT', '-4294967296000000000', -4294967296000000000n],
    ['BIGINT', '9223372036854775807', 2n ** 63n - 1n],
    ['BIGINT', '-9223372036854775808', -(2n ** 63n)],
    ['INT', '2147483647', 2147483647],
    ['INT', '-2147483648', -2147483648],
    ['TIMESTAMP(3)', '-62135596800000', -62135596800000],
    ['BOOLEAN', 'true', true],
    ['BOOLEAN', 'false', false],
    ['DOUBLE', '3', 3],
    ['DOUBLE', '3.0', 3],
    ['DOUBLE', '3e0', 3],
    ['DOUBLE', '30E-1', 3],
    ['DOUBLE', '-0', -0],
    ['DOUBLE', '-0.0', -0],
    ['DOUBLE', '0.1', 0.1],
    ['DOUBLE', '0.30000000000000004', 0.30000000000000004],
    ['DOUBLE', '1e23', 1e23],
    ['DOUBLE', '5e-324', 5e-324],
    ['DOUBLE', '2.2250738585072011e-308', Number('2.2250738585072011e-308')],
    ['DOUBLE', '1.7976931348623157e308', Number.MAX_VALUE],
    ['DOUBLE', '9007199254740993', 9007199254740992],
    ['DOUBLE', '0.000000000000000000000000000000000000001', 1e-39],
    ['DOUBLE', '"NaN"', Number.NaN],
    ['DOUBLE', '"Infinity"', Number.POSITIVE_INFINITY],
    ['DOUBLE', '"-Infinity"', Number.NEGATIVE_INFINITY],
    ['DECIMAL(10,2)', '"12.5"', '12.50'],
    ['DECIMAL(10,2)', '12.5', '12.50'],
    ['DECIMAL(10,2)', '"0012.500"', '12.50'],
    ['DECIMAL(10,2)', '1.25e1', '12.50'],
    ['DECIMAL(10,2)', '"1E+1"', '10.00'],
    ['DECIMAL(10,2)', '"-0.00"', '0.00'],
    ['DECIMAL(10,2)', '"-.5"', undefined],
    ['DECIMAL(10,2)', '-0.05', '-0.05'],
    ['DECIMAL(10,2)', '"99999999.99"', '99999999.99'],
    ['DECIMAL(2,2)', '0.25', '0.25'],
    ['DECIMAL(38,0)', '99999999999999999999999999999999999999', '99999999999999999999999999999999999999'],
    ['STRING', '""', ''],
    ['STRING', '"\\u00e9"', 'é'],
    ['STRING', '"é"', 'é'],
    ['STRING', '"\\ud83c\\udf0a"', '\u{1f30a}'],
    ['STRING', '"\u{1f30a}"', '\u{1f30a}'],
    ['STRING', '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000"', '"\\/\b\f\n\r\t\0'],
    ['STRING', '"\\u0800\\uFFFF"', '\u0800\uffff'],
    ['STRING', '"\ufeff"', '\ufeff'],
    ['STRING', 'null', null],
    ['BIGINT', 'null', null],
  ])('%s %s', (type, json, expected) => {
    if (expected === undefined) expect(value(type, json)).toHaveProperty('problem');
    else expect(value(type, json)).toStrictEqual({ row: [expected] });
  });

  it.each<[Type, string, string]>([
    ['BIGINT', '3.0', 'not a whole number'],
    ['BIGINT', '3e0', 'not a whole number'],
    ['BIGINT', '12345678901234567.0', 'not a whole number'],
    ['BIGINT', '"3"', 'not a whole number'],
    ['BIGINT', '+3', 'not a whole number'],
    ['BIGINT', '-', 'not a whole number'],
    ['BIGINT', '03', 'leading zero'],
    ['BIGINT', 'true', 'not a whole number'],
    ['BIGINT', '9223372036854775808', 'beyond 64 bits'],
    ['BIGINT', '-9223372036854775809', 'beyond 64 bits'],
    ['BIGINT', '18446744073709551617', 'beyond 64 bits'],
    ['BIGINT', '100000000000000000000000', 'beyond 64 bits'],
    ['INT', '2147483648', 'beyond 32 bits'],
    ['INT', '-2147483649', 'beyond 32 bits'],
    ['INT', '4294967296', 'beyond 32 bits'],
    ['TIMESTAMP(3)', '9007199254740992', 'beyond the range of a timestamp'],
    ['TIMESTAMP(3)', '"2020-01-01 00:00:00"', 'not a whole number'],
    ['BOOLEAN', '1', 'not a boolean'],
    ['BOOLEAN', 'tru', 'not a boolean'],
    ['BOOLEAN', '"true"', 'not a boolean'],
    ['DOUBLE', 'NaN', 'not a number'],
    ['DOUBLE', '"nan"', 'not a number'],
    ['DOUBLE', '"3"', 'not a number'],
    ['DOUBLE', '.5', 'not a number'],
    ['DOUBLE', '5.', 'not a number'],
    ['DOUBLE', '5e', 'not a number'],
    ['DOUBLE', '00.5', 'leading zero'],
    ['DOUBLE', '0x10', 'no "," or "}" after the value'],
    ['DECIMAL(10,2)', '"12.345"', 'not a decimal of this precision and scale'],
    ['DECIMAL(10,2)', '100000000', 'not a decimal of this precision and scale'],
    ['DECIMAL(10,2)', '"1e9999999"', 'not a decimal of this precision and scale'],
    ['DECIMAL(10,2)', '""', 'not a decimal of this precision and scale'],
    ['DECIMAL(10,2)', '"-"', 'not a decimal of this precision and scale'],
    ['DECIMAL(10,2)', '"1.2.3"', 'not a decimal of this precision and scale'],
    ['DECIMAL(10,2)', '"NaN"', 'not a decimal of this precision and scale'],
    ['DECIMAL(10,2)', '01', 'leading zero'],
    ['STRING', '3', 'not a string'],
    ['STRING', "'x'", 'not a string'],
    ['STRING', '"\\ud83c"', 'lone surrogate'],
    ['STRING', '"\\udf0a"', 'lone surrogate'],
    ['STRING', '"\\ud83c\\ud83c"', 'lone surrogate'],
    ['STRING', '"\\ud83cx"', 'lone surrogate'],
    ['STRING', '"\\x41"', 'unknown escape'],
    ['STRING', '"\\u00g0"', 'unknown escape'],
    ['STRING', '"\t"', 'control character in a string'],
    ['STRING', 'nul', 'not a value'],
    ['STRING', '{}', 'not a string'],
    ['STRING', '[]', 'not a string'],
  ])('%s %s is corrupt', (type, json, problem) => {
    expect(value(type, json)).toMatchObject({ problem, column: 'a' });
  });

  it('tells strings apart by their bytes only', () => {
    // NFC and NFD of é are different strings.
    expect(value('STRING', '"e\u0301"')).toStrictEqual({ row: ['e\u0301'] });
  });
});

describe('UTF-8', () => {
  it.each<[string, readonly number[]]>([
    ['a lone continuation byte', [0x80]],
    ['an overlong slash of two bytes', [0xc0, 0xaf]],
    ['an overlong form of two bytes', [0xc1, 0xbf]],
    ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf]],
    ['an overlong form of four bytes', [0xf0, 0x8f, 0xbf, 0xbf]],
    ['an encoded high surrogate', [0xed, 0xa0, 0x80]],
    ['an encoded low surrogate', [0xed, 0xbf, 0xbf]],
    ['a pair of encoded surrogates', [0xed, 0xa0, 0xbc, 0xed, 0xbc, 0x8a]],
    ['a point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
    ['a byte that never occurs', [0xff]],
    ['a sequence cut short', [0xe2, 0x82]],
    ['a sequence cut short by the line’s end', [0xf0, 0x9f]],
  ])('refuses %s', (name, sequence) => {
    const tail = name.endsWith('end') ? [] : [...Buffer.from('"}')];
    expect(decode(Uint8Array.from([...Buffer.from('{"a":"x'), ...sequence, ...tail]), 'STRING')).toEqual({
      byte: 7,
      problem: 'invalid UTF-8',
      column: 'a',
    });
  });

  it('refuses it in a field name and outside of strings', () => {
    const bytes = (text: string) => Buffer.from(text, 'latin1');
    expect(decode(bytes('{"\xff":1}'), 'BIGINT')).toMatchObject({ problem: 'invalid UTF-8' });
    expect(decode(bytes('{"a":1}\xff'), 'BIGINT')).toMatchObject({ problem: 'text after the object' });
    expect(decode(bytes('\xef\xbb\xbf{"a":1}'), 'BIGINT')).toMatchObject({
      problem: 'not an object',
      byte: 0,
    });
  });

  it.each([0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff])(
    'reads U+%i',
    (point) => {
      const text = String.fromCodePoint(point);
      expect(decode(`{"a":"${text}"}`, 'STRING')).toStrictEqual({ row: [text] });
    },
  );
});

describe('objects', () => {
  it.each([
    '{"a":1,"b":"x"}',
    '{"b":"x","a":1}',
    ' { "a" : 1 , "b" : "x" } ',
    '\t{\r"a":\t1,"b"\r:"x"}\r',
    '{"\\u0061":1,"b":"x"}',
  ])('%j', (line) => {
    expect(decode(line, 'BIGINT', 'STRING')).toStrictEqual({ row: [1, 'x'] });
  });

  it.each<[string, string, number, string | undefined]>([
    ['', 'ends early', 0, undefined],
    ['   ', 'ends early', 3, undefined],
    ['{', 'ends early', 1, undefined],
    ['{"a":1,"b":"x"', 'ends early', 14, 'b'],
    ['{"a":1,"b":"x', 'ends early', 13, 'b'],
    ['{"a":1,"b":', 'ends early', 11, 'b'],
    ['{"a":1,"b"', 'ends early', 10, 'b'],
    ['{"a":1,', 'ends early', 7, undefined],
    ['{"a":1,}', 'not a field name', 7, undefined],
    ['{"a":1 "b":"x"}', 'no "," or "}" after the value', 7, 'a'],
    ['{"a":1,"b":"x"}}', 'text after the object', 15, undefined],
    ['{"a":1,"b":"x"}{"a":1,"b":"x"}', 'text after the object', 15, undefined],
    ['{"a":1,"b":"x"},', 'text after the object', 15, undefined],
    ['{"a":1}', 'missing field', 6, 'b'],
    ['{}', 'missing field', 1, 'a'],
    ['{"a":1,"b":"x","c":2}', 'unknown field', 15, undefined],
    ['{"a":1,"A":"x"}', 'unknown field', 7, undefined],
    ['{"a":1,"a":1,"b":"x"}', 'repeated field', 11, 'a'],
    ['{"a":1,"b":"x","a":1}', 'repeated field', 19, 'a'],
    ['{"a":1,"b":"x","\\u0061":1}', 'repeated field', 24, 'a'],
    ['{a:1,"b":"x"}', 'not a field name', 1, undefined],
    ['{"a" 1,"b":"x"}', 'no ":" after the name', 5, 'a'],
    ['[1,"x"]', 'not an object', 0, undefined],
    ['null', 'not an object', 0, undefined],
    ['{"a":1,"b":"x"}//', 'text after the object', 15, undefined],
    ['{"a":1,\u00a0"b":"x"}', 'not a field name', 7, undefined],
  ])('%j is corrupt', (line, problem, byte, column) => {
    expect(decode(line, 'BIGINT', 'STRING')).toEqual({ problem, byte, column });
  });

  it('refuses every proper beginning of a row', () => {
    const line = '{"a":-12.5e1,"b":"\\ud83c\\udf0a é","c":null,"d":true}';
    const bytes = Buffer.from(line);
    const types = ['DOUBLE', 'STRING', 'BIGINT', 'BOOLEAN'] as const;
    expect(decode(bytes, ...types)).toHaveProperty('row');
    for (let end = 0; end < bytes.length; end++) {
      expect(decode(bytes.subarray(0, end), ...types)).toHaveProperty('problem');
    }
  });
});
