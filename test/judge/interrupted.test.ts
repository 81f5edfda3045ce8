import { describe, expect, test } from 'vitest';
import { explainPrefixes } from '../../src/judge/explain-prefixes.ts';
import { explainPanes } from '../../src/judge/interrupted.ts';
import { judge } from '../../src/judge/judge.ts';
import type { Declaration } from '../../src/model/declaration.ts';
import type { Column } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';

const columns: readonly Column[] = [
  { name: 'ends', type: 'TIMESTAMP(3)', nullable: false },
  { name: 'k', type: 'STRING', nullable: true },
  { name: 'n', type: 'BIGINT', nullable: false },
];
const declaration: Declaration = {
  class: 'append',
  reason: 'a window fires once',
  keys: ['ends', 'k'],
  fire: { column: 'ends' },
};
const K = [1];

/** Panes at 10, 20, 30 for two keys; the watermark of everything produced is 30, so that 40 is beyond it. */
const rows: readonly Row[] = [
  [10, 'a', 1],
  [10, 'b', 2],
  [20, 'a', 3],
  [20, 'b', 4],
  [30, 'a', 5],
  [30, 'b', 6],
];
const truth = { rows, firePoints: rows.map(([ends]) => ends as number) };
const beyond: readonly Row[] = [[40, 'a', 7]];

async function verdictOn(actual: readonly Row[], keys: readonly number[]) {
  const explained = explainPanes(truth, actual, keys);
  const verdict = await judge({
    columns,
    declaration,
    expected: { rows: explained.rows },
    actual: { rows: actual },
    beyond,
  });
  return { ...explained, verdict };
}

const pick = (...indexes: number[]): Row[] => indexes.map((index) => rows[index]!);

describe('panes of an interrupted run (semantics §5)', () => {
  test('a prefix for each key agrees, and tells what was still open', async () => {
    const { verdict, watermark, open } = await verdictOn(pick(0, 2, 1), K);
    expect(verdict).toEqual({ kind: 'agree', rows: 3 });
    expect({ watermark, open }).toEqual({ watermark: { from: 20, to: 20 }, open: 3 });
  });

  test('on one subtask one watermark must explain all keys', async () => {
    // a is at 20 while b lacks its pane of 10: two subtasks can be so far apart, one cannot.
    expect((await verdictOn(pick(0, 2), K)).verdict.kind).toBe('agree');
    expect((await verdictOn(pick(0, 2), [])).verdict).toMatchObject({ kind: 'diverge', counts: { lost: 1 } });
  });

  test('of the last pane some rows may be missing', async () => {
    expect((await verdictOn(pick(0, 1, 2), [])).verdict.kind).toBe('agree');
  });

  test('a pane missing before the last is lost', async () => {
    expect((await verdictOn(pick(0, 4), K)).verdict).toMatchObject({
      kind: 'diverge',
      counts: { lost: 1, extra: 0 },
    });
  });

  test('a pane beyond the watermark of everything produced is premature', async () => {
    expect((await verdictOn([...rows, ...beyond], K)).verdict).toMatchObject({
      kind: 'diverge',
      counts: { premature: 1, lost: 0, extra: 0 },
    });
  });

  test('a partial aggregate is not in a sub-bag of the truth', async () => {
    const partial: Row = [20, 'a', 2];
    const { verdict } = await verdictOn([...pick(0, 1), partial], K);
    expect(verdict).toMatchObject({ kind: 'diverge', counts: { extra: 1 } });
  });

  test('a pane fired twice is one too many', async () => {
    expect((await verdictOn(pick(0, 0, 2), K)).verdict).toMatchObject({
      kind: 'diverge',
      counts: { extra: 1 },
    });
  });

  test('no output proves nothing', async () => {
    expect((await verdictOn([], K)).verdict).toMatchObject({ kind: 'inconclusive', reason: 'both-empty' });
  });

  test('all output leaves nothing open', async () => {
    expect(await verdictOn(rows, K)).toMatchObject({
      verdict: { kind: 'agree' },
      open: 0,
      watermark: { from: 30, to: Infinity },
    });
  });
});

describe('rows of an interrupted per-record query (semantics §5)', () => {
  const partitions: readonly (readonly Row[])[] = [
    [
      [1, 'a', 1],
      [2, 'a', 2],
      [3, 'a', 3],
    ],
    [
      [1, 'b', 4],
      [2, 'b', 5],
    ],
  ];
  const verdictOfRows = async (actual: readonly Row[]) => {
    const explained = explainPrefixes(partitions, actual)!;
    const verdict = await judge({
      columns,
      declaration,
      expected: { rows: explained.rows },
      actual: { rows: actual },
    });
    return { verdict, open: explained.open };
  };

  test('are a prefix of each partition, in any interleaving', async () => {
    expect(
      await verdictOfRows([
        [1, 'b', 4],
        [1, 'a', 1],
        [2, 'a', 2],
      ]),
    ).toEqual({
      verdict: { kind: 'agree', rows: 3 },
      open: 2,
    });
  });

  test('lack none before the last that is there', async () => {
    expect(
      (
        await verdictOfRows([
          [1, 'a', 1],
          [3, 'a', 3],
        ])
      ).verdict,
    ).toMatchObject({
      kind: 'diverge',
      counts: { lost: 1 },
    });
  });

  test('hold none that was not read', async () => {
    expect(
      (
        await verdictOfRows([
          [1, 'a', 1],
          [9, 'a', 9],
        ])
      ).verdict,
    ).toMatchObject({
      kind: 'diverge',
      counts: { extra: 1 },
    });
  });

  describe('that several partitions hold', () => {
    const prefixesOf = (of: readonly (readonly Row[])[], actual: readonly Row[]) =>
      explainPrefixes(of, actual);

    test('are those of the partition whose prefix they complete', () => {
      // Taken as early as can be, the 5 of the first partition would call for its 2, which is not there.
      const of: Row[][] = [
        [[1], [2], [5]],
        [[1], [3], [5]],
      ];
      const actual: Row[] = [[1], [3], [5], [1]];
      expect(prefixesOf(of, actual)).toMatchObject({ rows: [[1], [1], [3], [5]], open: 2 });
    });

    test('leave a gap where no prefixes are just what is there', () => {
      const of: Row[][] = [
        [[1], [2], [5]],
        [[1], [3], [5]],
      ];
      const explained = prefixesOf(of, [[1], [1], [5]]);
      expect(explained!.rows).toHaveLength(4);
    });

    test('are undecided where too many ways would have to be tried', () => {
      // Each of twelve partitions gives some of its 0s; no sum of prefixes ends with the one 1 of the first.
      const zeros = Array.from({ length: 30 }, (): Row => [0]);
      const of = Array.from({ length: 12 }, () => [...zeros, [1] as Row]);
      expect(prefixesOf(of, [...zeros.slice(0, 20), [1]])).toBeUndefined();
    });
  });
});
