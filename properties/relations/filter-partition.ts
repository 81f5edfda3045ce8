import { call } from '../../src/model/build.ts';
import type { Expression } from '../../src/model/expression.ts';
import type { Plan } from '../../src/model/plan/index.ts';
import { operatorsOf } from '../../src/model/plan/rewrite.ts';
import { type CheckedQuery, checkedOver, type QueryDefinition } from '../../src/model/query.ts';
import { type Relation, relationProperty } from './relation.ts';
import { onceForQuery, uninterrupted } from './settings.ts';

const relation: Relation = {
  name: 'filters-part-the-rows',
  statement: 'each row is where a condition is true, or where it is false, or where it is NULL',
  coverage: ['null'],
  share: 0.16,
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined) return undefined;
    const queries = partedQueries(whole.query, whole.dataset);
    if (queries === undefined) return undefined;
    return {
      cases: queries.map((query) => ({ ...whole, query })),
      claims: ([rows, ...others]) => [{ query: queries[0]!, expected: rows!, actual: others.flat() }],
    };
  },
};

/** All rows that the first filter over a stream reads, and those where its condition is true, false and NULL. */
const partedQueries = onceForQuery((query, dataset): readonly CheckedQuery[] | undefined => {
  for (const node of operatorsOf(query.plan)) {
    if (node.op !== 'filter' || node.input.op !== 'scan') continue;
    const { where, input } = node;
    const parts = [where, call('not', where), call('is_null', where)].map(
      (condition: Expression): Plan => ({ op: 'filter', input, where: condition }),
    );
    const queries = [input, ...parts].map((plan) => queryOf(plan, query, dataset));
    if (queries.every((each) => each !== undefined)) return queries;
  }
  return undefined;
});

/** A plan without windows over one stream: a row for a row. */
function queryOf(
  plan: Plan,
  { definition: { name, premises } }: CheckedQuery,
  dataset: Parameters<typeof checkedOver>[1],
): CheckedQuery | undefined {
  if (plan.op !== 'scan' && plan.op !== 'filter') return undefined;
  const stream = plan.op === 'scan' ? plan.stream : plan.input.op === 'scan' ? plan.input.stream : '';
  const schema = dataset.streams.find((each) => each.schema.name === stream)?.schema;
  const keys = schema?.columns.map((column) => column.name) ?? [];
  const definition: QueryDefinition = {
    version: 1,
    name,
    title: 'rows of a condition',
    plan,
    declaration: { class: 'append', reason: 'a row for a row', keys, fire: 'immediate' },
    premises: premises.filter((premise) => premise.stream === stream),
  };
  return checkedOver(definition, dataset);
}

export const filtersPartTheRows = relationProperty(relation);
