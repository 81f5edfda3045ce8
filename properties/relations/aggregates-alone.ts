import { type CheckedQuery, checkedOver } from '../../src/model/query.ts';
import { type Relation, relationProperty } from './relation.ts';
import { onceForQuery, uninterrupted } from './settings.ts';

const relation: Relation = {
  name: 'aggregates-alone-equal-those-in-company',
  statement: 'an aggregate gives by itself what it gives beside others',
  coverage: ['null'],
  share: 0.21,
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined) return undefined;
    const { plan } = whole.query;
    if (plan.op !== 'aggregate' || plan.aggregates.length < 2) return undefined;
    const alone = queriesAlone(whole.query, whole.dataset);
    if (alone === undefined) return undefined;
    const groups = plan.keys.length;
    return {
      cases: [whole, ...alone.map((query) => ({ ...whole, query }))],
      claims: ([together, ...others]) =>
        others.map((actual, index) => ({
          query: alone[index]!,
          expected: together!.map((row) => [...row.slice(0, groups), row[groups + index]!]),
          actual,
        })),
    };
  },
};

/** The query with each of its aggregates by itself; undefined where one is not sound so. */
const queriesAlone = onceForQuery(({ definition }, dataset): readonly CheckedQuery[] | undefined => {
  const { plan, declaration } = definition;
  if (plan.op !== 'aggregate') return undefined;
  const alone = plan.aggregates.map((call) => {
    const keys = declaration.keys.filter((key) => plan.keys.includes(key));
    const tolerance = declaration.tolerance?.columns.includes(call.as)
      ? { ...declaration.tolerance, columns: [call.as] }
      : undefined;
    return checkedOver(
      {
        ...definition,
        plan: { ...plan, aggregates: [call] },
        declaration: { ...declaration, keys: keys.length === 0 ? [call.as] : keys, tolerance },
      },
      dataset,
    );
  });
  return alone.every((query) => query !== undefined) ? alone : undefined;
});

export const aggregatesAloneEqualThoseInCompany = relationProperty(relation);
