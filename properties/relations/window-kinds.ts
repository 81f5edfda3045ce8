import { rewritePlan } from '../../src/model/plan/rewrite.ts';
import type { WindowKind } from '../../src/model/plan/window.ts';
import { type Relation, relationProperty, sameAsFirst } from './relation.ts';
import { checkedOver, uninterrupted } from './settings.ts';

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
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined) return undefined;
    const { definition } = whole.query;
    const cases = [whole];
    for (const otherwise of OTHERWISE) {
      const plan = rewritePlan(definition.plan, (node) =>
        node.op === 'window' && node.window.kind === 'tumble'
          ? { ...node, window: otherwise(node.window) }
          : node,
      );
      if (JSON.stringify(plan) === JSON.stringify(definition.plan)) return undefined;
      const query = checkedOver({ ...definition, plan }, whole.dataset);
      if (query !== undefined) cases.push({ ...whole, query });
    }
    return cases.length === 1 ? undefined : sameAsFirst(cases);
  },
};

export const hopIsTumbleIsCumulate = relationProperty(relation);
