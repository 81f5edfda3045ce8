import { z } from 'zod';
import { PlanError } from '../errors.ts';
import { type Expression, expressionSchema, typeOf } from '../expression.ts';
import type { Plan } from './index.ts';
import type { Relation } from './relation.ts';

/** The rows for which `where` is true; neither false nor NULL (semantics §1). */
export interface Filter {
  readonly op: 'filter';
  readonly input: Plan;
  readonly where: Expression;
}

export const filterSchema = (plan: z.ZodType<Plan>) =>
  z.strictObject({ op: z.literal('filter'), input: plan, where: expressionSchema });

export function checkFilter(node: Filter, input: Relation, path: string): Relation {
  const { type } = typeOf(node.where, input.columns, `${path}.where`);
  if (type !== 'BOOLEAN')
    throw new PlanError('type-mismatch', `${path}.where`, `expected BOOLEAN, not ${type}`);
  return input;
}
