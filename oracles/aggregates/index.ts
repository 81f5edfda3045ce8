import type { Value } from '../../src/model/value.ts';
import { addBigint } from '../functions/arithmetic.ts';
import { compareValues } from '../order.ts';
import { OracleRefusal } from '../refusal.ts';

type Present = Exclude<Value, null>;

/**
 * Folds the values of one group that are not null; for `COUNT(*)` it is given `true` for each row. The state lives
 * with the group, so that a group of plain counts costs no object of its own.
 */
export interface Fold<State> {
  start(): State;
  add(state: State, value: Present): State;
  /** The aggregate's value; a group of no values gives NULL, but COUNT 0 (semantics §3). */
  finish(state: State): Value;
}

const count: Fold<number> = {
  start: () => 0,
  add: (rows) => rows + 1,
  finish: (rows) => rows,
};

const sum: Fold<number | bigint | null> = {
  start: () => null,
  add: (total, value) => {
    const term = value as number | bigint;
    return total === null ? term : addBigint(total, term);
  },
  finish: (total) => total,
};

interface WholeDoubles {
  sum: number;
  rows: number;
  /** Sum of magnitudes: while it is exact, so is every partial sum, in whatever order. */
  magnitude: number;
}

/** DOUBLE values that are whole numbers, summed exactly while they stay within 2^53 (semantics §3). */
function wholeDoubles(finish: (state: WholeDoubles) => number): Fold<WholeDoubles> {
  return {
    start: () => ({ sum: 0, rows: 0, magnitude: 0 }),
    add: (state, value) => {
      state.sum += value as number;
      state.rows++;
      state.magnitude += Math.abs(value as number);
      if (state.magnitude > Number.MAX_SAFE_INTEGER) throw new OracleRefusal('inexact-average');
      return state;
    },
    finish: (state) => (state.rows === 0 ? null : finish(state)),
  };
}

function extreme(sign: 1 | -1): Fold<Value> {
  return {
    start: () => null,
    add: (best, value) => (best === null || compareValues(value, best) * sign > 0 ? value : best),
    finish: (best) => best,
  };
}

/** The fold of an aggregate; `isDouble`: its argument is DOUBLE. */
export function foldOf(fn: 'count' | 'sum' | 'min' | 'max' | 'avg', isDouble: boolean): Fold<unknown> {
  switch (fn) {
    case 'count':
      return count as Fold<unknown>;
    case 'sum':
      return (isDouble ? wholeDoubles((state) => state.sum) : sum) as Fold<unknown>;
    case 'min':
      return extreme(-1) as Fold<unknown>;
    case 'max':
      return extreme(1) as Fold<unknown>;
    case 'avg':
      return wholeDoubles((state) => state.sum / state.rows) as Fold<unknown>;
  }
}

/** The same over each distinct value once. */
export function distinct(fold: Fold<unknown>): Fold<unknown> {
  const once: Fold<Set<Present>> = {
    start: () => new Set(),
    add: (seen, value) => seen.add(value),
    finish: (seen) => {
      let state = fold.start();
      for (const value of seen) state = fold.add(state, value);
      return fold.finish(state);
    },
  };
  return once as Fold<unknown>;
}
