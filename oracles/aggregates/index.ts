import type { Value } from '../../src/model/value.ts';
import { addBigint } from '../functions/arithmetic.ts';
import { compareValues } from '../order.ts';
import { OracleRefusal } from '../refusal.ts';

type Present = Exclude<Value, null>;

/**
 * Folds, group by group, the values that are not null; for `COUNT(*)` it is given `true` for each row. Groups are
 * numbers from 0, and what is known of them lies in arrays by these, so that a group costs no object of its own.
 */
export interface Fold {
  /** Begins a group, whatever had its number before. */
  start(group: number): void;
  add(group: number, value: Present): void;
  /** The aggregate's value; a group of no values gives NULL, but COUNT 0 (semantics §3). */
  finish(group: number): Value;
}

function count(): Fold {
  const counts: number[] = [];
  return {
    start: (group) => {
      counts[group] = 0;
    },
    add: (group) => {
      counts[group]!++;
    },
    finish: (group) => counts[group]!,
  };
}

function sum(): Fold {
  const totals: (number | bigint | null)[] = [];
  return {
    start: (group) => {
      totals[group] = null;
    },
    add: (group, value) => {
      const total = totals[group]!;
      const term = value as number | bigint;
      totals[group] = total === null ? term : addBigint(total, term);
    },
    finish: (group) => totals[group]!,
  };
}

/** DOUBLE values that are whole numbers, summed exactly while they stay within 2^53 (semantics §3). */
function wholeDoubles(finish: (sum: number, rows: number) => number): Fold {
  const sums: number[] = [];
  const rows: number[] = [];
  /** Sums of magnitudes: while one is exact, so is every partial sum, in whatever order. */
  const magnitudes: number[] = [];
  return {
    start: (group) => {
      sums[group] = 0;
      rows[group] = 0;
      magnitudes[group] = 0;
    },
    add: (group, value) => {
      sums[group]! += value as number;
      rows[group]!++;
      magnitudes[group]! += Math.abs(value as number);
      if (magnitudes[group]! > Number.MAX_SAFE_INTEGER) throw new OracleRefusal('inexact-average');
    },
    finish: (group) => (rows[group] === 0 ? null : finish(sums[group]!, rows[group]!)),
  };
}

function extreme(sign: 1 | -1): Fold {
  const bests: Value[] = [];
  return {
    start: (group) => {
      bests[group] = null;
    },
    add: (group, value) => {
      const best = bests[group]!;
      if (best === null || compareValues(value, best) * sign > 0) bests[group] = value;
    },
    finish: (group) => bests[group]!,
  };
}

/** The fold of an aggregate, over no groups yet; `isDouble`: its argument is DOUBLE. */
export function foldOf(fn: 'count' | 'sum' | 'min' | 'max' | 'avg', isDouble: boolean): Fold {
  switch (fn) {
    case 'count':
      return count();
    case 'sum':
      return isDouble ? wholeDoubles((total) => total) : sum();
    case 'min':
      return extreme(-1);
    case 'max':
      return extreme(1);
    case 'avg':
      return wholeDoubles((total, rows) => total / rows);
  }
}

/** The same over each distinct value once. */
export function distinct(fold: Fold): Fold {
  const seen: Set<Present>[] = [];
  return {
    start: (group) => {
      seen[group] = new Set();
    },
    add: (group, value) => {
      seen[group]!.add(value);
    },
    finish: (group) => {
      fold.start(group);
      for (const value of seen[group]!) fold.add(group, value);
      return fold.finish(group);
    },
  };
}
