import { describe, expect, it } from 'vitest';
import {
  asc,
  call,
  count,
  cumulate,
  desc,
  from,
  hop,
  max,
  session,
  sum,
  tumble,
} from '../../../src/model/build.ts';
import { answer, changes, click, input, inputOf, rows } from './support.ts';

/** Rows of each key in each window. */
const counts = (window: Parameters<ReturnType<typeof from>['window']>[0]) =>
  from('click').window(window).perWindow(['k'], { n: count() });
/** Rows of each window. */
const totals = (window: Parameters<ReturnType<typeof from>['window']>[0]) =>
  from('click').window(window).perWindow([], { n: count() });
const settled = { stop: 'settle-cancel' } as const;

describe('which windows a row lies in (§3)', () => {
  it('tumble: half open, also before the epoch', async () => {
    const dataset = input(
      0,
      click('lamp', -13_000),
      click('lamp', -4_000),
      click('lamp', 0),
      click('lamp', 9_999),
    );
    expect(await answer(totals(tumble(10_000)), dataset)).toEqual(
      rows([-20_000, -10_000, 1], [-10_000, 0, 1], [0, 10_000, 2]),
    );
  });

  it('tumble: an offset below zero shifts the grid', async () => {
    const dataset = input(0, click('a', -4), click('a', -3), click('a', 6), click('a', 7));
    expect(await answer(totals(tumble(10, -3)), dataset)).toEqual(rows([-13, -3, 1], [-3, 7, 2], [7, 17, 1]));
  });

  it('hop: panes that start before the epoch', async () => {
    expect(await answer(totals(hop(2_000, 500)), input(0, click('kite', 300)))).toEqual(
      rows([-1_500, 500, 1], [-1_000, 1_000, 1], [-500, 1_500, 1], [0, 2_000, 1]),
    );
  });

  it('hop: a slide that does not divide the size', async () => {
    // Starts 0, 2, 4 for 4 ms; 0 + 5 has ended for 5 ms.
    expect(await answer(totals(hop(5, 2)), input(0, click('a', 4)))).toEqual(
      rows([0, 5, 1], [2, 7, 1], [4, 9, 1]),
    );
    expect(await answer(totals(hop(5, 2)), input(0, click('a', 5)))).toEqual(rows([2, 7, 1], [4, 9, 1]));
  });

  it('hop: no window between panes that leave gaps', async () => {
    expect(await answer(totals(hop(2, 5)), input(0, click('a', 3), click('a', 6)))).toEqual(rows([5, 7, 1]));
  });

  it('cumulate: every end from the row’s own step to the size', async () => {
    expect(await answer(totals(cumulate(2, 6)), input(0, click('a', 3), click('a', 4)))).toEqual(
      rows([0, 4, 1], [0, 6, 2]),
    );
  });

  it('a window over the results of a window takes their last millisecond', async () => {
    const plan = from('click')
      .window(tumble(10))
      .perWindow(['k'], { n: count() })
      .project({ n: 'n', ends: 'window_end' })
      .window(tumble(20))
      .perWindow([], { total: sum('n') });
    // Windows that end at 10 and 20 stand at 9 and 19, the one that ends at 30 at 29.
    const dataset = input(0, click('a', 5), click('a', 15), click('b', 15), click('a', 20));
    expect(await answer(plan, dataset)).toEqual(rows([0, 20, 3], [20, 40, 1]));
  });

  it('a filter between window and aggregate leaves the other rows of the window', async () => {
    const plan = from('click')
      .window(session(10, ['k']))
      .filter(call('not', call('is_null', 'v')))
      .perWindow(['k'], { n: count() });
    // The row without a value still bridges the session.
    const dataset = input(20, click('a', 0, 1), click('a', 8), click('a', 16, 1));
    expect(await answer(plan, dataset)).toEqual(rows([0, 26, 'a', 2]));
  });
});

describe('when a window fires, and what is late for it (§2, §4)', () => {
  it('fires with its last millisecond: f = 1', async () => {
    const before = input(5_000, click('a', 9_999), click('a', 14_998));
    expect(await answer(totals(tumble(10_000)), before, settled)).toEqual([]);
    const then = input(5_000, click('a', 9_999), click('a', 14_999));
    expect(await answer(totals(tumble(10_000)), then, settled)).toEqual(rows([0, 10_000, 1]));
  });

  it('drops a late row and emits its window once', async () => {
    const dataset = input(
      0,
      click('red', 3_000),
      click('red', 12_000),
      click('red', 4_000),
      click('red', 23_000),
      click('red', 31_000),
    );
    expect(await changes(counts(tumble(10_000)), dataset, settled)).toEqual([
      ['+I', [0, 10_000, 'red', 1]],
      ['+I', [10_000, 20_000, 'red', 1]],
      ['+I', [20_000, 30_000, 'red', 1]],
    ]);
  });

  it('counts a row behind the watermark whose window is open', async () => {
    const dataset = input(0, click('a', 8), click('a', 3), click('a', 10));
    expect(await answer(totals(tumble(10)), dataset, settled)).toEqual(rows([0, 10, 2]));
  });

  it('takes lateness window by window', async () => {
    // At watermark 4 the pane that ends at 4 has fired, and the one that ends at 6 is open.
    const dataset = input(0, click('a', 4), click('a', 3));
    expect(await answer(totals(hop(4, 2)), dataset)).toEqual(rows([2, 6, 2], [4, 8, 1]));
  });

  it('emits nothing for windows without a row, and counts 0 where a filter rejects all', async () => {
    const plan = from('click')
      .window(tumble(10))
      .perWindow([], {
        n: { fn: 'count', where: call('eq', 'k', { lit: 'a', type: 'STRING' }) },
        s: { fn: 'sum', arg: 'v', where: call('eq', 'k', { lit: 'a', type: 'STRING' }) },
      });
    const dataset = input(0, click('b', 5, 1), click('a', 35, 2));
    expect(await answer(plan, dataset)).toEqual(rows([0, 10, 0, null], [30, 40, 1, 2]));
  });
});

describe('the watermark (§2)', () => {
  const slow = [
    click('a', 1, null, 0),
    click('a', 30, null, 0),
    click('a', 2, null, 1),
    click('a', 12, null, 1),
  ];

  it.each([1, 2, 3, 4])('is the least over partitions on %d subtasks', async (parallelism) => {
    // Partition 0 is at 30, partition 1 at 12: [0, 10) has fired, with both rows, and [10, 20) has not.
    const dataset = input(0, ...slow);
    expect(await answer(totals(tumble(10)), dataset, { ...settled, parallelism })).toEqual(rows([0, 10, 2]));
  });

  it.each([1, 2])(
    'waits for a partition without rows until the drain, on %d subtasks',
    async (parallelism) => {
      const dataset = inputOf(0, 2, [click('a', 1), click('a', 30)]);
      const plan = totals(tumble(10));
      expect(await answer(plan, dataset, { ...settled, parallelism })).toEqual([]);
      expect(await answer(plan, dataset, { parallelism })).toEqual(rows([0, 10, 1], [30, 40, 1]));
    },
  );

  it('does not wait for subtasks that own no partition', async () => {
    const dataset = input(0, click('a', 1), click('b', 30));
    expect(await answer(counts(tumble(10)), dataset, { ...settled, parallelism: 4 })).toEqual(
      rows([0, 10, 'a', 1]),
    );
  });
});

describe('sessions fold in arrival order (§3)', () => {
  const plan = counts(session(10, ['k']));

  it('a row merges the sessions on both sides', async () => {
    const dataset = input(20, click('a', 0), click('a', 15), click('a', 8));
    expect(await answer(plan, dataset)).toEqual(rows([0, 25, 'a', 3]));
  });

  it('rows exactly the gap apart are one session, a millisecond more are two', async () => {
    expect(await answer(plan, input(9, click('a', 0), click('a', 10)))).toEqual([[0, 20, 'a', 2]]);
    expect(await answer(plan, input(9, click('a', 0), click('a', 11)))).toEqual(
      rows([0, 10, 'a', 1], [11, 21, 'a', 1]),
    );
  });

  it('an earlier row moves the start', async () => {
    expect(await answer(plan, input(20, click('a', 5), click('a', -5)))).toEqual(rows([-5, 15, 'a', 2]));
  });

  it('a late row counts where it reaches an open session', async () => {
    // At watermark 12 a session of the row at 1 alone would have fired, [0, 19) has not.
    const dataset = input(0, click('a', 0), click('a', 9), click('b', 12), click('a', 1));
    expect(await answer(plan, dataset)).toEqual(rows([0, 19, 'a', 3], [12, 22, 'b', 1]));
  });

  it('a late row that reaches none is dropped, and a fired session never merges', async () => {
    const dataset = input(0, click('a', 0), click('b', 30), click('a', 5));
    expect(await answer(plan, dataset)).toEqual(rows([0, 10, 'a', 1], [30, 40, 'b', 1]));
    const touching = input(0, click('a', 0), click('b', 9), click('a', 10));
    expect(await answer(plan, touching)).toEqual(rows([0, 10, 'a', 1], [9, 19, 'b', 1], [10, 20, 'a', 1]));
  });

  it('keys have their own, NULL among them', async () => {
    const dataset = input(
      0,
      click('m', 1_000),
      click(null, 2_000),
      click('n', 6_000),
      click('m', 7_000),
      click(null, 40_000),
    );
    expect(await answer(counts(session(10_000, ['k'])), dataset)).toEqual(
      rows(
        [1_000, 17_000, 'm', 2],
        [2_000, 12_000, null, 1],
        [6_000, 16_000, 'n', 1],
        [40_000, 50_000, null, 1],
      ),
    );
  });

  it.each([1, 3])('an aggregate by other keys than the session’s, on %d subtasks', async (parallelism) => {
    const both = from('click').window(session(10, [])).perWindow(['k'], { n: count() });
    // One session of all keys.
    const dataset = input(9, click('a', 0), click('b', 5), click('a', 9));
    expect(await answer(both, dataset, { parallelism })).toEqual(rows([0, 19, 'a', 2], [0, 19, 'b', 1]));
  });
});

describe('after windows', () => {
  it('the leader of each window, the least key among equals', async () => {
    const plan = counts(tumble(10)).top(1, ['window_start', 'window_end'], desc('n'), asc('k', 'last'));
    const dataset = input(0, click('b', 1), click('a', 2), click('a', 11), click('b', 12), click('b', 13));
    expect(await answer(plan, dataset)).toEqual(rows([0, 10, 'a', 1], [10, 20, 'b', 2]));
  });

  it('rows joined with the windows they lie in', async () => {
    const plan = from('click')
      .select('k', 'at', 'v')
      .join(
        from('click')
          .window(tumble(10))
          .perWindow([], { most: max('v') }),
        { v: 'most' },
      )
      .filter(call('and', call('ge', 'at', 'window_start'), call('lt', 'at', 'window_end')))
      .select('k', 'at', 'window_end');
    const dataset = input(0, click('a', 1, 7), click('b', 2, 5), click('c', 3, 7), click('d', 10, 7));
    expect(await answer(plan, dataset)).toEqual(rows(['a', 1, 10], ['c', 3, 10], ['d', 10, 20]));
  });
});
