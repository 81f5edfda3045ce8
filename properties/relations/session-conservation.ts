import { count, from, session } from '../../src/model/build.ts';
import { rowsOf } from '../../src/model/dataset.ts';
import { operatorsOf } from '../../src/model/plan/rewrite.ts';
import type { QueryDefinition } from '../../src/model/query.ts';
import { type Relation, relationProperty } from './relation.ts';
import { checkedOver, drained, isOnTime } from './settings.ts';

const relation: Relation = {
  name: 'sessions-conserve-rows',
  statement: 'every row that comes in time is in exactly one session',
  coverage: ['exactly-a-gap-apart'],
  relate(testCase, traits) {
    const whole = drained(testCase, traits);
    if (whole === undefined || !isOnTime(testCase.dataset, traits)) return undefined;
    for (const node of operatorsOf(whole.query.plan)) {
      if (node.op !== 'window' || node.window.kind !== 'session') continue;
      const keys = keysIn(whole.query.relationOf(node.input).columns, node.window.keys);
      if (node.input.op !== 'scan' || keys === undefined) continue;
      const { stream } = node.input;
      const query = checkedOver(countedSessions(stream, node.window.gapMs, keys), whole.dataset);
      const total = rowsOf(whole.dataset, [stream]);
      if (query === undefined || total === 0) continue;
      const width = query.columns.length;
      // One row that stands for all, so that a sum is compared and not sessions, of which nothing is known here.
      const summed = (rows: number) => [
        [...Array<number>(2).fill(0), ...Array<null>(width - 3).fill(null), rows],
      ];
      const nullable = {
        ...query,
        columns: query.columns.map((column) => ({ ...column, nullable: true })),
      };
      return {
        cases: [{ ...whole, query }],
        claims: ([sessions]) => [
          {
            query: nullable,
            expected: summed(total),
            actual: summed(sessions!.reduce((sum, row) => sum + (row.at(-1) as number), 0)),
          },
        ],
      };
    }
    return undefined;
  },
};

/** The keys, where all are columns; a session without keys has none. */
function keysIn(
  columns: readonly { readonly name: string }[],
  keys: readonly string[],
): readonly string[] | undefined {
  return keys.every((key) => columns.some(({ name }) => name === key)) ? keys : undefined;
}

function countedSessions(stream: string, gapMs: number, keys: readonly string[]): QueryDefinition {
  return {
    version: 1,
    name: 'counted-sessions',
    title: 'rows of each session',
    plan: from(stream).window(session(gapMs, keys)).perWindow(keys, { n: count() }).plan,
    declaration: {
      class: 'append',
      reason: 'a session fires once',
      keys: ['window_start', 'window_end', ...keys],
      fire: { column: 'window_end' },
    },
    premises: [],
  };
}

export const sessionsConserveRows = relationProperty(relation);
