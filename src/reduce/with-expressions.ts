import type { Expression } from '../model/expression.ts';
import type { Plan } from '../model/plan/index.ts';
import { rewritePlan } from '../model/plan/rewrite.ts';

/** A plan with every expression of its operators changed. */
export function withExpressions(plan: Plan, change: (expression: Expression) => Expression): Plan {
  return rewritePlan(plan, (node) => {
    switch (node.op) {
      case 'filter':
        return { ...node, where: change(node.where) };
      case 'project':
        return { ...node, columns: node.columns.map(({ as, value }) => ({ as, value: change(value) })) };
      case 'join':
        return node.where === undefined ? node : { ...node, where: change(node.where) };
      case 'aggregate':
        return {
          ...node,
          aggregates: node.aggregates.map((call) =>
            call.where === undefined ? call : { ...call, where: change(call.where) },
          ),
        };
      default:
        return node;
    }
  });
}
