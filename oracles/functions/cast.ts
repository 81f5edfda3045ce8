import { type Implementation, unary } from './implementation.ts';

export const cast: Readonly<Record<string, Implementation>> = {
  to_bigint: unary((value) => value),
  to_double: unary((value) => Number(value)),
  to_string: unary((value) => String(value)),
};
