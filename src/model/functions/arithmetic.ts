import { PlanError } from '../errors.ts';
import { isInteger } from '../type.ts';
import { anyNullable, arity, type Signature, sameType } from './signature.ts';

/** `+ - *` over two INT, two BIGINT or two DOUBLE. Overflow is a trait (semantics §3). */
const binary: Signature = (args, path) => {
  arity(args, path, 2);
  const type = sameType(args, path);
  if (!isInteger(type) && type !== 'DOUBLE') {
    throw new PlanError('type-mismatch', path, `arithmetic takes INT, BIGINT or DOUBLE, not ${type}`);
  }
  return { type, nullable: anyNullable(args), integral: args.every(({ integral }) => integral) };
};

/** `/` truncates toward zero over integers, and is IEEE division over DOUBLE. */
const division: Signature = (args, path) => {
  const result = binary(args, path);
  return { ...result, integral: isInteger(result.type) };
};

/** The remainder of integer division; it has the dividend's sign. */
const remainder: Signature = (args, path) => {
  const result = binary(args, path);
  if (!isInteger(result.type)) throw new PlanError('type-mismatch', path, 'modulo takes INT or BIGINT');
  return result;
};

export const arithmetic: Readonly<Record<string, Signature>> = {
  add: binary,
  subtract: binary,
  multiply: binary,
  divide: division,
  modulo: remainder,
};
