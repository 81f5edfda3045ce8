import { expect, test } from 'vitest';
import { behindRows } from '../../src/campaign/fuzz/behind-rows.ts';
import { count, from, type PlanBuilder, tumble } from '../../src/model/build.ts';
import type { Row } from '../../src/model/value.ts';
import type { Diverge } from '../../src/model/verdict.ts';
import { caseOf, click, input, sale } from '../engines/specimen/support.ts';

const lost = (...rows: readonly Row[]): Diverge => ({
  kind: 'diverge',
  counts: { lost: rows.length, premature: 0, altered: 0, extra: 0, corrupt: 0 },
  samples: rows.map((expected) => ({ kind: 'lost', count: 1, expected })),
});

const data = input(
  0,
  click('a', 1),
  click('b', 2),
  click('a', 12),
  click('a', 5),
  click('b', 31),
  sale('a', 7),
);

/** The arrivals of the events of each guess. */
function guesses(plan: PlanBuilder, verdict: Diverge): readonly (readonly number[])[] {
  return behindRows(caseOf(plan, data), verdict).map((events) =>
    [...events].map(({ arrival }) => arrival).sort((a, b) => a - b),
  );
}

test('behind a row of a window stand the events of its key and bounds, then what moves the watermark', () => {
  const plan = from('click').window(tumble(10)).perWindow(['k'], { n: count() });
  expect(guesses(plan, lost([0, 10, 'a', 2], [0, 10, 'b', 1]))).toEqual([
    [0, 3],
    [0, 3, 4],
    [0, 1, 3, 4],
  ]);
});

test('behind a pair stand events of both streams, told by the key that is equal in both', () => {
  const plan = from('click')
    .project({ key: 'k', at: 'at' })
    .join(from('sale').project({ sold_item: 'item' }), { key: 'sold_item' })
    .select('sold_item', 'at');
  expect(guesses(plan, lost(['a', 12]))[0]).toEqual([2, 5]);
});

test('what a row does not tell leaves nothing out, and a corrupt line tells nothing', () => {
  const plan = from('click').aggregate([], { n: count() });
  expect(guesses(plan, lost([5]))[0]).toEqual([0, 1, 2, 3, 4]);
  const corrupt: Diverge = {
    ...lost(),
    samples: [{ kind: 'corrupt', count: 1, position: { line: 1, byte: 0, problem: 'no JSON' } }],
  };
  expect(guesses(plan, corrupt)).toEqual([]);
});
