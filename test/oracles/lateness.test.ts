import { describe, expect, test } from 'vitest';
import { OracleRefusal } from '../../oracles/refusal.ts';
import { count, cumulate, from, session, tumble } from '../../src/model/build.ts';
import { clicks, partitionedClicks, truthOf } from '../support/clicks.ts';

const n = { n: count() };
const tens = from('click').window(tumble(10_000)).perWindow(['k'], n);
const sessions = from('click')
  .window(session(5_000, ['k']))
  .perWindow(['k'], n);

describe('one partition, watermark after every row: a late row must not be counted (semantics §4)', () => {
  test('a window that has fired is not made again', () => {
    const rows = clicks(0, ['red', 3_000], ['red', 12_000], ['red', 4_000], ['red', 23_000]);
    expect(truthOf(tens, rows)).toEqual([
      [0, 10_000, 'red', 1, 10_000],
      [10_000, 20_000, 'red', 1, 20_000],
      [20_000, 30_000, 'red', 1, 30_000],
    ]);
  });

  test('a row counts as long as its window has not fired, however far behind it is', () => {
    expect(truthOf(tens, clicks(0, ['a', 9_999], ['a', 1]))).toEqual([[0, 10_000, 'a', 2, 10_000]]);
    expect(truthOf(tens, clicks(0, ['a', 10_000], ['a', 1]))).toEqual([[10_000, 20_000, 'a', 1, 20_000]]);
  });

  test('the row at the very edge depends on f', () => {
    const rows = clicks(0, ['a', 9_999], ['a', 1]);
    expect(truthOf(tens, rows, 'drained', { fireEarlyMs: { window: 1 } })).toEqual([
      [0, 10_000, 'a', 1, 10_000],
    ]);
  });

  test('a cumulating row counts in the panes that are still open only', () => {
    const query = from('click').window(cumulate(1_000, 3_000)).perWindow([], n);
    expect(truthOf(query, clicks(0, ['q', 500], ['q', 2_000], ['q', 700]))).toEqual([
      [0, 1_000, 1, 1_000],
      [0, 2_000, 1, 2_000],
      [0, 3_000, 3, 3_000],
    ]);
  });

  test('a late row that merges a live session is kept, one that stands alone is dropped', () => {
    const rows = clicks(0, ['a', 10_000], ['b', 14_000], ['a', 6_000], ['a', 4_000], ['c', 8_000]);
    // Watermark 14 000: a's session [10 000, 15 000) is open; 6 000 joins it, then 4 000 does; c's would have ended.
    expect(truthOf(sessions, rows)).toEqual([
      [4_000, 15_000, 'a', 3, 15_000],
      [14_000, 19_000, 'b', 1, 19_000],
    ]);
  });

  test('a session that has fired never merges', () => {
    const rows = clicks(0, ['a', 0], ['b', 5_000], ['a', 4_000]);
    expect(truthOf(sessions, rows)).toEqual([
      [0, 5_000, 'a', 1, 5_000],
      [4_000, 9_000, 'a', 1, 9_000],
      [5_000, 10_000, 'b', 1, 10_000],
    ]);
  });
});

describe('where the answer is open the truth is refused (semantics §4)', () => {
  const late = [
    [0, ['a', 12_000]],
    [0, ['a', 1_000]],
    [1, ['a', 500]],
  ] as const;

  test('a late row beside another partition may be counted', () => {
    expect(() => truthOf(tens, partitionedClicks(0, ...late))).toThrow(OracleRefusal);
    expect(() => truthOf(sessions, partitionedClicks(0, ...late))).toThrow(OracleRefusal);
  });

  test('a late row under a watermark that comes now and then may be counted', () => {
    const rows = clicks(0, ['a', 12_000], ['a', 1_000]);
    expect(() => truthOf(tens, rows, 'drained', { watermarkEmission: 'periodic' })).toThrow(OracleRefusal);
  });

  test('a row that its own partition has not passed must be counted, whatever the others did', () => {
    const rows = partitionedClicks(0, [0, ['a', 50_000]], [1, ['a', 500]]);
    expect(truthOf(tens, rows)).toEqual([
      [0, 10_000, 'a', 1, 10_000],
      [50_000, 60_000, 'a', 1, 60_000],
    ]);
  });

  test('a batch engine drops nothing', () => {
    expect(truthOf(tens, partitionedClicks(0, ...late), 'drained', { mode: 'batch' })).toEqual([
      [0, 10_000, 'a', 2, 10_000],
      [10_000, 20_000, 'a', 1, 20_000],
    ]);
  });
});
