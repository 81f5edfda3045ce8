import { PlanError } from '../errors.ts';
import type { ExpressionType } from '../expression.ts';

/** The type of an aggregate's result; `arg` is absent for `COUNT(*)`. @throws PlanError when it does not fit. */
export type AggregateSignature = (arg: ExpressionType | undefined, path: string) => ExpressionType;

function required(arg: ExpressionType | undefined, path: string): ExpressionType {
  if (arg === undefined) throw new PlanError('wrong-arity', path, 'takes an argument');
  return arg;
}

/** Number of rows, or of rows whose argument is not null. Never null. */
const count: AggregateSignature = () => ({ type: 'BIGINT', nullable: false, integral: true });

/** NULL when no value is left. Strings by code point. */
const extreme: AggregateSignature = (arg, path) => required(arg, path);

/**
 * SUM of BIGINT is BIGINT, of DOUBLE is DOUBLE; narrower integers are cast in the definition. A DOUBLE that is
 * not integral is refused, since its sum depends on the order of rows (semantics §3).
 */
const sum: AggregateSignature = (arg, path) => {
  const { type, nullable, integral } = required(arg, path);
  if (type !== 'BIGINT' && type !== 'DOUBLE') {
    throw new PlanError('type-mismatch', path, `cast the argument to BIGINT or DOUBLE, not ${type}`);
  }
  if (!integral) {
    throw new PlanError(
      'order-dependent-result',
      path,
      'a sum of DOUBLE that are not whole depends on row order',
    );
  }
  return { type, nullable, integral };
};

/** AVG of whole DOUBLE: the correctly rounded quotient of their exact sum and their number. */
const avg: AggregateSignature = (arg, path) => {
  const { type, nullable, integral } = required(arg, path);
  if (type !== 'DOUBLE')
    throw new PlanError('type-mismatch', path, `cast the argument to DOUBLE, not ${type}`);
  if (!integral) {
    throw new PlanError(
      'order-dependent-result',
      path,
      'an average of DOUBLE that are not whole depends on row order',
    );
  }
  return { type, nullable, integral: false };
};

/** Every aggregate of the plan language by name. */
export const aggregates = { count, sum, min: extreme, max: extreme, avg } as const;
