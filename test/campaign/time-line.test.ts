import { expect, test } from 'vitest';
import { type Truth, truth } from '../../oracles/truth.ts';
import { MAX_BINS } from '../../src/campaign/time-axis.ts';
import {
  type EngineTimeLine,
  type TimeLine,
  timeLine,
  timeLineSchema,
} from '../../src/campaign/time-line.ts';
import { count, from, tumble } from '../../src/model/build.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import type { FireColumn } from '../../src/model/declaration.ts';
import { type CheckedQuery, checkQuery, QUERY_VERSION } from '../../src/model/query.ts';
import { rowToJson } from '../../src/model/row-json.ts';
import { neutralTraits } from '../../src/model/traits.ts';
import type { Row } from '../../src/model/value.ts';
import { lines } from '../judge/captures.ts';
import { type Click, clickStream, clicks } from '../support/clicks.ts';

const perTenSeconds = from('click').window(tumble(10_000)).perWindow(['k'], { n: count() });

function queryOf(plan = perTenSeconds, fire: FireColumn = { column: 'window_end' }): CheckedQuery {
  const keys = ['k'];
  const declaration = { class: 'append', reason: 'test', keys, fire } as const;
  return checkQuery(
    { version: QUERY_VERSION, name: 'test', title: 'test', plan: plan.plan, declaration, premises: [] },
    [clickStream],
  );
}

/** `a` and `b` in each pane of ten seconds. */
const inPanes = (panes: number): Dataset =>
  clicks(
    0,
    ...Array.from({ length: panes }, (_, pane): Click[] => [
      ['a', 10_000 * pane],
      ['b', 10_000 * pane + 1],
    ]).flat(),
  );

const drainedTruth = (query: CheckedQuery, data: Dataset) => truth(query, data, 'drained', neutralTraits);
const DRAINED = { watermark: Number.POSITIVE_INFINITY, fireEarlyMs: 0 };

const captureOf = ({ columns }: CheckedQuery, rows: readonly Row[]) =>
  lines(...rows.map((row) => rowToJson(columns, row))).capture;

/** The time line of one engine that gave these rows. */
async function lineOf(
  query: CheckedQuery,
  drained: Truth,
  rows: readonly Row[],
  reached: { watermark: number; fireEarlyMs: number } | undefined = DRAINED,
): Promise<TimeLine & { readonly only: EngineTimeLine }> {
  const output = captureOf(query, rows);
  const line = timeLineSchema.parse(await timeLine(query, [{ engine: 'e', drained, reached, output }]));
  return { ...line, only: line.engines[0]! };
}

test('a bin holds one pane of a regular window, and all of a right output is shown', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(4));
  const line = await lineOf(query, drained, drained.rows);
  expect(line).toMatchObject({ from: 10_000, binMs: 10_000, bins: 4 });
  expect(line.only).toEqual({
    engine: 'e',
    watermark: 'end',
    truth: [2, 2, 2, 2],
    due: [2, 2, 2, 2],
    shown: [2, 2, 2, 2],
    premature: [0, 0, 0, 0],
    extra: [0, 0, 0, 0],
    unplaced: 0,
  });
});

test('an output that was found to be as due is told without reading it', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(4));
  const reached = { watermark: 20_000, fireEarlyMs: 0 };
  const line = await timeLine(query, [{ engine: 'e', drained, reached, output: 'as-due' }]);
  const due = drained.rows.filter((_, index) => drained.firePoints[index]! <= 20_000);
  expect(line?.engines[0]).toEqual((await lineOf(query, drained, due, reached)).only);
});

test('a missing pane is missing in its bin and in no other', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(4));
  const rows = drained.rows.filter((_, index) => drained.firePoints[index] !== 30_000);
  const { only } = await lineOf(query, drained, rows);
  expect(only.due).toEqual([2, 2, 2, 2]);
  expect(only.shown).toEqual([2, 2, 0, 2]);
});

test('a wrong row does not make up for a missing one of its pane', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(2));
  const n = query.columns.findIndex(({ name }) => name === 'n');
  const [first, ...others] = drained.rows;
  const { only } = await lineOf(query, drained, [first!.with(n, 99), ...others]);
  expect(only.shown).toEqual([1, 2]);
  expect(only.extra).toEqual([1, 0]);
});

test('a row that comes twice is shown once', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(2));
  const { only } = await lineOf(query, drained, [...drained.rows, drained.rows.at(-1)!]);
  expect(only.shown).toEqual([2, 2]);
  expect(only.extra).toEqual([0, 1]);
});

test('what fires after the watermark is not due, and premature where it is there', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(4));
  const { only } = await lineOf(query, drained, drained.rows, { watermark: 19_999, fireEarlyMs: 1 });
  expect(only).toMatchObject({
    watermark: 19_999,
    due: [2, 2, 0, 0],
    shown: [2, 2, 0, 0],
    premature: [0, 0, 2, 2],
  });
});

test('of a run cancelled midway nothing is due, and what it showed is shown', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(3));
  const bytes = drained.rows.slice(0, 2);
  const line = await timeLine(query, [
    { engine: 'e', drained, reached: undefined, output: captureOf(query, bytes) },
  ]);
  expect(line?.engines[0]).toMatchObject({ watermark: 'unknown', shown: [2, 0, 0], premature: [0, 0, 0] });
  expect(timeLineSchema.parse(line).engines[0]!.due).toBeUndefined();
});

test('rows that bear no time of their own are placed where they are true, and else counted aside', async () => {
  const query = queryOf(perTenSeconds.select('k', 'n'), 'unknown');
  const drained = drainedTruth(query, inPanes(3));
  // Equal rows of three panes: the earliest are shown first.
  const { only } = await lineOf(query, drained, [...drained.rows.slice(0, 2), ['z', 1]]);
  expect(only.shown).toEqual([2, 0, 0]);
  expect(only.unplaced).toBe(1);
});

test('a row beyond all panes stands at the nearest', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(3));
  const end = query.columns.findIndex(({ name }) => name === 'window_end');
  const beyond = drained.rows[0]!.with(end, 9_000_000);
  const before = drained.rows[0]!.with(end, -9_000_000);
  const { only } = await lineOf(query, drained, [...drained.rows, beyond, before]);
  expect(only.extra).toEqual([1, 0, 1]);
});

test('many panes share bins, whose number is bounded, and no row is left out', async () => {
  const query = queryOf();
  const drained = drainedTruth(query, inPanes(1_000));
  const line = await lineOf(query, drained, drained.rows);
  expect(line.bins).toBeLessThanOrEqual(MAX_BINS);
  expect(line.binMs % 10_000).toBe(0);
  expect(line.only.shown.reduce((sum, each) => sum + each, 0)).toBe(2_000);
  expect(new Set(line.only.truth.slice(0, -1)).size).toBe(1);
});

test('queries whose rows have no fire point have no time line', async () => {
  const perRecord = queryOf(from('click').select('k', 'seq'), 'immediate');
  const drained = drainedTruth(perRecord, inPanes(2));
  const side = { engine: 'e', drained, reached: DRAINED, output: 'as-due' } as const;
  expect(await timeLine(perRecord, [side])).toBeUndefined();
  const empty = { ...drainedTruth(queryOf(), inPanes(1)), rows: [], firePoints: [] };
  expect(await timeLine(queryOf(), [{ ...side, drained: empty }])).toBeUndefined();
});
