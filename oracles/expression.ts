import { type Expression, literalValue, type TypedColumn, typeOf } from '../src/model/expression.ts';
import type { Row, Value } from '../src/model/value.ts';
import { implementations } from './functions/index.ts';

/** The value of an expression over one row. */
export type Evaluate = (row: Row) => Value;

/** Prepares an expression that was found well typed. */
export function compile(expression: Expression, columns: readonly TypedColumn[]): Evaluate {
  if ('col' in expression) {
    const index = columns.findIndex(({ name }) => name === expression.col);
    return (row) => row[index]!;
  }
  if ('lit' in expression) {
    const value = literalValue(expression);
    return () => value;
  }
  const implementation = implementations.get(expression.fn);
  if (implementation === undefined) throw new Error(`the oracle has no function ${expression.fn}`);
  const types = expression.args.map((arg) => typeOf(arg, columns, expression.fn).type);
  return implementation(
    expression.args.map((arg) => compile(arg, columns)),
    types,
  );
}
