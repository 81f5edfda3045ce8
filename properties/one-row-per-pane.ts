import { keyOf } from '../src/judge/row-bag.ts';
import type { Case } from '../src/model/case.ts';
import { WINDOW_END, WINDOW_START } from '../src/model/plan/relation.ts';
import type { Row } from '../src/model/value.ts';
import type { Difference, Verdict } from '../src/model/verdict.ts';
import { labelsOf } from './coverage.ts';
import { outputRows } from './output-rows.ts';
import type { Property } from './property.ts';
import { withoutOutput } from './relations/relation.ts';

/** A window without allowed lateness fires once: no pane of a key is told twice, late rows or not (semantics §2). */
export const oneRowPerPane: Property = {
  name: 'one-row-per-pane',
  statement: 'an aggregate of windows gives at most one row for each pane of a key',
  coverage: ['rows', 'tie', 'on-a-window-edge'],
  share: 0.25,
  minCases: 30,
  cover: labelsOf,
  applies: (testCase, traits) =>
    groupsOf(testCase) !== undefined && traits.every(({ stops }) => stops.includes(testCase.schedule.stop)),
  async check(testCase, sessions, signal) {
    const groups = groupsOf(testCase);
    if (groups === undefined) {
      return { kind: 'inconclusive', reason: 'skipped', message: 'the query gives no row for a pane' };
    }
    let rows = 0;
    for (const session of sessions) {
      const outcome = await session.run(testCase, signal);
      if (outcome.kind !== 'output') return withoutOutput(outcome);
      const output = await outputRows(testCase.query, outcome);
      if ('kind' in output) return output;
      const repeated = repeatedPanes(output, groups);
      if (repeated.length > 0) return toldAgain(repeated);
      rows += output.length;
    }
    if (rows > 0) return { kind: 'agree', rows };
    return { kind: 'inconclusive', reason: 'both-empty', message: 'no output held a row' };
  },
};

/** How many of the first columns tell the pane and its key; undefined where the query is no such aggregate. */
function groupsOf({ query: { plan, output } }: Case): number | undefined {
  const isPane =
    plan.op === 'aggregate' &&
    plan.keys.includes(WINDOW_START) &&
    plan.keys.includes(WINDOW_END) &&
    !output.updating;
  return isPane ? plan.keys.length : undefined;
}

function repeatedPanes(rows: readonly Row[], groups: number): readonly Row[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const pane = keyOf(row.slice(0, groups));
    if (seen.has(pane)) return true;
    seen.add(pane);
    return false;
  });
}

function toldAgain(rows: readonly Row[]): Verdict {
  const counts = { lost: 0, premature: 0, altered: 0, extra: rows.length, corrupt: 0 };
  const samples = rows.slice(0, 20).map((actual): Difference => ({ kind: 'extra', count: 1, actual }));
  return { kind: 'diverge', counts, samples };
}
