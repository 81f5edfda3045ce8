import type { TypedColumn } from '../../../model/expression.ts';
import type { AggregateCall } from '../../../model/plan/aggregate.ts';
import type { Row, Value } from '../../../model/value.ts';
import type { Faults } from '../faults.ts';
import { type Key, valueKey } from '../keys.ts';
import { RunFailure } from '../run-failure.ts';
import { compileCondition } from './expression.ts';
import { addExact, inBigintRange, roundedQuotient, throughDouble, type Whole } from './integers.ts';
import { type Order, orderOf } from './order.ts';

/** What an aggregate knows of a group, plain data. */
export interface Accumulator {
  /** Values taken in. */
  count: number;
  sum: Whole;
  /** The least or the greatest value, where values never leave. */
  extreme: Value;
  /** How often each value is there; kept for DISTINCT, and for extremes where values may leave. */
  values: Map<Key, { readonly value: Value; count: number }> | undefined;
}

/** One aggregate call, made for the columns of its input. */
export interface Aggregation {
  create(): Accumulator;
  /** Takes a row in (1) or out again (−1). */
  update(accumulator: Accumulator, row: Row, sign: 1 | -1): void;
  /** @throws RunFailure where the law refuses the result. */
  result(accumulator: Accumulator): Value;
}

/** Stands in for the argument of `COUNT(*)`. */
const ROW = true;

/**
 * The aggregates of a plan's operator. `withdraws`: rows of the input may be taken out again.
 *
 * Aggregates skip nulls; over no value COUNT is 0 and every other one NULL (semantics §1, §3).
 */
export function aggregationsOf(
  calls: readonly AggregateCall[],
  columns: readonly TypedColumn[],
  withdraws: boolean,
  faults: Faults,
): readonly Aggregation[] {
  const aggregations = calls.map((call) => aggregationOf(call, columns, withdraws, faults));
  return faults.has('distinct-aggregates-share-values') ? sharingDistinct(calls, aggregations) : aggregations;
}

function aggregationOf(
  call: AggregateCall,
  columns: readonly TypedColumn[],
  withdraws: boolean,
  faults: Faults,
): Aggregation {
  const { fn, distinct = false } = call;
  const position = columns.findIndex(({ name }) => name === call.arg);
  const column = columns[position];
  const accepts =
    call.where === undefined || (distinct && faults.has('filter-ignored-with-distinct'))
      ? undefined
      : compileCondition(call.where, columns, faults);
  const keyOf = valueKey(faults);
  const order = extremeOrder(fn, column, faults);
  const keepsValues = distinct || (order !== undefined && withdraws);
  const sums = fn === 'sum' || fn === 'avg';
  const takesNulls =
    (fn === 'count' && !distinct && faults.has('count-takes-nulls')) ||
    (fn === 'avg' && faults.has('avg-counts-nulls')) ||
    (fn === 'min' && faults.has('min-takes-nulls'));

  const take = (accumulator: Accumulator, value: Value, sign: 1 | -1): void => {
    accumulator.count += sign;
    if (sums && value !== null) {
      accumulator.sum = addExact(accumulator.sum, sign === 1 ? exact(value) : -exact(value));
    }
    if (order !== undefined && !withdraws) {
      if (accumulator.count === 1 || order(value, accumulator.extreme) < 0) accumulator.extreme = value;
    }
  };
  return {
    create: () => ({
      count: 0,
      sum: 0,
      extreme: null,
      values: keepsValues ? new Map() : undefined,
    }),
    update(accumulator, row, sign) {
      if (accepts !== undefined && !accepts(row)) return;
      const value = column === undefined ? ROW : row[position]!;
      if (value === null && !takesNulls) return;
      const { values } = accumulator;
      if (values === undefined) {
        take(accumulator, value, sign);
        return;
      }
      const key = keyOf(value);
      const held = values.get(key);
      if (held === undefined) {
        if (sign === -1) return;
        values.set(key, { value, count: 1 });
      } else {
        held.count += sign;
        if (held.count === 0) values.delete(key);
        else if (distinct) return;
      }
      take(accumulator, value, sign);
    },
    result: resultOf(call, column, order, faults),
  };
}

/** Which value stands before which under MIN or MAX; undefined for other aggregates. */
function extremeOrder(
  fn: AggregateCall['fn'],
  column: TypedColumn | undefined,
  faults: Faults,
): Order | undefined {
  if (fn !== 'min' && fn !== 'max') return undefined;
  const order = orderOf(column!.type, faults);
  if (fn === 'max') return (a, b) => order(b, a);
  // Nulls come here only under the fault that takes them for the least.
  return (a, b) => (a === null || b === null ? Number(b === null) - Number(a === null) : order(a, b));
}

function resultOf(
  { fn }: AggregateCall,
  column: TypedColumn | undefined,
  order: Order | undefined,
  faults: Faults,
): (accumulator: Accumulator) => Value {
  switch (fn) {
    case 'count':
      return ({ count }) => count;
    case 'sum': {
      const ofNothing = faults.has('sum-of-nothing-is-zero') ? 0 : null;
      if (column!.type === 'DOUBLE') return ({ count, sum }) => (count === 0 ? ofNothing : Number(sum));
      const rounds = faults.has('sum-through-double');
      return ({ count, sum }) => {
        if (count === 0) return ofNothing;
        return inBigintRange(BigInt(rounds ? throughDouble(sum) : sum), 'sum-overflow');
      };
    }
    case 'avg': {
      const truncates = faults.has('avg-truncates');
      return ({ count, sum }) => {
        if (count === 0) return null;
        const average = roundedQuotient(sum, count);
        return truncates ? Math.trunc(average) + 0 : average;
      };
    }
    default:
      return ({ extreme, values, count }) => {
        if (values === undefined || count === 0) return extreme;
        let first: Value | undefined;
        for (const { value } of values.values()) {
          if (first === undefined || order!(value, first) < 0) first = value;
        }
        return first ?? null;
      };
  }
}

function exact(value: Value): Whole {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RunFailure('not-finite');
  return value as Whole;
}

/** The fault: what one distinct aggregate of a group has seen, the next ones take for seen. */
function sharingDistinct(
  calls: readonly AggregateCall[],
  aggregations: readonly Aggregation[],
): readonly Aggregation[] {
  const first = calls.findIndex(({ distinct }) => distinct);
  let seen: Accumulator['values'];
  return aggregations.map((aggregation, index) => {
    if (!calls[index]!.distinct) return aggregation;
    return {
      ...aggregation,
      update(accumulator, row, sign) {
        // The aggregates of a group are updated one after another, the first of them always before the others.
        if (index === first) seen = accumulator.values;
        else accumulator.values = seen;
        aggregation.update(accumulator, row, sign);
      },
    };
  });
}
