import { anyNullable, arity, expectType, type Signature } from './signature.ts';

/** To BIGINT from INT, or from TIMESTAMP(3) as epoch milliseconds. */
const toBigint: Signature = (args, path) => {
  arity(args, path, 1);
  expectType(args, 0, path, 'INT', 'BIGINT', 'TIMESTAMP(3)');
  return { type: 'BIGINT', nullable: anyNullable(args), integral: true };
};

/** To DOUBLE from an integer type, rounded to nearest, ties to even. */
const toDouble: Signature = (args, path) => {
  arity(args, path, 1);
  expectType(args, 0, path, 'INT', 'BIGINT', 'DOUBLE');
  return { type: 'DOUBLE', nullable: anyNullable(args), integral: args[0]!.integral };
};

/** To STRING from an integer type: the exact digits. */
const toText: Signature = (args, path) => {
  arity(args, path, 1);
  expectType(args, 0, path, 'INT', 'BIGINT', 'STRING');
  return { type: 'STRING', nullable: anyNullable(args), integral: false };
};

export const cast: Readonly<Record<string, Signature>> = {
  to_bigint: toBigint,
  to_double: toDouble,
  to_string: toText,
};
