import { anyNullable, arity, expectType, type Signature } from './signature.ts';

/** AND and OR of two or more BOOLEAN, in three-valued logic (semantics §1). */
const connective: Signature = (args, path) => {
  arity(args, path, 2, Infinity);
  for (const index of args.keys()) expectType(args, index, path, 'BOOLEAN');
  return { type: 'BOOLEAN', nullable: anyNullable(args), integral: false };
};

const negation: Signature = (args, path) => {
  arity(args, path, 1);
  expectType(args, 0, path, 'BOOLEAN');
  return { type: 'BOOLEAN', nullable: anyNullable(args), integral: false };
};

/** Never null itself. */
const nullTest: Signature = (args, path) => {
  arity(args, path, 1);
  return { type: 'BOOLEAN', nullable: false, integral: false };
};

export const logic: Readonly<Record<string, Signature>> = {
  and: connective,
  or: connective,
  not: negation,
  is_null: nullTest,
};
