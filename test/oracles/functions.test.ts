import { describe, expect, test } from 'vitest';
import { compile } from '../../oracles/expression.ts';
import { OracleRefusal } from '../../oracles/refusal.ts';
import { bigint, call, double, type Operand, text } from '../../src/model/build.ts';
import type { Expression, Literal } from '../../src/model/expression.ts';
import type { Type } from '../../src/model/type.ts';
import type { Value } from '../../src/model/value.ts';

function evaluate(expression: Expression): Value {
  return compile(expression, [])([]);
}

function value(fn: string, ...args: Operand[]): Value {
  return evaluate(call(fn, ...args));
}

const missing = (type: Type): Literal => ({ lit: null, type });
const unknown = missing('BOOLEAN');
const yes: Literal = { lit: true, type: 'BOOLEAN' };
const no: Literal = { lit: false, type: 'BOOLEAN' };
const int = (lit: number): Literal => ({ lit, type: 'INT' });
const at = (lit: number): Literal => ({ lit, type: 'TIMESTAMP(3)' });

const MAX = 2n ** 63n - 1n;

describe('arithmetic (semantics §3)', () => {
  test('is exact beyond 2^53', () => {
    expect(value('add', bigint(2n ** 53n), bigint(1))).toBe(9007199254740993n);
    expect(value('subtract', bigint(9007199254740993n), bigint(2))).toBe(9007199254740991);
    expect(value('multiply', bigint(3037000499), bigint(3037000499))).toBe(9223372030926249001n);
    expect(value('divide', bigint(MAX), bigint(3))).toBe(3074457345618258602n);
    expect(value('divide', bigint(9007199254740991), bigint(2))).toBe(4503599627370495);
  });

  test('division truncates toward zero and the remainder has the sign of the dividend', () => {
    expect(value('divide', bigint(-7), bigint(2))).toBe(-3);
    expect(value('modulo', bigint(-7), bigint(2))).toBe(-1);
    expect(value('modulo', bigint(7), bigint(-2))).toBe(1);
    expect(Object.is(value('modulo', bigint(-4), bigint(2)), 0)).toBe(true);
  });

  test('is refused where engines differ: overflow, division by zero', () => {
    expect(() => value('add', bigint(MAX), bigint(1))).toThrow(OracleRefusal);
    expect(() => value('add', int(2 ** 31 - 1), int(1))).toThrow(OracleRefusal);
    expect(() => value('modulo', bigint(1), bigint(0))).toThrow(OracleRefusal);
  });

  test('of doubles is IEEE', () => {
    expect(value('multiply', double(0.1), double(3))).toBe(0.30000000000000004);
    expect(value('divide', double(1), double(0))).toBe(Infinity);
  });

  test('gives NULL for NULL', () => {
    expect(value('add', missing('BIGINT'), bigint(1))).toBeNull();
    expect(value('modulo', bigint(1), missing('BIGINT'))).toBeNull();
  });
});

describe('logic is three-valued (semantics §1)', () => {
  test.each([
    ['and', [yes, unknown], null],
    ['and', [unknown, no], false],
    ['and', [yes, yes], true],
    ['or', [unknown, yes], true],
    ['or', [no, unknown], null],
    ['or', [no, no], false],
    ['not', [unknown], null],
    ['not', [no], true],
    ['is_null', [unknown], true],
    ['is_null', [no], false],
    ['eq', [unknown, unknown], null],
    ['coalesce', [unknown, no], false],
    ['case', [unknown, yes, no], false],
    ['case', [yes, unknown, no], null],
  ] as const)('%s %j is %j', (fn, args, result) => {
    expect(value(fn, ...args)).toBe(result);
  });
});

describe('strings are sequences of code points (semantics §1)', () => {
  test('in order: U+E010 before U+1F680, though UTF-16 has it after', () => {
    expect(value('lt', text('\ue010'), text('🚀'))).toBe(true);
    expect('\ue010' < '🚀').toBe(false);
    expect(value('lt', text('🚀'), text('🚀a'))).toBe(true);
  });

  test.each([
    ['char_length', [text('a🚀é')], 3],
    ['position', [text('r'), text('Zoë🚀-r')], 6],
    ['position', [text('x'), text('abc')], 0],
    ['lower', [text('ÀB🚀Σ')], 'àb🚀σ'],
    ['upper', [text('straße')], 'STRAßE'],
    ['replace', [text('aXbXX'), text('X'), text('🚀')], 'a🚀b🚀🚀'],
    ['replace', [text('abc'), text(''), text('z')], 'abc'],
    ['concat', [text('a'), text('')], 'a'],
    ['split_index', [text('a/b//c'), text('/'), bigint(2)], ''],
    ['split_index', [text('a/b//c'), text('/'), bigint(4)], null],
    ['split_index', [text('x=1&x=2'), text('x='), bigint(1)], '1&'],
    ['split_index', [text('a/b'), text('/'), bigint(-1)], null],
  ] as const)('%s %j', (fn, args, result) => {
    expect(value(fn, ...args)).toBe(result);
  });
});

test('hours count up before the epoch as well', () => {
  expect(value('hour', at(0))).toBe(0);
  expect(value('hour', at(-1))).toBe(23);
  expect(value('hour', at(-3_600_000))).toBe(23);
  expect(value('hour', at(-3_600_001))).toBe(22);
  expect(value('hour', at(1_704_095_990_000))).toBe(7);
});

test('casts are exact, and to DOUBLE rounds to nearest', () => {
  expect(value('to_bigint', at(-5))).toBe(-5);
  expect(value('to_string', bigint(-MAX))).toBe('-9223372036854775807');
  expect(value('to_double', bigint(9007199254740993n))).toBe(9007199254740992);
});

test('to replace by a text with dollar signs puts in just that text', () => {
  expect(value('replace', text('a-b'), text('-'), text("$&$$$'"))).toBe("a$&$$$'b");
});

test('case is mapped anew for each text, though one may be asked for many times', () => {
  const texts = ['A', 'A', 'É', 'A', '', 'B'];
  expect(texts.map((each) => value('lower', text(each)))).toEqual(['a', 'a', 'é', 'a', '', 'b']);
  expect(texts.map((each) => value('upper', text(each)))).toEqual(texts);
});
