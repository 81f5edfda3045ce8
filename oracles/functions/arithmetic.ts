import type { Type } from '../../src/model/type.ts';
import { BIGINT_MAX, BIGINT_MIN, bigintValue, INT_MAX, INT_MIN, type Value } from '../../src/model/value.ts';
import { OracleRefusal } from '../refusal.ts';
import { binary, type Implementation } from './implementation.ts';

type Integer = number | bigint;

/** An exact BIGINT result in its one representation. Leaving the range is a trait (semantics §3). */
function inRange(exact: bigint): Integer {
  if (exact < BIGINT_MIN || exact > BIGINT_MAX) throw new OracleRefusal('overflow');
  return bigintValue(exact);
}

/** Numbers where the result is safe, and so exact; else bigint. */
function exactly(
  numbers: (a: number, b: number) => number,
  bigints: (a: bigint, b: bigint) => bigint,
): (a: Integer, b: Integer) => Integer {
  return (a, b) => {
    if (typeof a === 'number' && typeof b === 'number') {
      const result = numbers(a, b);
      // Adding 0 turns −0 into 0, which is what an integer zero is.
      if (Number.isSafeInteger(result)) return result + 0;
    }
    return inRange(bigints(BigInt(a), BigInt(b)));
  };
}

export const addBigint = exactly(
  (a, b) => a + b,
  (a, b) => a + b,
);
const subtractBigint = exactly(
  (a, b) => a - b,
  (a, b) => a - b,
);
const multiplyBigint = exactly(
  (a, b) => a * b,
  (a, b) => a * b,
);
// a − a % b is a multiple of b, so the quotient is whole and exact: it truncates toward zero.
const divideBigint = exactly(
  (a, b) => (a - (a % b)) / b,
  (a, b) => a / b,
);
const moduloBigint = exactly(
  (a, b) => a % b,
  (a, b) => a % b,
);

function integer(
  compute: (a: Integer, b: Integer) => Integer,
  type: Type,
): (a: Integer, b: Integer) => Value {
  if (type === 'BIGINT') return compute;
  return (a, b) => {
    const result = compute(a, b);
    if (result < INT_MIN || result > INT_MAX) throw new OracleRefusal('overflow');
    return result;
  };
}

function operation(
  integers: (a: Integer, b: Integer) => Integer,
  doubles: (a: number, b: number) => number,
): Implementation {
  return (args, types) => {
    const type = types[0]!;
    if (type === 'DOUBLE') return binary((a, b) => doubles(a as number, b as number))(args, types);
    const compute = integer(integers, type);
    return binary((a, b) => compute(a as Integer, b as Integer))(args, types);
  };
}

function byNonZero(compute: (a: Integer, b: Integer) => Integer): (a: Integer, b: Integer) => Integer {
  return (a, b) => {
    if (b === 0) throw new OracleRefusal('division-by-zero');
    return compute(a, b);
  };
}

/** Semantics §3: exact integers, division truncating toward zero, a remainder of the dividend's sign. */
export const arithmetic: Readonly<Record<string, Implementation>> = {
  add: operation(addBigint, (a, b) => a + b),
  subtract: operation(subtractBigint, (a, b) => a - b),
  multiply: operation(multiplyBigint, (a, b) => a * b),
  divide: operation(byNonZero(divideBigint), (a, b) => a / b),
  modulo: operation(byNonZero(moduloBigint), (a, b) => a % b),
};
