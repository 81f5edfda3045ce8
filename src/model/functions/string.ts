import type { Type } from '../type.ts';
import { anyNullable, arity, expectType, type Signature } from './signature.ts';

function signature(result: Type, ...types: Type[]): Signature {
  return (args, path) => {
    arity(args, path, types.length);
    for (const [index, type] of types.entries()) expectType(args, index, path, type);
    return { type: result, nullable: anyNullable(args), integral: result === 'BIGINT' };
  };
}

const splitIndex = signature('STRING', 'STRING', 'STRING', 'BIGINT');

/** Functions of strings as sequences of code points (semantics §1); positions count from 1. */
export const string: Readonly<Record<string, Signature>> = {
  lower: signature('STRING', 'STRING'),
  upper: signature('STRING', 'STRING'),
  /** Number of code points. */
  char_length: signature('BIGINT', 'STRING'),
  /** `position(needle, text)`: where the needle first starts, 0 when it does not occur. */
  position: signature('BIGINT', 'STRING', 'STRING'),
  /** `replace(text, needle, by)`: every occurrence from the left; an empty needle changes nothing. */
  replace: signature('STRING', 'STRING', 'STRING', 'STRING'),
  concat: signature('STRING', 'STRING', 'STRING'),
  /** `split_index(text, separator, n)`: the n-th part from 0; NULL when there are fewer parts. */
  split_index: (args, path) => ({ ...splitIndex(args, path), nullable: true }),
};
