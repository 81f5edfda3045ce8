/**
 * One value of a row (semantics §1). Each value has exactly one representation:
 *
 * | type | value |
 * |---|---|
 * | BOOLEAN | `boolean` |
 * | INT | `number` |
 * | BIGINT | `number` when it is a safe integer, else `bigint` |
 * | DOUBLE | `number` |
 * | STRING | `string` of whole code points (no lone surrogate) |
 * | TIMESTAMP(3) | `number` of epoch milliseconds |
 * | DECIMAL(p,s) | `string`: an optional `-`, no leading zero, exactly `s` digits after the point, no `-0` |
 *
 * NULL is `null` for every type.
 */
export type Value = null | boolean | number | bigint | string;

/** The values of one row, in the order of its schema's columns. */
export type Row = readonly Value[];

/** Smallest and greatest BIGINT. */
export const BIGINT_MIN = -(2n ** 63n);
export const BIGINT_MAX = 2n ** 63n - 1n;

/** Smallest and greatest INT. */
export const INT_MIN = -(2 ** 31);
export const INT_MAX = 2 ** 31 - 1;

/** The one representation of a BIGINT: a `number` exactly when it is a safe integer. */
export function bigintValue(exact: bigint): number | bigint {
  return exact >= BigInt(Number.MIN_SAFE_INTEGER) && exact <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(exact)
    : exact;
}
