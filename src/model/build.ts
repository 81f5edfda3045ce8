import type { Expression, Literal } from './expression.ts';
import type { AggregateCall } from './plan/aggregate.ts';
import type { Plan } from './plan/index.ts';
import type { OrderKey } from './plan/rank.ts';
import { WINDOW_END, WINDOW_START } from './plan/relation.ts';
import type { WindowKind } from './plan/window.ts';

/** An expression, or the name of a column. */
export type Operand = Expression | string;

function expression(operand: Operand): Expression {
  return typeof operand === 'string' ? { col: operand } : operand;
}

/** A literal BIGINT; beyond 2^53 as `bigint`. */
export const bigint = (value: number | bigint): Literal => ({
  lit: typeof value === 'bigint' ? value.toString() : value,
  type: 'BIGINT',
});
/** A literal DOUBLE. */
export const double = (value: number): Literal => ({ lit: value, type: 'DOUBLE' });
/** A literal STRING. */
export const text = (value: string): Literal => ({ lit: value, type: 'STRING' });
/** A call of any function of the plan language; a string is a column's name, never a literal. */
export const call = (fn: string, ...args: Operand[]): Expression => ({ fn, args: args.map(expression) });

/** The rows of a stream, to be refined step by step. */
export const from = (stream: string): PlanBuilder => new PlanBuilder({ op: 'scan', stream });

/** `[k·size + offset, (k+1)·size + offset)`. */
export const tumble = (sizeMs: number, offsetMs = 0): WindowKind => ({ kind: 'tumble', sizeMs, offsetMs });
/** Windows of `size` that start every `slide`. */
export const hop = (sizeMs: number, slideMs: number, offsetMs = 0): WindowKind => ({
  kind: 'hop',
  sizeMs,
  slideMs,
  offsetMs,
});
/** Windows that grow by `step` up to `size`, then start anew. */
export const cumulate = (stepMs: number, sizeMs: number, offsetMs = 0): WindowKind => ({
  kind: 'cumulate',
  stepMs,
  sizeMs,
  offsetMs,
});
/** Per key, rows at most `gap` apart. */
export const session = (gapMs: number, keys: readonly string[]): WindowKind => ({
  kind: 'session',
  gapMs,
  keys,
});

type Aggregation = Omit<AggregateCall, 'as'>;
/** `COUNT(*)`, or the number of rows whose `arg` is not null. */
export const count = (arg?: string): Aggregation =>
  arg === undefined ? { fn: 'count' } : { fn: 'count', arg };
/** `COUNT(DISTINCT arg)`. */
export const countDistinct = (arg: string): Aggregation => ({ fn: 'count', arg, distinct: true });
/** Exact sum of a BIGINT column. */
export const sum = (arg: string): Aggregation => ({ fn: 'sum', arg });
export const min = (arg: string): Aggregation => ({ fn: 'min', arg });
export const max = (arg: string): Aggregation => ({ fn: 'max', arg });
/** Average of a DOUBLE column of whole numbers. */
export const avg = (arg: string): Aggregation => ({ fn: 'avg', arg });

/** Greatest first. */
export const desc = (column: string, nulls?: 'first' | 'last'): OrderKey => orderKey(column, 'desc', nulls);
/** Least first. */
export const asc = (column: string, nulls?: 'first' | 'last'): OrderKey => orderKey(column, 'asc', nulls);

function orderKey(column: string, direction: 'asc' | 'desc', nulls?: 'first' | 'last'): OrderKey {
  return nulls === undefined ? { column, direction } : { column, direction, nulls };
}

/** Builds a plan from the stream up. Checks nothing: `checkPlan` does, with paths. */
export class PlanBuilder {
  readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  filter(where: Expression): PlanBuilder {
    return new PlanBuilder({ op: 'filter', input: this.plan, where });
  }

  /** Columns by their new names, in order; a string stands for an input column. */
  project(columns: Readonly<Record<string, Operand>>): PlanBuilder {
    return new PlanBuilder({
      op: 'project',
      input: this.plan,
      columns: Object.entries(columns).map(([as, value]) => ({ as, value: expression(value) })),
    });
  }

  /** The named columns only, in the given order. */
  select(...names: string[]): PlanBuilder {
    return this.project(Object.fromEntries(names.map((name) => [name, name])));
  }

  window(window: WindowKind): PlanBuilder {
    return new PlanBuilder({ op: 'window', input: this.plan, window });
  }

  /** Groups by `keys` alone: unbounded, over rows in no window. */
  aggregate(keys: readonly string[], aggregates: Readonly<Record<string, Aggregation>>): PlanBuilder {
    return new PlanBuilder({
      op: 'aggregate',
      input: this.plan,
      keys,
      aggregates: Object.entries(aggregates).map(([as, aggregation]) => ({ as, ...aggregation })),
    });
  }

  /** Groups by the window's bounds and `keys`. The bounds come first in the output. */
  perWindow(keys: readonly string[], aggregates: Readonly<Record<string, Aggregation>>): PlanBuilder {
    return this.aggregate([WINDOW_START, WINDOW_END, ...keys], aggregates);
  }

  /** The first `limit` rows of each partition in the given order. */
  top(limit: number, partitionBy: readonly string[], ...orderBy: OrderKey[]): PlanBuilder {
    return new PlanBuilder({ op: 'rank', input: this.plan, partitionBy, orderBy, limit });
  }

  /** Inner join on pairs of equal columns, `{ left: right }`. */
  join(right: PlanBuilder, equal: Readonly<Record<string, string>>, where?: Expression): PlanBuilder {
    return new PlanBuilder({
      op: 'join',
      left: this.plan,
      right: right.plan,
      equal: Object.entries(equal).map(([l, r]) => ({ left: l, right: r })),
      ...(where === undefined ? {} : { where }),
    });
  }
}
