import { avg, bigint, call, count, countDistinct, max, min, sum, text } from '../../../src/model/build.ts';
import type { AggregateCall } from '../../../src/model/plan/aggregate.ts';

/** Named aggregates of one group; each has `rows`, which filters and nested queries build on. */
export type Aggregations = Readonly<Record<string, Omit<AggregateCall, 'as'>>>;

const rows = count();
const positive = call('gt', 'amount', bigint(0));
const north = call('eq', 'zone', text('north'));

/**
 * Aggregates over the columns that `reading` and `signal` share and over `amount_double`, which is `amount` as DOUBLE:
 * every function, with FILTER, and with none, one and two distinct columns.
 */
export const aggregations: readonly Aggregations[] = [
  { rows },
  { rows, total: sum('amount') },
  { rows, least: min('amount'), most: max('amount') },
  { rows, amounts: count('amount'), notes: count('note') },
  { rows, first_note: min('note'), last_note: max('note') },
  { rows, average: avg('amount_double'), total_double: sum('amount_double') },
  { rows, distinct_notes: countDistinct('note') },
  {
    rows,
    notes: count('note'),
    distinct_notes: countDistinct('note'),
    distinct_amounts: countDistinct('amount'),
  },
  { rows, distinct_total: { fn: 'sum', arg: 'amount', distinct: true }, total: sum('amount') },
  {
    rows,
    positive: { fn: 'count', where: positive },
    positive_total: { fn: 'sum', arg: 'amount', where: positive },
  },
  {
    rows,
    north: { fn: 'count', where: north },
    most: { fn: 'max', arg: 'amount', where: north },
    distinct_north: { fn: 'count', arg: 'note', distinct: true, where: north },
    distinct_notes: countDistinct('note'),
  },
];
