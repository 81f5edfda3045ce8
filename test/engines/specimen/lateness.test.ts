import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, cumulate, from, hop, tumble } from '../../../src/model/build.ts';
import type { Row } from '../../../src/model/value.ts';
import { sorted } from '../cases.ts';
import { answer, click, inputOf } from './support.ts';

const LAG_MS = 3;

/** Clicks on two partitions, often late. */
const arriving = fc.array(
  fc.record({
    at: fc.integer({ min: -15, max: 40 }),
    partition: fc.nat({ max: 1 }),
    k: fc.constantFrom('a', 'b'),
  }),
  { maxLength: 25 },
);

type Arrivals = typeof arriving extends fc.Arbitrary<infer T> ? T : never;

/** The watermark of everything before the row of this number (§2): the least over the partitions. */
function watermarkBefore(rows: Arrivals, index: number): number {
  return Math.min(
    ...[0, 1].map(
      (partition) =>
        Math.max(
          Number.NEGATIVE_INFINITY,
          ...rows.slice(0, index).flatMap((row) => (row.partition === partition ? [row.at] : [])),
        ) - LAG_MS,
    ),
  );
}

/** Each window of every bound tried, with the rows that came before it fired, as far as the watermark got (§3, §4). */
function settledCounts(
  rows: Arrivals,
  windows: readonly (readonly [start: number, end: number])[],
): readonly Row[] {
  const reached = watermarkBefore(rows, rows.length);
  const counts: Row[] = [];
  for (const [start, end] of windows) {
    if (end - 1 > reached) continue;
    for (const k of ['a', 'b']) {
      const n = rows.filter(
        (row, index) =>
          row.k === k && start <= row.at && row.at < end && end - 1 > watermarkBefore(rows, index),
      ).length;
      if (n > 0) counts.push([start, end, k, n]);
    }
  }
  return sorted(counts);
}

const multiples = (step: number) =>
  Array.from({ length: 1 + Math.floor(120 / step) }, (_, index) => step * (index - Math.floor(60 / step)));

/** All windows about the times that are drawn, written out. */
const kinds = [
  ['tumble', tumble(10), multiples(10).map((start) => [start, start + 10] as const)],
  ['hop', hop(10, 4), multiples(4).map((start) => [start, start + 10] as const)],
  [
    'cumulate',
    cumulate(5, 15),
    multiples(15).flatMap((start) => [5, 10, 15].map((length) => [start, start + length] as const)),
  ],
] as const;

describe('a row counts in the windows that the least watermark before it had not reached', () => {
  it.each(kinds)('%s', async (_, window, windows) => {
    const plan = from('click').window(window).perWindow(['k'], { n: count() });
    let late = 0;
    const property = fc.asyncProperty(arriving, fc.integer({ min: 1, max: 4 }), async (rows, parallelism) => {
      const dataset = inputOf(
        LAG_MS,
        2,
        rows.map(({ k, at, partition }) => click(k, at, null, partition)),
      );
      const expected = settledCounts(rows, windows);
      if (rows.some(({ at }, index) => at + 10 < watermarkBefore(rows, index))) late += 1;
      expect(await answer(plan, dataset, { stop: 'settle-cancel', parallelism })).toEqual(expected);
    });
    await fc.assert(property, { seed: 20_241_130, numRuns: 300 });
    expect(late).toBeGreaterThan(50);
  });
});
