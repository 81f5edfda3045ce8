import { z } from 'zod';
import { PlanError } from './errors.ts';
import { functions } from './functions/index.ts';
import { typedValue } from './row-json.ts';
import { nameSchema } from './schema.ts';
import { isInteger, type Type, typeSchema } from './type.ts';
import { bigintValue, type Value } from './value.ts';

/**
 * A scalar expression over the columns of one relation. Plain data; nothing is converted implicitly.
 *
 * A literal holds the JSON form of its value: BIGINT beyond 2^53 and DECIMAL as text, TIMESTAMP(3) as epoch
 * milliseconds.
 */
export type Expression = ColumnReference | Literal | Call;

export interface ColumnReference {
  readonly col: string;
}

export interface Literal {
  readonly lit: null | boolean | number | string;
  readonly type: Type;
}

export interface Call {
  readonly fn: string;
  readonly args: readonly Expression[];
}

export const expressionSchema: z.ZodType<Expression> = z.lazy(() =>
  z.union([
    z.strictObject({ col: nameSchema }),
    z.strictObject({ lit: z.union([z.null(), z.boolean(), z.number(), z.string()]), type: typeSchema }),
    z.strictObject({ fn: z.string(), args: z.array(expressionSchema) }),
  ]),
);

/**
 * What is known of an expression's values before any row is read.
 *
 * `integral`: every value is a whole number, so that a DOUBLE sum or average does not depend on order (§3).
 */
export interface ExpressionType {
  readonly type: Type;
  readonly nullable: boolean;
  readonly integral: boolean;
}

/** A column of a relation, with what {@link ExpressionType} says of its values. */
export interface TypedColumn extends ExpressionType {
  readonly name: string;
}

/**
 * The type of an expression over a relation's columns.
 *
 * @throws PlanError with the path of the first part that is ill-typed.
 */
export function typeOf(
  expression: Expression,
  columns: readonly TypedColumn[],
  path: string,
): ExpressionType {
  if ('col' in expression) {
    const column = columns.find(({ name }) => name === expression.col);
    if (column === undefined) throw new PlanError('unknown-column', path, `no column ${expression.col} here`);
    return column;
  }
  if ('lit' in expression) {
    const value = literalValue(expression, path);
    const integral = isInteger(expression.type) || (typeof value === 'number' && Number.isInteger(value));
    return { type: expression.type, nullable: value === null, integral };
  }
  const signature = functions.get(expression.fn);
  if (signature === undefined) throw new PlanError('unknown-function', path, `no function ${expression.fn}`);
  const args = expression.args.map((arg, index) => typeOf(arg, columns, `${path}.args[${index}]`));
  return signature(args, path);
}

/** The value of a literal in its one representation. */
export function literalValue(literal: Literal, path = 'literal'): Value {
  if (literal.lit === null) return null;
  const asDigits = literal.type === 'BIGINT' && typeof literal.lit === 'string';
  const value = typedValue(literal.type, literal.lit, asDigits);
  if (value === undefined) throw new PlanError('bad-literal', path, `the literal is no ${literal.type}`);
  return typeof value === 'bigint' ? bigintValue(value) : value;
}

/** The names of the columns an expression reads. */
export function columnsRead(expression: Expression): readonly string[] {
  if ('col' in expression) return [expression.col];
  return 'lit' in expression ? [] : expression.args.flatMap(columnsRead);
}
