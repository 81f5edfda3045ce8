import type { ColumnReference, Expression, Literal } from '../expression.ts';
import { inputsOf, type Plan } from './index.ts';

/** A plan with every operator replaced by what `change` makes of it, the inputs first. */
export function rewritePlan(plan: Plan, change: (node: Plan) => Plan): Plan {
  switch (plan.op) {
    case 'scan':
      return change(plan);
    case 'join':
      return change({
        ...plan,
        left: rewritePlan(plan.left, change),
        right: rewritePlan(plan.right, change),
      });
    default:
      return change({ ...plan, input: rewritePlan(plan.input, change) });
  }
}

/** Every operator of a plan, the inputs before what reads them. */
export function operatorsOf(plan: Plan): readonly Plan[] {
  return [...inputsOf(plan).flatMap(operatorsOf), plan];
}

/** The scalar expressions of one operator. */
export function expressionsOf(node: Plan): readonly Expression[] {
  switch (node.op) {
    case 'filter':
      return [node.where];
    case 'project':
      return node.columns.map(({ value }) => value);
    case 'join':
      return node.where === undefined ? [] : [node.where];
    case 'aggregate':
      return node.aggregates.flatMap(({ where }) => (where === undefined ? [] : [where]));
    default:
      return [];
  }
}

/** A plan with every scalar expression of its operators replaced by what `change` makes of it. */
export function rewriteExpressions(plan: Plan, change: (expression: Expression) => Expression): Plan {
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

/** An expression with its columns and literals replaced by what `change` makes of each. */
export function rewriteLeaves(
  expression: Expression,
  change: (leaf: ColumnReference | Literal) => Expression,
): Expression {
  if (!('fn' in expression)) return change(expression);
  return { ...expression, args: expression.args.map((arg) => rewriteLeaves(arg, change)) };
}

/** An expression and all that is within it. */
export function partsOf(expression: Expression): readonly Expression[] {
  return 'fn' in expression ? [expression, ...expression.args.flatMap(partsOf)] : [expression];
}
