import { describe, expect, test } from 'vitest';
import { bigint, call, count, desc, from, hop, session, sum, tumble } from '../../src/model/build.ts';
import { clicks, partitionedClicks, truthOf } from '../support/clicks.ts';

const n = { n: count() };
const flink = { watermarkDelayMs: 0, fireEarlyMs: { window: 1 } };
const dataStream = { watermarkDelayMs: 1, fireEarlyMs: { window: 1 } };

describe('a window fires once the watermark reaches its end less f (semantics §2)', () => {
  const query = from('click').window(tumble(10_000)).perWindow([], n);
  const pane = [[0, 10_000, 1, 10_000]];

  test.each([
    ['c = 0, f = 0: at 15 000', {}, 15_000],
    ['c = 0, f = 1: at 14 999', flink, 14_999],
    ['c = 1, f = 1: at 15 000', dataStream, 15_000],
  ])('%s with a lag of 5 s', (_, traits, firesAt) => {
    const rows = (last: number) => clicks(5_000, ['a', 1], ['a', last]);
    expect(truthOf(query, rows(firesAt), 'settled', traits)).toEqual(pane);
    expect(truthOf(query, rows(firesAt - 1), 'settled', traits)).toEqual([]);
  });

  test('and not before, whatever rows the window holds', () => {
    expect(truthOf(query, clicks(0, ['a', 1]), 9_999)).toEqual([]);
    expect(truthOf(query, clicks(0, ['a', 1]), 10_000)).toEqual(pane);
    expect(truthOf(query, clicks(0, ['a', 1]), 'drained')).toEqual(pane);
  });
});

describe('the truth is cut off by fire point, never by leaving rows out (semantics §5)', () => {
  test('the rows of an open window do not show as a partial pane', () => {
    const query = from('click').window(hop(10_000, 5_000)).perWindow([], n);
    expect(truthOf(query, clicks(0, ['a', 7_000], ['a', 12_000]), 'settled')).toEqual([
      [0, 10_000, 1, 10_000],
    ]);
    expect(truthOf(query, clicks(0, ['a', 7_000], ['a', 12_000]), 15_000)).toEqual([
      [0, 10_000, 1, 10_000],
      [5_000, 15_000, 2, 15_000],
    ]);
  });

  test('an open session does not show as an early one', () => {
    const query = from('click')
      .window(session(10_000, ['k']))
      .perWindow(['k'], n);
    // The session of a would end at 11 000 if its second row were left out; it ends at 19 000.
    const rows = clicks(3_000, ['a', 1_000], ['a', 9_000], ['b', 14_500]);
    expect(truthOf(query, rows, 'settled')).toEqual([]);
    expect(truthOf(query, rows, 18_999)).toEqual([]);
    expect(truthOf(query, rows, 19_000)).toEqual([[1_000, 19_000, 'a', 2, 19_000]]);
  });

  test('a session that ends between two watermark conventions shows their difference', () => {
    const query = from('click')
      .window(session(10_000, ['k']))
      .perWindow(['k'], n);
    const rows = clicks(4_000, ['a', 1], ['b', 14_000]);
    expect(truthOf(query, rows, 'settled')).toEqual([]);
    expect(truthOf(query, rows, 'settled', flink)).toEqual([[1, 10_001, 'a', 1, 10_001]]);
  });
});

describe('what is not driven by time comes at once', () => {
  test('projection, filter: every row read', () => {
    const query = from('click')
      .filter(call('gt', 'v', bigint(1)))
      .select('v');
    expect(
      truthOf(query, clicks(9_000, ['a', 1, 1], ['a', 2, 2], ['a', 3, null], ['a', 4, 3]), 'settled'),
    ).toEqual([
      [2, -Infinity],
      [3, -Infinity],
    ]);
  });

  test('unbounded aggregate and top-N: the state over every row read', () => {
    const totals = from('click').aggregate(['k'], { n: count(), s: sum('v') });
    expect(truthOf(totals, clicks(9_000, ['a', 1, 5], ['b', 2, null], ['a', 3, 7]), 'settled')).toEqual([
      ['a', 2, 12, -Infinity],
      ['b', 1, null, -Infinity],
    ]);
    const latest = from('click').top(1, ['k'], desc('at'), desc('seq')).select('k', 'seq');
    expect(truthOf(latest, clicks(9_000, ['a', 5], ['a', 5], ['a', 4]), 'settled')).toEqual([
      ['a', 1, -Infinity],
    ]);
  });

  test('top-N over windows: over the panes that have fired, as late as they', () => {
    const query = from('click')
      .window(tumble(1_000))
      .perWindow(['k'], n)
      .top(1, ['window_start', 'window_end'], desc('n'), desc('k', 'last'))
      .select('window_end', 'k', 'n');
    const rows = clicks(0, ['a', 1], ['b', 2], ['b', 3], ['a', 1_001], ['z', 1_999]);
    expect(truthOf(query, rows, 'settled')).toEqual([[1_000, 'b', 2, 1_000]]);
    expect(truthOf(query, rows, 'drained')).toEqual([
      [1_000, 'b', 2, 1_000],
      [2_000, 'z', 1, 2_000],
    ]);
  });

  test('an inner join with a window: as late as the window', () => {
    const query = from('click')
      .select('k', 'at', 'seq')
      .join(
        from('click')
          .window(tumble(1_000))
          .perWindow(['k'], n)
          .project({ key: 'k', ends: 'window_end', n: 'n' }),
        { k: 'key' },
        call('lt', 'at', 'ends'),
      )
      .select('seq', 'ends', 'n');
    const rows = clicks(0, ['a', 10], ['a', 20], [null, 30], ['a', 1_500]);
    // A null key equals nothing; the pane [1 000, 2 000) is still open.
    expect(truthOf(query, rows, 'settled')).toEqual([
      [0, 1_000, 2, 1_000],
      [1, 1_000, 2, 1_000],
    ]);
  });
});

describe('the watermark of a source (semantics §2)', () => {
  const query = from('click').window(tumble(1_000)).perWindow([], n);

  test('is the least over its partitions', () => {
    const rows = partitionedClicks(0, [0, ['a', 100]], [0, ['a', 5_000]], [1, ['b', 999]]);
    expect(truthOf(query, rows, 'settled')).toEqual([]);
    const later = partitionedClicks(0, [0, ['a', 100]], [0, ['a', 5_000]], [1, ['b', 1_000]]);
    expect(truthOf(query, later, 'settled')).toEqual([[0, 1_000, 1, 1_000]]);
  });

  test('stays at −∞ while a partition is empty', () => {
    const rows = partitionedClicks(0, [0, ['a', 100]], [2, ['a', 5_000]]);
    expect(truthOf(query, rows, 'settled')).toEqual([]);
    expect(truthOf(query, rows, 'drained')).toHaveLength(2);
  });

  test('follows the greatest time seen where one reader reads all partitions', () => {
    const rows = partitionedClicks(0, [0, ['a', 100]], [1, ['b', 999]], [0, ['a', 5_000]]);
    expect(truthOf(query, rows, 'settled', { watermarkScope: 'reader' })).toEqual([[0, 1_000, 2, 1_000]]);
  });

  test('never goes back', () => {
    const rows = clicks(0, ['a', 500], ['a', 2_000], ['a', 1_990]);
    expect(truthOf(query, rows, 'settled')).toEqual([[0, 1_000, 1, 1_000]]);
  });
});

test('an aggregate over an aggregate takes its final state', () => {
  const query = from('click')
    .aggregate(['k'], { n: count() })
    .aggregate([], { keys: count(), rows: sum('n') });
  expect(truthOf(query, clicks(0, ['a', 1], ['a', 2], ['b', 3]))).toEqual([[2, 3, -Infinity]]);
});
