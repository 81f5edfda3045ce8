import { describe, expect, it } from 'vitest';
import { bigint, call, double, from, type Operand, sum, text } from '../../../src/model/build.ts';
import type { Literal } from '../../../src/model/expression.ts';
import { BIGINT_MAX, BIGINT_MIN, type Value } from '../../../src/model/value.ts';
import { answer, click, input, outcomeOf } from './support.ts';

const yes: Literal = { lit: true, type: 'BOOLEAN' };
const no: Literal = { lit: false, type: 'BOOLEAN' };
const unknown: Literal = { lit: null, type: 'BOOLEAN' };
const nothing: Literal = { lit: null, type: 'BIGINT' };
const int = (lit: number): Literal => ({ lit, type: 'INT' });
const at = (lit: number): Literal => ({ lit, type: 'TIMESTAMP(3)' });
const decimal = (lit: string): Literal => ({ lit, type: 'DECIMAL(6,2)' });

const once = input(0, click('a', 1));

/** What each expression is worth (§1, §3), by its text in the list of tests. */
const cases: readonly (readonly [expression: Exclude<Operand, string>, value: Value])[] = [
  [call('add', bigint(2 ** 53 - 1), bigint(1)), 2n ** 53n],
  [call('subtract', bigint(2n ** 53n), bigint(1)), 2 ** 53 - 1],
  [call('multiply', bigint(3_037_000_500), bigint(3_037_000_499)), 9_223_372_033_963_249_500n],
  [call('multiply', bigint(0), bigint(-5)), 0],
  [call('divide', bigint(-7), bigint(2)), -3],
  [call('divide', bigint(7), bigint(-2)), -3],
  [call('divide', bigint(2 ** 53 - 1), bigint(2)), 2 ** 52 - 1],
  [call('divide', bigint(BIGINT_MAX), bigint(2)), 4_611_686_018_427_387_903n],
  [call('modulo', bigint(-7), bigint(2)), -1],
  [call('modulo', bigint(7), bigint(-2)), 1],
  [call('modulo', bigint(-4), bigint(2)), 0],
  [call('modulo', bigint(BIGINT_MIN), bigint(-1)), 0],
  [call('divide', int(-7), int(2)), -3],
  [call('add', nothing, bigint(1)), null],
  [call('divide', double(1), double(0)), Number.POSITIVE_INFINITY],
  [call('multiply', double(0.1), double(3)), 0.30000000000000004],
  [call('and', unknown, no), false],
  [call('and', yes, unknown), null],
  [call('or', unknown, yes), true],
  [call('or', no, unknown, no), null],
  [call('not', unknown), null],
  [call('not', no), true],
  [call('is_null', unknown), true],
  [call('eq', nothing, nothing), null],
  [call('lt', text('\ue010'), text('🚀')), true],
  [call('lt', text('a'), text('aa')), true],
  [call('ge', text('b'), text('aa')), true],
  [call('lt', decimal('-10.00'), decimal('9.00')), true],
  [call('gt', decimal('10.00'), decimal('9.00')), true],
  [call('lt', bigint(2n ** 53n), bigint(2 ** 53 - 1)), false],
  [call('case', unknown, text('x'), yes, text('y'), text('z')), 'y'],
  [call('case', unknown, text('x'), no, text('y'), text('z')), 'z'],
  [call('case', yes, bigint(1), call('divide', bigint(1), bigint(0))), 1],
  [call('coalesce', nothing, bigint(3), bigint(4)), 3],
  [call('to_double', bigint(2n ** 53n + 1n)), 2 ** 53],
  [call('to_string', bigint(2n ** 53n + 1n)), '9007199254740993'],
  [call('to_bigint', at(-5)), -5],
  [call('hour', at(-1)), 23],
  [call('hour', at(-3_600_001)), 22],
  [call('hour', at(90_000_000)), 1],
  [call('lower', text('ÀB')), 'àb'],
  [call('upper', text('aßz')), 'AßZ'],
  [call('lower', text('İ')), 'İ'],
  [call('char_length', text('🚀e\u0301')), 3],
  [call('position', text('r'), text('Zoë-r')), 5],
  [call('position', text('r'), text('🚀r')), 2],
  [call('position', text(''), text('a')), 1],
  [call('position', text('x'), text('a')), 0],
  [call('replace', text('aXaX$'), text('X'), text('$&')), 'a$&a$&$'],
  [call('replace', text('aa'), text(''), text('b')), 'aa'],
  [call('concat', text('a'), text('🚀')), 'a🚀'],
  [call('split_index', text('a//b'), text('/'), bigint(1)), ''],
  [call('split_index', text('a//b'), text('/'), bigint(2)), 'b'],
  [call('split_index', text('a//b'), text('/'), bigint(3)), null],
  [call('split_index', text('a//b'), text('/'), bigint(-1)), null],
  [call('split_index', text('ab'), text(''), bigint(0)), 'ab'],
  [call('split_index', text('ab'), text(''), bigint(1)), null],
];

describe('an expression', () => {
  it.each(cases.map(([expression, value]) => ({ expression, value })))(
    '$expression is $value',
    async ({ expression, value }) => {
      expect(await answer(from('click').project({ x: expression }), once)).toEqual([[value]]);
    },
  );

  it.each([
    ['division-by-zero', call('divide', bigint(1), bigint(0))],
    ['division-by-zero', call('modulo', int(1), int(0))],
    ['integer-overflow', call('add', bigint(BIGINT_MAX), bigint(1))],
    ['integer-overflow', call('divide', bigint(BIGINT_MIN), bigint(-1))],
    ['integer-overflow', call('multiply', int(65_536), int(32_768))],
  ])('fails the run with %s', async (code, expression) => {
    const outcome = await outcomeOf(from('click').project({ x: expression }), once);
    expect(outcome).toMatchObject({ kind: 'failed', step: 'run', code });
  });

  it('a sum beyond BIGINT fails the run', async () => {
    const plan = from('click').aggregate([], { total: sum('v') });
    const outcome = await outcomeOf(plan, input(0, click('a', 1, BIGINT_MAX), click('a', 2, 1)));
    expect(outcome).toMatchObject({ kind: 'failed', step: 'run', code: 'sum-overflow' });
  });

  it('a filter passes what is true, neither false nor NULL', async () => {
    const plan = from('click')
      .filter(call('gt', 'v', bigint(1)))
      .select('v');
    expect(await answer(plan, input(0, click('a', 1, 2), click('a', 2, 1), click('a', 3)))).toEqual([[2]]);
  });
});
