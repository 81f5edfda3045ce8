import { compile } from '../../../oracles/expression.ts';
import { OracleRefusal } from '../../../oracles/refusal.ts';
import { PlanError } from '../../model/errors.ts';
import { type Expression, type TypedColumn, typeOf } from '../../model/expression.ts';
import type { Row } from '../../model/value.ts';

/**
 * A predicate over rows of these columns. It holds where it is true: not where it is NULL, nor where the law gives it
 * no value, as on an overflow.
 *
 * @throws PlanError when it is no BOOLEAN over the columns.
 */
export function predicateOver(
  expression: Expression,
  columns: readonly TypedColumn[],
): (row: Row) => boolean {
  const { type } = typeOf(expression, columns, 'predicate');
  if (type !== 'BOOLEAN') throw new PlanError('type-mismatch', 'predicate', `expected BOOLEAN, not ${type}`);
  const evaluate = compile(expression, columns);
  return (row) => {
    try {
      return evaluate(row) === true;
    } catch (error) {
      if (error instanceof OracleRefusal) return false;
      throw error;
    }
  };
}
