import { BIGINT_MAX, BIGINT_MIN, bigintValue, INT_MAX, INT_MIN } from '../../../model/value.ts';
import { RunFailure } from '../run-failure.ts';

/** A whole number: a `bigint` only beyond 2^53 (semantics §1). */
export type Whole = number | bigint;

/** A whole number that must be a BIGINT. @throws RunFailure */
export function inBigintRange(exact: bigint, code: 'integer-overflow' | 'sum-overflow'): Whole {
  if (exact < BIGINT_MIN || exact > BIGINT_MAX) throw new RunFailure(code);
  return bigintValue(exact);
}

function inIntRange(value: number): number {
  if (value < INT_MIN || value > INT_MAX) throw new RunFailure('integer-overflow');
  return value;
}

/** What a BIGINT becomes that was a double for a while, cut to the range of BIGINT. */
export function throughDouble(value: Whole): Whole {
  if (typeof value === 'number') return value;
  const rounded = BigInt(Number(value));
  return rounded > BIGINT_MAX ? BIGINT_MAX : bigintValue(rounded);
}

/** `a + b` without limit. */
export function addExact(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return bigintValue(BigInt(a) + BigInt(b));
}

/** Exact arithmetic of two BIGINT, or of two INT. */
export interface IntegerArithmetic {
  add(a: Whole, b: Whole): Whole;
  subtract(a: Whole, b: Whole): Whole;
  multiply(a: Whole, b: Whole): Whole;
  /** Toward zero. */
  divide(a: Whole, b: Whole): Whole;
  /** With the dividend's sign. */
  modulo(a: Whole, b: Whole): Whole;
}

function orOverflow(quick: number | undefined, exact: () => bigint): Whole {
  // A double that is a safe integer is the exact result: a greater one would have rounded to 2^53 or beyond. The
  // sum with 0 takes the sign from −0.
  return quick !== undefined && Number.isSafeInteger(quick)
    ? quick + 0
    : inBigintRange(exact(), 'integer-overflow');
}

function quickly(a: Whole, b: Whole, operation: (a: number, b: number) => number): number | undefined {
  return typeof a === 'number' && typeof b === 'number' ? operation(a, b) : undefined;
}

export const bigintArithmetic: IntegerArithmetic = {
  add: (a, b) =>
    orOverflow(
      quickly(a, b, (x, y) => x + y),
      () => BigInt(a) + BigInt(b),
    ),
  subtract: (a, b) =>
    orOverflow(
      quickly(a, b, (x, y) => x - y),
      () => BigInt(a) - BigInt(b),
    ),
  multiply: (a, b) =>
    orOverflow(
      quickly(a, b, (x, y) => x * y),
      () => BigInt(a) * BigInt(b),
    ),
  divide(a, b) {
    refuseZero(b);
    // Less its remainder a dividend is a multiple, which divides without rounding.
    return orOverflow(
      quickly(a, b, (x, y) => (x - (x % y)) / y),
      () => BigInt(a) / BigInt(b),
    );
  },
  modulo(a, b) {
    refuseZero(b);
    return orOverflow(
      quickly(a, b, (x, y) => x % y),
      () => BigInt(a) % BigInt(b),
    );
  },
};

export const intArithmetic: IntegerArithmetic = {
  add: (a, b) => inIntRange(Number(a) + Number(b)),
  subtract: (a, b) => inIntRange(Number(a) - Number(b)),
  multiply: (a, b) => inIntRange(Number(a) * Number(b) + 0),
  divide(a, b) {
    refuseZero(b);
    return inIntRange(Math.trunc(Number(a) / Number(b)) + 0);
  },
  modulo(a, b) {
    refuseZero(b);
    return (Number(a) % Number(b)) + 0;
  },
};

function refuseZero(divisor: Whole): void {
  if (divisor === 0) throw new RunFailure('division-by-zero');
}

/** The double nearest to `sum / count`, ties to even, for a sum of any size and a count from 1. */
export function roundedQuotient(sum: Whole, count: number): number {
  if (typeof sum === 'number') return sum / count;
  const magnitude = sum < 0n ? -sum : sum;
  const divisor = BigInt(count);
  const scaled = magnitude << SCALE_BITS;
  // More digits than a double holds, the last of which stands for all that were cut: one rounding is left.
  const quotient = scaled / divisor;
  const sticky = scaled % divisor === 0n ? quotient : quotient | 1n;
  const result = Number(sticky) / 2 ** Number(SCALE_BITS);
  return sum < 0n ? -result : result;
}

const SCALE_BITS = 64n;
