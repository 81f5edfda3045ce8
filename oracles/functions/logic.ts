import type { Evaluate } from '../expression.ts';
import { type Implementation, unary } from './implementation.ts';

/** `decisive` is the value that settles the connective whatever the others are; else a NULL makes it NULL. */
function connective(decisive: boolean): Implementation {
  return (args: readonly Evaluate[]) => (row) => {
    let unknown = false;
    for (const arg of args) {
      const value = arg(row);
      if (value === decisive) return decisive;
      if (value === null) unknown = true;
    }
    return unknown ? null : !decisive;
  };
}

/** Three-valued logic (semantics §1). */
export const logic: Readonly<Record<string, Implementation>> = {
  and: connective(false),
  or: connective(true),
  not: unary((value) => value === false),
  is_null:
    ([arg]) =>
    (row) =>
      arg!(row) === null,
};
