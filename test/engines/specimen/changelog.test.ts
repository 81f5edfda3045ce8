import { describe, expect, it } from 'vitest';
import {
  asc,
  avg,
  bigint,
  call,
  count,
  countDistinct,
  desc,
  from,
  max,
  min,
  sum,
} from '../../../src/model/build.ts';
import { answer, changes, click, input, rows, sale } from './support.ts';

const perKey = from('click').aggregate(['k'], { n: count() });

describe('an unbounded aggregate', () => {
  it('withdraws the row that it updates', async () => {
    expect(await changes(perKey, input(0, click('a', 1), click(null, 2), click('a', 3)))).toEqual([
      ['+I', ['a', 1]],
      ['+I', [null, 1]],
      ['-U', ['a', 1]],
      ['+U', ['a', 2]],
    ]);
  });

  it('says nothing where nothing changed', async () => {
    const plan = from('click').aggregate(['k'], { most: max('v') });
    expect(await changes(plan, input(0, click('a', 1, 5), click('a', 2, 3)))).toEqual([['+I', ['a', 5]]]);
  });

  it('skips nulls, and gives NULL over nothing', async () => {
    const plan = from('click')
      .project({ k: 'k', v: 'v', d: call('to_double', 'v') })
      .aggregate(['k'], {
        rows: count(),
        values: count('v'),
        distinct: countDistinct('v'),
        total: sum('v'),
        least: min('v'),
        most: max('v'),
        mean: avg('d'),
      });
    const dataset = input(
      0,
      click('a', 1, 2),
      click('a', 2),
      click('a', 3, 5),
      click('a', 4, 2),
      click('b', 5),
    );
    expect(await answer(plan, dataset)).toEqual(
      rows(['a', 4, 3, 2, 9, 2, 5, 3], ['b', 1, 0, 0, null, null, null, null]),
    );
  });

  it('sums beyond 2^53 exactly, and averages with one rounding', async () => {
    const plan = from('click')
      .project({ v: 'v', d: call('to_double', 'v') })
      .aggregate([], { total: sum('v'), mean: avg('d') });
    // 2^53 + 2^53 + 2 = 18014398509481986; a third of it lies between doubles one apart.
    const dataset = input(0, click('a', 1, 2n ** 53n), click('a', 2, 2n ** 53n), click('a', 3, 2));
    expect(await answer(plan, dataset)).toEqual(rows([18_014_398_509_481_986n, 6_004_799_503_160_662]));
  });

  it('takes updates of its input back', async () => {
    const plan = perKey.aggregate(['n'], { keys: count() });
    expect(await changes(plan, input(0, click('a', 1), click('b', 2), click('a', 3), click('b', 4)))).toEqual(
      [
        ['+I', [1, 1]],
        ['-U', [1, 1]],
        ['+U', [1, 2]],
        ['-U', [1, 2]],
        ['+U', [1, 1]],
        ['+I', [2, 1]],
        ['-D', [1, 1]],
        ['-U', [2, 1]],
        ['+U', [2, 2]],
      ],
    );
  });

  it('finds extremes and distinct values again when the greatest leaves', async () => {
    const plan = from('click')
      .aggregate(['k'], { s: sum('v') })
      .aggregate([], { most: max('s'), least: min('s'), distinct: countDistinct('s') });
    // a: 9, b: 4, then a: 9 − 5 = 4.
    expect(await answer(plan, input(0, click('a', 1, 9), click('b', 2, 4)))).toEqual(rows([9, 4, 2]));
    expect(await answer(plan, input(0, click('a', 1, 9), click('b', 2, 4), click('a', 3, -5)))).toEqual(
      rows([4, 4, 1]),
    );
  });

  it('HAVING lets go of a group whose condition turns false', async () => {
    const plan = from('click')
      .aggregate(['k'], { s: sum('v') })
      .filter(call('gt', 's', bigint(5)));
    expect(await changes(plan, input(0, click('a', 1, 9), click('a', 2, -8), click('a', 3, 7)))).toEqual([
      ['+I', ['a', 9]],
      ['-U', ['a', 9]],
      ['+U', ['a', 8]],
    ]);
  });

  it.each([1, 4])('without keys is one row on %d subtasks, and none over nothing', async (parallelism) => {
    const plan = from('click').aggregate([], { n: count() });
    const dataset = input(0, click('a', 1, null, 0), click('b', 2, null, 1), click('c', 3, null, 2));
    expect(await answer(plan, dataset, { parallelism })).toEqual(rows([3]));
    expect(await answer(plan, input(0), { parallelism })).toEqual([]);
  });
});

describe('a top-N', () => {
  const best = (limit: number) =>
    from('click').select('k', 'v', 'seq').top(limit, ['k'], desc('v', 'last'), asc('seq'));

  it('pushes the last one out', async () => {
    const dataset = input(0, click('a', 1, 3), click('a', 2), click('a', 3, 7), click('a', 4, 7));
    expect(await changes(best(2), dataset)).toEqual([
      ['+I', ['a', 3, 0]],
      ['+I', ['a', null, 1]],
      ['-D', ['a', null, 1]],
      ['+I', ['a', 7, 2]],
      ['-D', ['a', 3, 0]],
      ['+I', ['a', 7, 3]],
    ]);
  });

  it('of one row replaces it', async () => {
    expect(await changes(best(1), input(0, click('a', 1, 3), click('a', 2, 7), click('a', 3, 5)))).toEqual([
      ['+I', ['a', 3, 0]],
      ['-U', ['a', 3, 0]],
      ['+U', ['a', 7, 1]],
    ]);
  });

  const topSums = from('click')
    .aggregate(['k'], { s: sum('v') })
    .top(2, [], desc('s', 'last'), asc('k', 'last'));

  it('shows the next row when one is withdrawn, and forgets one withdrawn below the cut', async () => {
    // x 10, y 8, z 9; then y 8 − 5 = 3 below the cut, then z 9 − 8 = 1.
    const scores = [click('x', 1, 10), click('y', 2, 8), click('z', 3, 9)];
    expect(await answer(topSums, input(0, ...scores))).toEqual(rows(['x', 10], ['z', 9]));
    const less = [...scores, click('y', 4, -5), click('z', 5, -8)];
    expect(await answer(topSums, input(0, ...less))).toEqual(rows(['x', 10], ['y', 3]));
  });
});

describe('an inner join', () => {
  const pairs = from('click').select('k', 'v').join(from('sale').select('item', 'price'), { k: 'item' });

  it('gives a pair when its later row is there, duplicates as often as they are, and NULL to nothing', async () => {
    const dataset = input(
      0,
      click('a', 1, 1),
      sale('a', 2, 10),
      sale('a', 3, 10),
      click(null, 4, 2),
      sale(null, 5, 20),
      click('a', 6, 3),
    );
    expect(await changes(pairs, dataset)).toEqual([
      ['+I', ['a', 1, 'a', 10]],
      ['+I', ['a', 1, 'a', 10]],
      ['+I', ['a', 3, 'a', 10]],
      ['+I', ['a', 3, 'a', 10]],
    ]);
  });

  it('checks what it asks for besides equal keys, whichever row came first', async () => {
    const plan = from('click')
      .select('k', 'v')
      .join(from('sale').select('item', 'price'), { k: 'item' }, call('gt', 'price', 'v'));
    const dataset = input(0, click('a', 1, 5), sale('a', 2, 4), sale('a', 3, 6), click('a', 4, 5));
    expect(await answer(plan, dataset)).toEqual(rows(['a', 5, 'a', 6], ['a', 5, 'a', 6]));
  });

  it('withdraws the pairs of an updated row', async () => {
    const plan = from('click')
      .aggregate(['k'], { n: count() })
      .join(from('sale').select('item', 'price', 'sold'), { k: 'item' })
      .aggregate(['k', 'n', 'price'], { sales: count() });
    const dataset = input(0, sale('a', 1, 10), sale('a', 2, 20), click('a', 3), click('a', 4));
    expect(await answer(plan, dataset)).toEqual(rows(['a', 2, 10, 1], ['a', 2, 20, 1]));
  });

  it('of a stream with itself', async () => {
    const plan = from('click')
      .select('k', 'seq')
      .join(from('click').project({ k2: 'k', seq2: 'seq' }), { k: 'k2' }, call('lt', 'seq', 'seq2'))
      .select('seq', 'seq2');
    expect(await answer(plan, input(0, click('a', 1), click('b', 2), click('a', 3), click('a', 4)))).toEqual(
      rows([0, 2], [0, 3], [2, 3]),
    );
  });
});
