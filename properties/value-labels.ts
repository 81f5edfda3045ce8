import type { StreamData } from '../src/model/dataset.ts';
import { BIGINT_MAX, BIGINT_MIN, INT_MAX, INT_MIN, type Row, type Value } from '../src/model/value.ts';
import type { QueryLabels } from './query-labels.ts';

const TWO_31 = 2 ** 31;
const TWO_32 = 2n ** 32n;
const BEYOND_ASCII = /[^ -~]/;

/** Labels of what the columns of a stream hold, and of what the query does with them. `rows` in any order. */
export function valueLabels(
  { schema }: StreamData,
  rows: readonly Row[],
  query: QueryLabels,
  add: (label: string) => void,
): void {
  for (const [index, { name, type }] of schema.columns.entries()) {
    if (name === schema.eventTime) continue;
    const values = rows.map((row) => row[index]!);
    if (query.keys.has(name)) keyLabels(values, add);
    if (values.some((value) => value === null)) {
      add('null');
      if (query.joinKeys.has(name)) add('null-join-key');
      if (query.conditionOf.has(name)) add('three-valued');
      if (values.length >= 3 && values.every((value) => value === null)) add('all-null-column');
    }
    if (type === 'STRING') textLabels(values, add);
    if (type !== 'INT' && type !== 'BIGINT') continue;
    integerLabels(values, add);
    const negative = values.some((value) => value !== null && (value as number | bigint) < 0);
    if (negative && query.moduloOf.has(name)) add('negative-modulo');
    if (negative && query.quotientOf.has(name)) add('negative-division');
    if (negative && query.sumOf.has(name)) add('negative-sum');
  }
  for (const [index, { name }] of schema.columns.entries()) {
    if (query.orders.has(name) && new Set(rows.map((row) => row[index])).size < rows.length)
      add('tied-order');
  }
}

function keyLabels(values: readonly Value[], add: (label: string) => void): void {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.has(null)) add('null-key');
  if (counts.size === 1 && values.length >= 3) add('single-key');
  if (counts.size > 1 && values.length >= 8 && Math.max(...counts.values()) * 2 > values.length)
    add('hot-key');
  if (counts.size > 64) add('many-keys');
  if (counts.size > 256) add('more-than-256-keys');
  if (values.some(isBeyond31)) add('extreme-key');
}

function textLabels(values: readonly Value[], add: (label: string) => void): void {
  for (const value of values) {
    if (value === '') add('empty-string');
    else if (value !== null && BEYOND_ASCII.test(value as string)) {
      if (/[\u{10000}-\u{10ffff}]/u.test(value as string)) add('surrogate-pair');
      if (/\p{Mark}/u.test(value as string)) add('combining-mark');
    }
  }
}

function integerLabels(values: readonly Value[], add: (label: string) => void): void {
  if (values.some((value) => value === INT_MAX || value === INT_MIN)) add('int-extreme');
  if (!values.some(isBeyond31)) return;
  add('beyond-2^31');
  const exact = new Set(
    values.filter((value) => value !== null).map((value) => BigInt(value as number | bigint)),
  );
  for (const value of exact) {
    if (exact.has(value + TWO_32)) add('apart-by-2^32');
    if (value >= BIGINT_MAX - 1n || value <= BIGINT_MIN + 1n) add('bigint-extreme');
  }
  if (values.some((value) => typeof value === 'bigint')) add('beyond-2^53');
}

function isBeyond31(value: Value): boolean {
  if (typeof value === 'bigint') return true;
  return typeof value === 'number' && (value >= TWO_31 || value < -TWO_31);
}
