import type { Value } from '../../src/model/value.ts';

/** Makes a row of nulls, to be filled in. */
export type BlankRow = () => Value[];

/**
 * By width. Literals, because the engine learns of each whether its rows live long, and then puts them where those do
 * from the start: the collector need not copy them there. Also, a row made of nulls needs not be laid out anew when it
 * meets a first value.
 */
const BLANKS: readonly BlankRow[] = [
  () => [],
  () => [null],
  () => [null, null],
  () => [null, null, null],
  () => [null, null, null, null],
  () => [null, null, null, null, null],
  () => [null, null, null, null, null, null],
  () => [null, null, null, null, null, null, null],
  () => [null, null, null, null, null, null, null, null],
  () => [null, null, null, null, null, null, null, null, null],
  () => [null, null, null, null, null, null, null, null, null, null],
  () => [null, null, null, null, null, null, null, null, null, null, null],
  () => [null, null, null, null, null, null, null, null, null, null, null, null],
];

export function blankRow(width: number): BlankRow {
  return BLANKS[width] ?? (() => new Array<Value>(width).fill(null));
}
