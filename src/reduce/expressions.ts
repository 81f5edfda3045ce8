import type { Call, Expression, Literal } from '../model/expression.ts';
import { literalValue } from '../model/expression.ts';
import { literalOf, plainerThan } from './plain-values.ts';

/** What a condition may be. */
const TRUTHS: readonly Literal[] = [false, true, null].map((lit) => ({ lit, type: 'BOOLEAN' }));

/** What compares by order in another way than the plainest. */
const ORDERS: readonly string[] = ['le', 'gt', 'ge'];

/** Expressions that say less, the greatest step first. Not all are well typed. */
export function* simplerExpressions(expression: Expression): Generator<Expression> {
  if (!('lit' in expression)) yield* TRUTHS;
  if ('col' in expression) return;
  if ('lit' in expression) {
    yield* simplerLiterals(expression);
    return;
  }
  for (const arg of expression.args) if (!('lit' in arg)) yield arg;
  yield* withFewerArgs(expression);
  if (ORDERS.includes(expression.fn)) yield { ...expression, fn: 'lt' };
  if (
    expression.fn === 'case' &&
    expression.args.some((arg, index) => isBranch(expression, index) && !isZero(arg))
  ) {
    yield {
      ...expression,
      args: expression.args.map((arg, index) => (isBranch(expression, index) ? ZERO : arg)),
    };
  }
  const [first, ...others] = expression.args;
  if (
    (expression.fn === 'and' || expression.fn === 'or') &&
    first !== undefined &&
    isNull(first) &&
    !others.every(isNull)
  ) {
    yield { ...expression, args: [...others, first] };
  }
  for (const [index, arg] of expression.args.entries()) {
    for (const simpler of simplerExpressions(arg)) {
      yield { ...expression, args: expression.args.with(index, simpler) };
    }
  }
}

const ZERO: Literal = { lit: 0, type: 'BIGINT' };

function isZero(expression: Expression): boolean {
  return 'lit' in expression && expression.lit === 0 && expression.type === 'BIGINT';
}

/** Whether an argument of CASE is what it may give. */
function isBranch({ args }: Call, index: number): boolean {
  return index % 2 === 1 || index === args.length - 1;
}

function isNull(expression: Expression): boolean {
  return 'lit' in expression && expression.lit === null;
}

/** Of functions that take any number: all but one of them, of CASE all but one branch. */
function* withFewerArgs({ fn, args }: Call): Generator<Expression> {
  const step = fn === 'case' ? 2 : 1;
  if (!['and', 'or', 'coalesce', 'case'].includes(fn)) return;
  for (let index = 0; index + step <= args.length; index += step) {
    yield { fn, args: args.toSpliced(index, step) };
  }
}

function* simplerLiterals(literal: Literal): Generator<Literal> {
  const value = literalValue(literal);
  for (const plainer of plainerThan(literal.type, value)) {
    const made = plainer === null ? undefined : literalOf(literal.type, plainer);
    if (made !== undefined) yield made;
  }
}
