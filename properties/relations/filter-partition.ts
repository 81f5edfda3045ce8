import { call } from '../../src/model/build.ts';
import type { Expression } from '../../src/model/expression.ts';
import type { Plan } from '../../src/model/plan/index.ts';
import { operatorsOf } from '../../src/model/plan/rewrite.ts';
import type { CheckedQuery, QueryDefinition } from '../../src/model/query.ts';
import { type Relation, relationProperty } from './relation.ts';
import { checkedOver, uninterrupted } from './settings.ts';

const relation: Relation = {
  name: 'filters-part-the-rows',
  statement: 'each row is where a condition is true, or where it is false, or where it is NULL',
  coverage: ['null'],
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined) return undefined;
    for (const node of operatorsOf(whole.query.plan)) {
      if (node.op !== 'filter' || node.input.op !== 'scan') continue;
      const { where, input } = node;
      const all = queryOf(input, whole.query, whole.dataset);
      const parts = [where, call('not', where), call('is_null', where)].map((condition: Expression) =>
        queryOf({ op: 'filter', input, where: condition }, whole.query, whole.dataset),
      );
      if (all === undefined || parts.some((part) => part === undefined)) continue;
      return {
        cases: [all, ...parts].map((query) => ({ ...whole, query: query! })),
        claims: ([rows, ...others]) => [{ query: all, expected: rows!, actual: others.flat() }],
      };
    }
    return undefined;
  },
};

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
