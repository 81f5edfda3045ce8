import { expect, test } from 'vitest';
import { asc, desc, from } from '../../src/model/build.ts';
import { type Click, clicks, truthOf } from '../support/clicks.ts';

type Price = NonNullable<Click[2]> | null;

/** The value and the number of each of the best `limit` of these rows, given in order of arrival. */
function best(limit: number, nulls: 'first' | 'last', values: readonly Price[]): readonly unknown[] {
  const query = from('click').top(limit, ['k'], desc('v', nulls), asc('seq')).select('v', 'seq');
  const rows = truthOf(query, clicks(9, ...values.map((v, index): Click => ['a', index, v])));
  return rows.map(([v, seq]) => [v, seq]);
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, place) =>
    permutations(items.toSpliced(place, 1)).map((rest) => [item, ...rest]),
  );
}

test.each([1, 2, 3, 4, 5])(
  'the best %i rows are the same in whatever order they come (semantics §3)',
  (limit) => {
    // 10 twice, and neighbours beyond 2^53 that differ in their last digit.
    const ranked = [2n ** 53n + 1n, 2n ** 53n, 10, 10, -5];
    for (const order of permutations(ranked)) {
      const values = best(limit, 'last', order).map((row) => (row as Price[])[0]);
      // From the least up, as the stable order of a truth has it.
      expect(values).toEqual(ranked.slice(0, limit).reverse());
    }
  },
);

test('a tie goes to the second column, also where the row that is pushed out stands next to it', () => {
  expect(best(1, 'last', [7, 7, 7])).toEqual([[7, 0]]);
  const byLast = from('click').top(2, ['k'], desc('v', 'last'), desc('seq')).select('v', 'seq');
  const rows = truthOf(byLast, clicks(9, ['a', 0, 7], ['a', 1, 7], ['a', 2, 7], ['b', 3, 1], ['a', 4, 6]));
  expect(rows.map(([v, seq]) => [v, seq])).toEqual([
    [1, 3],
    [7, 1],
    [7, 2],
  ]);
});

test('nulls stand where they are asked to', () => {
  expect(best(2, 'last', [null, 3, null, 4])).toEqual([
    [3, 1],
    [4, 3],
  ]);
  expect(best(2, 'first', [3, null, 4, null])).toEqual([
    [null, 1],
    [null, 3],
  ]);
});
