import { z } from 'zod';
import { PlanError } from '../errors.ts';
import { type Expression, expressionSchema, typeOf } from '../expression.ts';
import { nameSchema } from '../schema.ts';
import type { Plan } from './index.ts';
import type { Relation } from './relation.ts';

/**
 * Inner join: every pair of a left and a right row that is equal in `equal` and for which `where` is true.
 * NULL equals nothing. The output has the left columns, then the right ones; their names must differ, so
 * rename with `project` first. State is unbounded and event time is lost.
 */
export interface Join {
  readonly op: 'join';
  readonly left: Plan;
  readonly right: Plan;
  readonly equal: readonly { readonly left: string; readonly right: string }[];
  readonly where?: Expression | undefined;
}

export const joinSchema = (plan: z.ZodType<Plan>) =>
  z.strictObject({
    op: z.literal('join'),
    left: plan,
    right: plan,
    equal: z.array(z.strictObject({ left: nameSchema, right: nameSchema })).min(1),
    where: expressionSchema.optional(),
  });

export function checkJoin(node: Join, left: Relation, right: Relation, path: string): Relation {
  const columns = [...left.columns, ...right.columns];
  const shared = right.columns.find(({ name }) => left.columns.some((column) => column.name === name));
  if (shared !== undefined)
    throw new PlanError('duplicate-column', path, `both sides have a column ${shared.name}`);
  if (left.window !== undefined || right.window !== undefined) {
    throw new PlanError('partial-window', path, 'aggregate a window before joining its results');
  }
  for (const [index, pair] of node.equal.entries()) {
    const at = `${path}.equal[${index}]`;
    const l = typeOf({ col: pair.left }, left.columns, `${at}.left`);
    const r = typeOf({ col: pair.right }, right.columns, `${at}.right`);
    if (l.type !== r.type) throw new PlanError('type-mismatch', at, `${l.type} against ${r.type}`);
  }
  if (node.where !== undefined) {
    const { type } = typeOf(node.where, columns, `${path}.where`);
    if (type !== 'BOOLEAN')
      throw new PlanError('type-mismatch', `${path}.where`, `expected BOOLEAN, not ${type}`);
  }
  const matchesOne = (relation: Relation, keys: readonly string[]) =>
    relation.unique.some((set) => set.every((name) => keys.includes(name)));
  const unique = [
    // Where the other side matches at most once, a unique set of this side stays unique alone.
    ...(matchesOne(
      right,
      node.equal.map((pair) => pair.right),
    )
      ? left.unique
      : []),
    ...(matchesOne(
      left,
      node.equal.map((pair) => pair.left),
    )
      ? right.unique
      : []),
    ...left.unique.flatMap((l) => right.unique.map((r) => [...l, ...r])),
  ];
  return { columns, unique, updating: left.updating || right.updating };
}
