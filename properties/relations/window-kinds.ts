import { operatorsOf, rewritePlan } from '../../src/model/plan/rewrite.ts';
import type { WindowKind } from '../../src/model/plan/window.ts';
import { type CheckedQuery, checkedOver } from '../../src/model/query.ts';
import { type Relation, relationProperty, sameAsFirst } from './relation.ts';
import { onceForQuery, uninterrupted } from './settings.ts';

type Tumble = Extract<WindowKind, { kind: 'tumble' }>;

/** The same windows under other names. */
const OTHERWISE: readonly ((window: Tumble) => WindowKind)[] = [
  ({ sizeMs, offsetMs }) => ({ kind: 'hop', sizeMs, slideMs: sizeMs, offsetMs }),
  ({ sizeMs, offsetMs }) => ({ kind: 'cumulate', sizeMs, stepMs: sizeMs, offsetMs }),
];

const relation: Relation = {
  name: 'hop-is-tumble-is-cumulate',
  statement: 'windows that hop by their size, or cumulate in one step, are those that tumble',
  coverage: ['on-a-window-edge'],
  share: 0.28,
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined) return undefined;
    const others = queriesOtherwise(whole.query, whole.dataset);
    return others.length === 0
      ? undefined
      : sameAsFirst([whole, ...others.map((query) => ({ ...whole, query }))]);
  },
};

/** The query with its tumbling windows under each of their other names; none where it has no such window. */
const queriesOtherwise = onceForQuery(({ definition }, dataset): readonly CheckedQuery[] => {
  const { plan } = definition;
  if (!operatorsOf(plan).some((node) => node.op === 'window' && node.window.kind === 'tumble')) return [];
  return OTHERWISE.flatMap((otherwise) => {
    const changed = rewritePlan(plan, (node) =>
      node.op === 'window' && node.window.kind === 'tumble'
        ? { ...node, window: otherwise(node.window) }
        : node,
    );
    return checkedOver({ ...definition, plan: changed }, dataset) ?? [];
  });
});

export const hopIsTumbleIsCumulate = relationProperty(relation);
