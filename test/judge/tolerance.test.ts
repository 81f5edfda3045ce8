import { test } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.ts';
import { allWithin, matchWithin, type Unmatched, within } from '../../src/judge/tolerance.ts';
import type { Row } from '../../src/model/value.ts';
import { append } from './declarations.ts';
import { columnsOf } from './rows.ts';

const R = 1e-6;

describe('within', () => {
  it.each<[number | null, number | null, boolean]>([
    [1_000_000, 1_000_001, true],
    [1_000_001, 1_000_000, true],
    [-1_000_000, -1_000_001, true],
    [1_000_000, 1_000_002, false],
    [1_000_000, 1_000_001.0000011, false],
    [1, 1.000001, true],
    [1, 1.0000011, false],
    [1e300, 1.000001e300, true],
    [1e-300, 1.000001e-300, true],
    [5e-324, 1e-323, false],
    [0, -0, true],
    [0, 1e-320, false],
    [1e-9, -1e-9, false],
    [Number.MAX_VALUE, -Number.MAX_VALUE, false],
    [Number.MAX_VALUE, Number.POSITIVE_INFINITY, false],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, true],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false],
    [Number.NaN, Number.NaN, true],
    [Number.NaN, 1, false],
    [Number.NaN, null, false],
    [Number.NaN, Number.POSITIVE_INFINITY, false],
    [null, null, true],
    [null, 0, false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(within(a, b, R)).toBe(expected);
    expect(within(b, a, R)).toBe(expected);
  });
});

/** The size of a maximum matching, by trying everything. */
function bruteForce(left: readonly Unmatched[], right: readonly Unmatched[]): number {
  const flat = (list: readonly Unmatched[]) =>
    list.flatMap(({ values, count }) => Array.from({ length: count }, () => values));
  const [a, b] = [flat(left), flat(right)];
  const best = (at: number, free: number): number => {
    if (at === a.length) return 0;
    let most = best(at + 1, free);
    for (let r = 0; r < b.length; r++) {
      if ((free & (1 << r)) === 0 || !allWithin(a[at]!, b[r]!, R)) continue;
      most = Math.max(most, 1 + best(at + 1, free & ~(1 << r)));
    }
    return most;
  };
  return best(0, (1 << b.length) - 1);
}

describe('matchWithin', () => {
  const value = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...[0, 0.4, 0.8, 1.2, 1.6].map((step) => 1 + step * R)) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 0, -0, null, Number.NaN, Number.POSITIVE_INFINITY) },
  );
  for (const width of [1, 2, 3]) {
    const row = fc.record({
      values: fc.array(value, { minLength: width, maxLength: width }),
      count: fc.integer({ min: 1, max: 2 }),
    });
    const side = fc.array(row, { maxLength: 4 });
    test.prop([side, side], { numRuns: 500 })(
      `finds a maximum matching over ${width} columns`,
      (left, right) => {
        const most = bruteForce(left, right);
        const total = (list: readonly Unmatched[]) => list.reduce((sum, { count }) => sum + count, 0);
        const [a, b] = [left.map((each) => ({ ...each })), right.map((each) => ({ ...each }))];
        const before = [total(a), total(b)];
        matchWithin(a, b, R);
        expect([before[0]! - total(a), before[1]! - total(b)]).toEqual([most, most]);
        expect([...a, ...b].every(({ count }) => count >= 0)).toBe(true);
      },
    );
  }
});

describe('tolerance in an append output', () => {
  const judged = (expected: readonly Row[], actual: readonly Row[], tolerance = ['b']) =>
    judge({
      columns: columnsOf('INT', 'DOUBLE', 'DOUBLE'),
      declaration: append(['a'], tolerance),
      expected: { rows: expected },
      actual: { rows: actual },
    });

  it('forgives a difference in its column only', async () => {
    expect(await judged([[1, 1, 5]], [[1, 1.0000005, 5]])).toEqual({ kind: 'agree', rows: 1 });
    expect(await judged([[1, 1, 5]], [[1, 1, 5.0000005]])).toMatchObject({ samples: [{ columns: ['c'] }] });
    expect(await judged([[1, 1, 5]], [[1, 1.000002, 5]])).toMatchObject({ samples: [{ columns: ['b'] }] });
  });

  it('does not forgive it between rows that differ elsewhere', async () => {
    const verdict = await judged(
      [
        [1, 1, 5],
        [1, 2, 6],
      ],
      [
        [1, 2, 5],
        [1, 1, 6],
      ],
    );
    expect(verdict).toMatchObject({ counts: { altered: 2 } });
  });

  it('gives up an equal partner where that leaves fewer rows alone', async () => {
    const [p, q, r] = [1, 1 + 9e-7, 1 + 18e-7];
    expect(
      await judged(
        [
          [1, p, 0],
          [1, q, 0],
        ],
        [
          [1, q, 0],
          [1, r, 0],
        ],
      ),
    ).toEqual({ kind: 'agree', rows: 2 });
  });

  it('counts duplicates', async () => {
    const verdict = await judged(
      [
        [1, 1, 0],
        [1, 1.0000001, 0],
      ],
      [[1, 1.0000002, 0]],
    );
    expect(verdict).toMatchObject({ counts: { lost: 1, altered: 0, extra: 0 } });
  });

  it('needs all columns to fit', async () => {
    const both = ['b', 'c'];
    expect(await judged([[1, 1, 1]], [[1, 1.0000005, 1.0000005]], both)).toMatchObject({ kind: 'agree' });
    expect(await judged([[1, 1, 1]], [[1, 1.0000005, 1.5]], both)).toMatchObject({
      samples: [{ columns: ['c'] }],
    });
  });

  it('takes an extra row within tolerance of a later one for premature', async () => {
    const verdict = await judge({
      columns: columnsOf('INT', 'DOUBLE'),
      declaration: append(['a'], ['b']),
      expected: { rows: [[1, 1]] },
      actual: {
        rows: [
          [1, 1],
          [2, 1.0000001],
        ],
      },
      beyond: [[2, 1]],
    });
    expect(verdict).toMatchObject({ counts: { premature: 1, extra: 0 } });
  });
});

it('refuses a tolerance that does not fit the columns', async () => {
  const judged = (keys: string[], tolerance: string[]) =>
    judge({
      columns: columnsOf('INT', 'DOUBLE'),
      declaration: append(keys, tolerance),
      expected: { rows: [] },
      actual: { rows: [] },
    });
  await expect(judged(['a'], ['a'])).rejects.toThrow('key column a');
  await expect(judged(['b'], ['a'])).rejects.toThrow('no DOUBLE');
  await expect(judged(['x'], [])).rejects.toThrow('no column');
});
