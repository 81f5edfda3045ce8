import { describe, expect, test } from 'vitest';
import { count, cumulate, from, hop, max, session, sum, tumble } from '../../src/model/build.ts';
import { clicks, truthOf } from '../support/clicks.ts';

const n = { n: count() };

describe('tumbling windows (semantics §3)', () => {
  const query = from('click').window(tumble(10_000)).perWindow([], n);

  test('hold rows before the epoch, at least a window below zero', () => {
    // -13 000 lies in [-20 000, -10 000): a remainder that truncates toward zero would say [-10 000, 0).
    expect(truthOf(query, clicks(0, ['lamp', -13_000], ['lamp', -4_000], ['lamp', 2_500]))).toEqual([
      [-20_000, -10_000, 1, -10_000],
      [-10_000, 0, 1, 0],
      [0, 10_000, 1, 10_000],
    ]);
  });

  test('are half open: a row at the end belongs to the next', () => {
    expect(truthOf(query, clicks(0, ['a', 9_999], ['a', 10_000]))).toEqual([
      [0, 10_000, 1, 10_000],
      [10_000, 20_000, 1, 20_000],
    ]);
  });

  test('shift by their offset', () => {
    const shifted = from('click').window(tumble(10_000, 3_000)).perWindow([], n);
    expect(truthOf(shifted, clicks(0, ['a', 2_999], ['a', 3_000]))).toEqual([
      [-7_000, 3_000, 1, 3_000],
      [3_000, 13_000, 1, 13_000],
    ]);
  });

  test('take nulls as one group, also beside other keys', () => {
    const byKey = from('click').window(tumble(10_000)).perWindow(['k'], n);
    expect(truthOf(byKey, clicks(0, [null, 1], ['', 2], [null, 3]))).toEqual([
      [0, 10_000, null, 2, 10_000],
      [0, 10_000, '', 1, 10_000],
    ]);
  });
});

describe('hopping windows (semantics §3)', () => {
  test('start before zero', () => {
    const query = from('click').window(hop(2_000, 500)).perWindow([], n);
    expect(truthOf(query, clicks(0, ['kite', 300]))).toEqual([
      [-1_500, 500, 1, 500],
      [-1_000, 1_000, 1, 1_000],
      [-500, 1_500, 1, 1_500],
      [0, 2_000, 1, 2_000],
    ]);
  });

  test('whose slide does not divide the size hold a row twice or three times', () => {
    const query = from('click').window(hop(5_000, 2_000)).perWindow([], n);
    // Starts are multiples of 2 000 in (at − 5 000, at].
    expect(truthOf(query, clicks(0, ['a', 4_500]))).toEqual([
      [0, 5_000, 1, 5_000],
      [2_000, 7_000, 1, 7_000],
      [4_000, 9_000, 1, 9_000],
    ]);
    expect(truthOf(query, clicks(0, ['a', 5_500]))).toEqual([
      [2_000, 7_000, 1, 7_000],
      [4_000, 9_000, 1, 9_000],
    ]);
  });

  test('whose slide exceeds the size leave gaps', () => {
    const query = from('click').window(hop(1_000, 3_000)).perWindow([], n);
    expect(truthOf(query, clicks(0, ['in', 3_999], ['out', 4_000]))).toEqual([[3_000, 4_000, 1, 4_000]]);
  });
});

describe('cumulating windows (semantics §3)', () => {
  const query = from('click').window(cumulate(2_000, 6_000)).perWindow([], n);

  test('grow by the step and start anew after the size', () => {
    expect(truthOf(query, clicks(0, ['a', 2_000], ['b', 5_999], ['c', 6_000]))).toEqual([
      [0, 4_000, 1, 4_000],
      [0, 6_000, 2, 6_000],
      [6_000, 8_000, 1, 8_000],
      [6_000, 10_000, 1, 10_000],
      [6_000, 12_000, 1, 12_000],
    ]);
  });

  test('hold rows before the epoch', () => {
    expect(truthOf(query, clicks(0, ['a', -1]))).toEqual([[-6_000, 0, 1, 0]]);
  });
});

describe('sessions (semantics §3)', () => {
  const query = from('click')
    .window(session(10_000, ['k']))
    .perWindow(['k'], n);

  test('merge rows exactly a gap apart and end a gap after the last', () => {
    expect(truthOf(query, clicks(20_000, ['a', 0], ['a', 10_000], ['a', 20_001]))).toEqual([
      [0, 20_000, 'a', 2, 20_000],
      [20_001, 30_001, 'a', 1, 30_001],
    ]);
  });

  test('do not merge touching rows where the trait says so', () => {
    expect(
      truthOf(query, clicks(20_000, ['a', 0], ['a', 10_000]), 'drained', { sessionTouching: 'separate' }),
    ).toEqual([
      [0, 10_000, 'a', 1, 10_000],
      [10_000, 20_000, 'a', 1, 20_000],
    ]);
  });

  test('are bridged by a row that comes out of order', () => {
    expect(truthOf(query, clicks(20_000, ['a', 0], ['a', 15_000], ['a', 7_000]))).toEqual([
      [0, 25_000, 'a', 3, 25_000],
    ]);
  });

  test('stay apart by key, the null key among them', () => {
    const rows = clicks(60_000, ['m', 1_000], ['m', 2_000], [null, 6_000], ['m', 40_000], [null, 16_000]);
    expect(truthOf(query, rows)).toEqual([
      [1_000, 12_000, 'm', 2, 12_000],
      [6_000, 26_000, null, 2, 26_000],
      [40_000, 50_000, 'm', 1, 50_000],
    ]);
  });

  test('hold rows before the epoch', () => {
    expect(truthOf(query, clicks(0, ['a', -10_002], ['a', -1]))).toEqual([
      [-10_002, -2, 'a', 1, -2],
      [-1, 9_999, 'a', 1, 9_999],
    ]);
  });
});

test('a window over the results of a window takes them at one ms before their end', () => {
  const perSecond = from('click').window(tumble(1_000)).perWindow(['k'], { n: count() });
  const query = perSecond
    .project({ k: 'k', n: 'n', ends: 'window_end' })
    .window(tumble(2_000))
    .perWindow([], { panes: count(), most: max('n'), all: sum('n') });
  // The pane [1 000, 2 000) stands at 1 999, so it lies in [0, 2 000), not in the next.
  expect(truthOf(query, clicks(5_000, ['a', 100], ['a', 1_500], ['a', 1_600], ['b', 2_000]))).toEqual([
    [0, 2_000, 2, 2, 3, 2_000],
    [2_000, 4_000, 1, 1, 1, 4_000],
  ]);
});

test('hopping windows with gaps between them leave out a row in a gap', () => {
  const query = from('click').window(hop(2_000, 5_000)).perWindow([], n);
  expect(truthOf(query, clicks(0, ['a', 1_999], ['a', 2_000], ['a', 4_999], ['a', 5_000]))).toEqual([
    [0, 2_000, 1, 2_000],
    [5_000, 7_000, 1, 7_000],
  ]);
});

test('a row too late for its first windows counts in the others, and rows of the same time before it in all', () => {
  const query = from('click').window(hop(3_000, 1_000)).perWindow([], n);
  // After 4 000 the watermark is 3 000: for the second row at 2 500 the windows up to 3 000 are over, two are not.
  expect(truthOf(query, clicks(1_000, ['a', 2_500], ['a', 4_000], ['a', 2_500]))).toEqual([
    [0, 3_000, 1, 3_000],
    [1_000, 4_000, 2, 4_000],
    [2_000, 5_000, 3, 5_000],
    [3_000, 6_000, 1, 6_000],
    [4_000, 7_000, 1, 7_000],
  ]);
});
