import { z } from 'zod';
import { PlanError } from '../errors.ts';
import { nameSchema } from '../schema.ts';
import type { Plan } from './index.ts';
import { coversUnique, type Relation } from './relation.ts';

/**
 * The best `limit` rows of each partition by ROW_NUMBER (semantics §3). Rows are updated: a better row pushes
 * the last one out.
 *
 * `partitionBy` and `orderBy` together cover a unique set, else the answer is not determined and the plan is
 * refused.
 */
export interface Rank {
  readonly op: 'rank';
  readonly input: Plan;
  readonly partitionBy: readonly string[];
  readonly orderBy: readonly OrderKey[];
  readonly limit: number;
}

/** One column of an order. Where the column is nullable `nulls` says where NULL stands. */
export interface OrderKey {
  readonly column: string;
  readonly direction: 'asc' | 'desc';
  readonly nulls?: 'first' | 'last' | undefined;
}

export const rankSchema = (plan: z.ZodType<Plan>) =>
  z.strictObject({
    op: z.literal('rank'),
    input: plan,
    partitionBy: z.array(nameSchema),
    orderBy: z
      .array(
        z.strictObject({
          column: nameSchema,
          direction: z.enum(['asc', 'desc']),
          nulls: z.enum(['first', 'last']).optional(),
        }),
      )
      .min(1),
    limit: z.int().min(1),
  });

export function checkRank(node: Rank, input: Relation, path: string): Relation {
  if (input.window !== undefined) {
    throw new PlanError('partial-window', path, 'aggregate the window before ranking its results');
  }
  const named = [
    ...node.partitionBy.map((column, index) => [column, `${path}.partitionBy[${index}]`] as const),
    ...node.orderBy.map(({ column }, index) => [column, `${path}.orderBy[${index}]`] as const),
  ];
  for (const [name, at] of named) {
    if (!input.columns.some((column) => column.name === name)) {
      throw new PlanError('unknown-column', at, `no column ${name} here`);
    }
  }
  for (const [index, { column, nulls }] of node.orderBy.entries()) {
    if (nulls === undefined && input.columns.find(({ name }) => name === column)!.nullable) {
      throw new PlanError(
        'order-not-total',
        `${path}.orderBy[${index}]`,
        `${column} may be null: say nulls first or last`,
      );
    }
  }
  const columns = named.map(([column]) => column);
  if (!coversUnique(input, columns)) {
    const missing = input.unique.map((set) => set.filter((name) => !columns.includes(name)).join(', '));
    const advice = missing.length === 0 ? 'the input has no unique columns' : `add ${missing.join(' or ')}`;
    throw new PlanError('order-not-total', `${path}.orderBy`, `ties have no defined winner: ${advice}`);
  }
  const unique = node.limit === 1 ? [node.partitionBy, ...input.unique] : input.unique;
  return { columns: input.columns, unique, updating: true };
}
