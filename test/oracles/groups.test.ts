import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Groups } from '../../oracles/groups.ts';
import type { Row, Value } from '../../src/model/value.ts';

/** The group of each of these values, alone in its row. */
function groupsOf(...values: readonly Value[]): readonly number[] {
  const groups = new Groups([0]);
  return values.map((value) => groups.of([value]));
}

describe('groups of equal values', () => {
  test('are numbered in the order of their first rows, whose key they show', () => {
    const groups = new Groups([2, 0]);
    const rows: Row[] = [
      ['x', 1, 7],
      ['y', 2, 7],
      ['x', 3, 7],
      ['y', 4, 8],
    ];
    expect(rows.map((row) => groups.of(row))).toEqual([0, 1, 0, 2]);
    expect(groups.firstRows).toEqual([rows[0], rows[1], rows[3]]);
  });

  test('are one where there is no key', () => {
    const groups = new Groups([]);
    expect([groups.find([], []), groups.of([1]), groups.of([null]), groups.find([2], [])]).toEqual([
      undefined,
      0,
      0,
      0,
    ]);
  });

  test('take −0 and 0 as one, all NaN as one, all nulls as one', () => {
    expect(groupsOf(0, -0, Number.NaN, -Number.NaN, null, null)).toEqual([0, 0, 1, 1, 2, 2]);
    expect(groupsOf(-0, 0)).toEqual([0, 0]);
  });

  test('tell values apart that look alike', () => {
    const values = [0, null, '', '0', false, true, 1, '1', Number.NaN, 'null', 0.5, 1.5, -0.5, -1];
    expect(groupsOf(...values)).toEqual([...values.keys()]);
  });

  test('tell neighbours beyond 2^53 apart, and equal bigints are one', () => {
    const beyond = [2 ** 53 - 1, 2n ** 53n, 2n ** 53n + 1n, 2n ** 53n + 2n, -(2n ** 63n), 2n ** 63n - 1n];
    expect(groupsOf(...beyond, ...beyond)).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5]);
    const doubles = [2 ** 53, 2 ** 53 + 2, 1e300, Infinity, -Infinity];
    expect(groupsOf(...doubles, ...doubles)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  });

  test('do not mix up the columns of a key', () => {
    const groups = new Groups([0, 1]);
    const rows: Row[] = [
      [1, 2],
      [2, 1],
      ['a', 'b'],
      ['b', 'a'],
      ['ab', ''],
      ['', 'ab'],
      [null, 0],
      [0, null],
    ];
    expect(rows.map((row) => groups.of(row))).toEqual([...rows.keys()]);
    expect(rows.map((row) => groups.of(row))).toEqual([...rows.keys()]);
  });
});

describe('a row of another relation', () => {
  test('finds the group of its key in its own columns', () => {
    const groups = new Groups([0, 1]);
    groups.of(['a', 1]);
    groups.of(['a', 2]);
    expect(groups.find([0, 2, 'a'], [2, 1])).toBe(1);
  });

  test('finds none for a key that is not there, and makes none', () => {
    const groups = new Groups([0]);
    groups.of([1]);
    expect([2, '1', null, 1n, Number.NaN].map((value) => groups.find([value], [0]))).toEqual(
      Array(5).fill(undefined),
    );
    expect(groups.of([null])).toBe(1);
  });
});

describe('many groups', () => {
  // Stretches of numbers, multiples of powers of two and of the hash's own size: keys that meet in a table.
  test.each([
    ['in a row', 1],
    ['2^16 apart', 2 ** 16],
    ['2^32 apart, alike in their low half', 2 ** 32],
    ['a negative step apart', -(2 ** 20)],
  ])('are kept apart as the table grows: %s', (_, step) => {
    const groups = new Groups([0, 1]);
    const rows = Array.from({ length: 20_000 }, (_, index): Row => [index * step, `k${index % 3}`]);
    expect(rows.every((row, index) => groups.of(row) === index)).toBe(true);
    expect(rows.every((row, index) => groups.of([...row]) === index)).toBe(true);
    expect(rows.every((row, index) => groups.find([row[1]!, row[0]!], [1, 0]) === index)).toBe(true);
    expect(groups.find([20_000 * step, 'k0'], [0, 1])).toBeUndefined();
  });
});

test('two rows are of one group exactly when their values are the same, as keys of a map are', () => {
  const value = fc.constantFrom<Value>(
    0,
    -0,
    1,
    0.5,
    -1,
    2 ** 40,
    2n ** 53n,
    NaN,
    null,
    '',
    '1',
    true,
    false,
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(value, value), { maxLength: 60 }), (rows) => {
      const groups = new Groups([0, 1]);
      const numbers = rows.map((row) => groups.of(row));
      const first = rows.map((row) =>
        rows.findIndex((other) => isSame(row[0], other[0]) && isSame(row[1], other[1])),
      );
      const order = first.filter((place, index) => place === index);
      expect(numbers).toEqual(first.map((place) => order.indexOf(place)));
    }),
  );
});

/** Equal, or both NaN. */
function isSame(a: Value, b: Value): boolean {
  return a === b || (Number.isNaN(a) && Number.isNaN(b));
}
