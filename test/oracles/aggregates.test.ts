import { expect, test } from 'vitest';
import { OracleRefusal } from '../../oracles/refusal.ts';
import {
  avg,
  bigint,
  call,
  count,
  countDistinct,
  double,
  from,
  max,
  min,
  sum,
  tumble,
} from '../../src/model/build.ts';
import { clicks, truthOf } from '../support/clicks.ts';

const all = { n: count(), v: count('v'), keys: countDistinct('k'), s: sum('v'), lo: min('v'), hi: max('v') };

test('aggregates skip nulls, COUNT(*) does not, and DISTINCT counts a value once', () => {
  const query = from('click').aggregate([], all);
  const rows = clicks(9, ['a', 1, 4], ['a', 2, null], [null, 3, 7], ['b', 4, 4]);
  expect(truthOf(query, rows)).toEqual([[4, 3, 2, 15, 4, 7, -Infinity]]);
});

test('a group of nulls has COUNT 0 of them and no sum, least or greatest', () => {
  const query = from('click').aggregate(['k'], all);
  expect(truthOf(query, clicks(9, ['a', 1, null]))).toEqual([['a', 1, 0, 1, null, null, null, -Infinity]]);
});

test('a global aggregate over no rows gives no row', () => {
  expect(truthOf(from('click').aggregate([], all), clicks(9))).toEqual([]);
});

test('a window whose FILTER rejects every row gives COUNT 0 and SUM NULL', () => {
  const where = call('gt', 'v', bigint(100));
  const query = from('click')
    .window(tumble(10))
    .perWindow([], { n: { ...count(), where }, s: { ...sum('v'), where } });
  expect(truthOf(query, clicks(0, ['a', 1, 4]))).toEqual([[0, 10, 0, null, 10]]);
});

test('sums are exact beyond 2^53 and refused beyond BIGINT', () => {
  const query = from('click').aggregate([], { s: sum('v') });
  expect(truthOf(query, clicks(9, ['a', 1, 2 ** 53 - 1], ['a', 2, 2]))).toEqual([
    [9007199254740993n, -Infinity],
  ]);
  expect(() => truthOf(query, clicks(9, ['a', 1, 2n ** 63n - 1n], ['a', 2, 1]))).toThrow(OracleRefusal);
});

test('an average is the quotient of exact sum and number, refused where the sum is not exact', () => {
  const query = from('click')
    .project({ v: call('to_double', 'v') })
    .aggregate([], { a: avg('v') });
  expect(truthOf(query, clicks(9, ['a', 1, 1], ['a', 2, 2], ['a', 3, 2], ['a', 4, null]))).toEqual([
    [5 / 3, -Infinity],
  ]);
  expect(() => truthOf(query, clicks(9, ['a', 1, 2 ** 53 - 1], ['a', 2, 1]))).toThrow(OracleRefusal);
});

test('least and greatest compare mixed representations of BIGINT by value', () => {
  const query = from('click').aggregate([], { lo: min('v'), hi: max('v') });
  const rows = clicks(9, ['a', 1, 2n ** 62n], ['a', 2, 5], ['a', 3, -(2n ** 63n)]);
  expect(truthOf(query, rows)).toEqual([[-(2n ** 63n), 2n ** 62n, -Infinity]]);
});

test('−0 and 0 are one group, which shows what its first row holds', () => {
  const zero = call('multiply', call('to_double', 'v'), double(0));
  const query = from('click').project({ k: 'k', zero }).aggregate(['zero', 'k'], { n: count() });
  expect(truthOf(query, clicks(9, ['a', 1, -1], ['b', 2, 1], ['a', 3, 1]))).toEqual([
    [-0, 'a', 2, -Infinity],
    [0, 'b', 1, -Infinity],
  ]);
});
