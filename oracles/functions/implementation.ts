import type { Type } from '../../src/model/type.ts';
import type { Value } from '../../src/model/value.ts';
import type { Evaluate } from '../expression.ts';

/** How a function computes, given its arguments and their types. */
export type Implementation = (args: readonly Evaluate[], types: readonly Type[]) => Evaluate;

export type NotNull = Exclude<Value, null>;

/** A function of one value: NULL in, NULL out. */
export function unary(compute: (value: NotNull) => Value): Implementation {
  return ([arg]) =>
    (row) => {
      const value = arg!(row);
      return value === null ? null : compute(value);
    };
}

/** A function of two values: NULL in either, NULL out. */
export function binary(compute: (a: NotNull, b: NotNull) => Value): Implementation {
  return ([first, second]) =>
    (row) => {
      const a = first!(row);
      if (a === null) return null;
      const b = second!(row);
      return b === null ? null : compute(a, b);
    };
}

/** A function of three values: NULL in any, NULL out. */
export function ternary(compute: (a: NotNull, b: NotNull, c: NotNull) => Value): Implementation {
  return ([first, second, third]) =>
    (row) => {
      const a = first!(row);
      const b = second!(row);
      const c = third!(row);
      return a === null || b === null || c === null ? null : compute(a, b, c);
    };
}
