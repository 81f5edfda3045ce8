import { PlanError } from '../errors.ts';
import type { ExpressionType } from '../expression.ts';
import type { Type } from '../type.ts';

/** The type of a function's result from those of its arguments. @throws PlanError when they do not fit. */
export type Signature = (args: readonly ExpressionType[], path: string) => ExpressionType;

/** Refuses a call with fewer than `least` or more than `most` arguments. */
export function arity(args: readonly ExpressionType[], path: string, least: number, most = least): void {
  if (args.length < least || args.length > most) {
    const wanted =
      least === most ? `${least}` : most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    throw new PlanError('wrong-arity', path, `takes ${wanted} arguments, not ${args.length}`);
  }
}

/** Refuses an argument that is of none of the given types. */
export function expectType(
  args: readonly ExpressionType[],
  index: number,
  path: string,
  ...types: Type[]
): void {
  const { type } = args[index]!;
  if (!types.includes(type)) {
    throw new PlanError(
      'type-mismatch',
      `${path}.args[${index}]`,
      `expected ${types.join(' or ')}, not ${type}`,
    );
  }
}

/** Refuses arguments that are not all of one type; returns it. */
export function sameType(args: readonly ExpressionType[], path: string, from = 0): Type {
  const { type } = args[from]!;
  for (let index = from + 1; index < args.length; index++) expectType(args, index, path, type);
  return type;
}

/** NULL in, NULL out: the result may be null when an argument may. */
export function anyNullable(args: readonly ExpressionType[]): boolean {
  return args.some(({ nullable }) => nullable);
}
