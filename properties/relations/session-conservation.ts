import { count, from, session } from '../../src/model/build.ts';
import { rowsOf } from '../../src/model/dataset.ts';
import { operatorsOf } from '../../src/model/plan/rewrite.ts';
import { type CheckedQuery, checkedOver, type QueryDefinition } from '../../src/model/query.ts';
import { type Relation, relationProperty } from './relation.ts';
import { drained, isOnTime, onceForQuery } from './settings.ts';

const relation: Relation = {
  name: 'sessions-conserve-rows',
  statement: 'every row that comes in time is in exactly one session',
  coverage: ['exactly-a-gap-apart'],
  share: 0.04,
  relate(testCase, traits) {
    const whole = drained(testCase, traits);
    if (whole === undefined || !isOnTime(testCase.dataset, traits)) return undefined;
    for (const { query, nullable, stream } of countingQueries(whole.query, whole.dataset)) {
      const total = rowsOf(whole.dataset, [stream]);
      if (total === 0) continue;
      const width = query.columns.length;
      // One row that stands for all, so that a sum is compared and not sessions, of which nothing is known here.
      const summed = (rows: number) => [
        [...Array<number>(2).fill(0), ...Array<null>(width - 3).fill(null), rows],
      ];
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

interface CountingQuery {
  readonly query: CheckedQuery;
  /** The same with columns that may all be NULL. */
  readonly nullable: CheckedQuery;
  readonly stream: string;
}

/** For each session window over a stream of a query the one that counts the rows of its sessions. */
const countingQueries = onceForQuery((whole, dataset): readonly CountingQuery[] =>
  operatorsOf(whole.plan).flatMap((node) => {
    if (node.op !== 'window' || node.window.kind !== 'session' || node.input.op !== 'scan') return [];
    const keys = keysIn(whole.relationOf(node.input).columns, node.window.keys);
    if (keys === undefined) return [];
    const { stream } = node.input;
    const query = checkedOver(countedSessions(stream, node.window.gapMs, keys), dataset);
    if (query === undefined) return [];
    const columns = query.columns.map((column) => ({ ...column, nullable: true }));
    return [{ query, nullable: { ...query, columns }, stream }];
  }),
);

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
