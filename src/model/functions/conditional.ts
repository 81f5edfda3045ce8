import { PlanError } from '../errors.ts';
import type { ExpressionType } from '../expression.ts';
import { arity, expectType, type Signature } from './signature.ts';

function branches(values: readonly ExpressionType[], path: string): ExpressionType {
  const [first] = values;
  const other = values.findIndex(({ type }) => type !== first!.type);
  if (other >= 0)
    throw new PlanError('type-mismatch', path, `branches of type ${first!.type} and ${values[other]!.type}`);
  return {
    type: first!.type,
    nullable: values.some(({ nullable }) => nullable),
    integral: values.every(({ integral }) => integral),
  };
}

/** `case(condition, value, …, otherwise)`: the value of the first condition that is true, else `otherwise`. */
const caseWhen: Signature = (args, path) => {
  arity(args, path, 3, Infinity);
  if (args.length % 2 === 0) throw new PlanError('wrong-arity', path, 'case takes pairs and one last value');
  for (let index = 0; index + 1 < args.length; index += 2) expectType(args, index, path, 'BOOLEAN');
  return branches(
    args.filter((_, index) => index % 2 === 1 || index === args.length - 1),
    path,
  );
};

/** The first argument that is not null. */
const coalesce: Signature = (args, path) => {
  arity(args, path, 2, Infinity);
  return { ...branches(args, path), nullable: args.every(({ nullable }) => nullable) };
};

export const conditional: Readonly<Record<string, Signature>> = { case: caseWhen, coalesce };
