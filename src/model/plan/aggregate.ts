import { z } from 'zod';
import { aggregates } from '../aggregates/index.ts';
import { PlanError } from '../errors.ts';
import { type Expression, expressionSchema, type TypedColumn, typeOf } from '../expression.ts';
import { nameSchema } from '../schema.ts';
import type { Plan } from './index.ts';
import { type Relation, WINDOW_END, WINDOW_START } from './relation.ts';

/**
 * One row for each group of `keys` (semantics §3). Over rows in a window the keys hold both window bounds, and
 * the group is final once the window fires; otherwise the groups are unbounded and their rows are updated, be it
 * by more input or by updates of the input.
 *
 * A global aggregate over no rows gives no row.
 */
export interface Aggregate {
  readonly op: 'aggregate';
  readonly input: Plan;
  readonly keys: readonly string[];
  readonly aggregates: readonly AggregateCall[];
}

/**
 * One aggregate of a group. `arg` is a column of the input, absent for `COUNT(*)`: project first. `where` is
 * SQL's FILTER.
 */
export interface AggregateCall {
  readonly as: string;
  readonly fn: 'count' | 'sum' | 'min' | 'max' | 'avg';
  readonly arg?: string | undefined;
  readonly distinct?: boolean | undefined;
  readonly where?: Expression | undefined;
}

export const aggregateSchema = (plan: z.ZodType<Plan>) =>
  z.strictObject({
    op: z.literal('aggregate'),
    input: plan,
    keys: z.array(nameSchema),
    aggregates: z.array(
      z.strictObject({
        as: nameSchema,
        fn: z.enum(['count', 'sum', 'min', 'max', 'avg']),
        arg: nameSchema.optional(),
        distinct: z.boolean().optional(),
        where: expressionSchema.optional(),
      }),
    ),
  });

export function checkAggregate(node: Aggregate, input: Relation, path: string): Relation {
  if (node.keys.length + node.aggregates.length === 0) {
    throw new PlanError('bad-parameter', path, 'an aggregate has keys or aggregates');
  }
  const keys = node.keys.map((key, index) => {
    const column = input.columns.find(({ name }) => name === key);
    if (column === undefined)
      throw new PlanError('unknown-column', `${path}.keys[${index}]`, `no column ${key} here`);
    return column;
  });
  const windowed = input.window !== undefined;
  if (windowed && !(node.keys.includes(WINDOW_START) && node.keys.includes(WINDOW_END))) {
    throw new PlanError(
      'partial-window',
      `${path}.keys`,
      'over a window, group by window_start and window_end',
    );
  }
  const results = node.aggregates.map((call, index) =>
    checkCall(call, input, `${path}.aggregates[${index}]`),
  );
  const columns = [...keys, ...results];
  for (const [index, { name }] of columns.entries()) {
    if (columns.findIndex((column) => column.name === name) !== index) {
      throw new PlanError('duplicate-column', path, `${name} named twice`);
    }
  }
  return {
    columns,
    unique: [node.keys],
    eventTime: windowed ? { column: WINDOW_END, shiftMs: -1 } : undefined,
    updating: !windowed,
  };
}

function checkCall(call: AggregateCall, input: Relation, path: string): TypedColumn {
  let arg: TypedColumn | undefined;
  if (call.arg !== undefined) {
    arg = input.columns.find(({ name }) => name === call.arg);
    if (arg === undefined) throw new PlanError('unknown-column', `${path}.arg`, `no column ${call.arg} here`);
  }
  if (call.distinct && arg === undefined)
    throw new PlanError('wrong-arity', path, 'DISTINCT takes an argument');
  if (call.where !== undefined) {
    const { type } = typeOf(call.where, input.columns, `${path}.where`);
    if (type !== 'BOOLEAN')
      throw new PlanError('type-mismatch', `${path}.where`, `expected BOOLEAN, not ${type}`);
  }
  // A group whose rows are all filtered out has no value to aggregate (§3).
  const filtered = call.where !== undefined;
  const result = aggregates[call.fn](arg, path);
  return { ...result, nullable: result.nullable || (filtered && call.fn !== 'count'), name: call.as };
}
