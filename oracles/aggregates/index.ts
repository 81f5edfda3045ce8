import type { Value } from '../../src/model/value.ts';
import { addBigint } from '../functions/arithmetic.ts';
import { compareValues } from '../order.ts';
import { OracleRefusal } from '../refusal.ts';

/** Folds the values of one group that are not null; for `COUNT(*)` it is given `true` for each row. */
export interface Accumulator {
  add(value: Exclude<Value, null>): void;
  result(): Value;
}

class Count implements Accumulator {
  #rows = 0;
  add(): void {
    this.#rows++;
  }
  result(): Value {
    return this.#rows;
  }
}

class Sum implements Accumulator {
  #sum: number | bigint | undefined;
  add(value: Exclude<Value, null>): void {
    this.#sum =
      this.#sum === undefined ? (value as number | bigint) : addBigint(this.#sum, value as number | bigint);
  }
  result(): Value {
    return this.#sum ?? null;
  }
}

/** A DOUBLE sum of whole numbers, exact while it stays within 2^53 (semantics §3). */
class WholeDoubleSum {
  sum = 0;
  rows = 0;
  #magnitude = 0;
  add(value: number): void {
    this.sum += value;
    this.rows++;
    this.#magnitude += Math.abs(value);
    if (this.#magnitude > Number.MAX_SAFE_INTEGER) throw new OracleRefusal('inexact-average');
  }
}

class DoubleSum implements Accumulator {
  readonly #of = new WholeDoubleSum();
  add(value: Exclude<Value, null>): void {
    this.#of.add(value as number);
  }
  result(): Value {
    return this.#of.rows === 0 ? null : this.#of.sum;
  }
}

class Average implements Accumulator {
  readonly #of = new WholeDoubleSum();
  add(value: Exclude<Value, null>): void {
    this.#of.add(value as number);
  }
  result(): Value {
    return this.#of.rows === 0 ? null : this.#of.sum / this.#of.rows;
  }
}

class Extreme implements Accumulator {
  readonly #sign: 1 | -1;
  #best: Exclude<Value, null> | undefined;
  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }
  add(value: Exclude<Value, null>): void {
    if (this.#best === undefined || compareValues(value, this.#best) * this.#sign > 0) this.#best = value;
  }
  result(): Value {
    return this.#best ?? null;
  }
}

class Distinct implements Accumulator {
  readonly #seen = new Set<Value>();
  readonly #of: Accumulator;
  constructor(of: Accumulator) {
    this.#of = of;
  }
  add(value: Exclude<Value, null>): void {
    if (this.#seen.has(value)) return;
    this.#seen.add(value);
    this.#of.add(value);
  }
  result(): Value {
    return this.#of.result();
  }
}

/** How to make an accumulator of each aggregate; a group of no values gives NULL, but COUNT 0 (semantics §3). */
export function accumulatorOf(
  fn: 'count' | 'sum' | 'min' | 'max' | 'avg',
  isDouble: boolean,
): () => Accumulator {
  switch (fn) {
    case 'count':
      return () => new Count();
    case 'sum':
      return isDouble ? () => new DoubleSum() : () => new Sum();
    case 'min':
      return () => new Extreme(-1);
    case 'max':
      return () => new Extreme(1);
    case 'avg':
      return () => new Average();
  }
}

/** The same over each distinct value once. */
export function distinct(create: () => Accumulator): () => Accumulator {
  return () => new Distinct(create());
}
