import { anyNullable, arity, type Signature, sameType } from './signature.ts';

/** Two values of one type. NULL against anything is NULL; strings compare by code point (semantics §1). */
const pair: Signature = (args, path) => {
  arity(args, path, 2);
  sameType(args, path);
  return { type: 'BOOLEAN', nullable: anyNullable(args), integral: false };
};

export const comparison: Readonly<Record<string, Signature>> = {
  eq: pair,
  ne: pair,
  lt: pair,
  le: pair,
  gt: pair,
  ge: pair,
};
