import { anyNullable, arity, expectType, type Signature } from './signature.ts';

/** Hour of the day in UTC, 0 to 23, also before the epoch. */
const hour: Signature = (args, path) => {
  arity(args, path, 1);
  expectType(args, 0, path, 'TIMESTAMP(3)');
  return { type: 'BIGINT', nullable: anyNullable(args), integral: true };
};

export const time: Readonly<Record<string, Signature>> = { hour };
