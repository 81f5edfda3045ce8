import fc from 'fast-check';
import type { StreamSchema } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/value.ts';
import { type ColumnValues, columnValues, type DrawnColumn } from './column-values.ts';
import { type Lateness, latenesses, type Step, steps } from './timeline.ts';

/** An event before its time and its number are known: parts that shrink alone. */
export interface Draft {
  readonly stream: StreamSchema;
  readonly step: Step;
  readonly lateness: Lateness;
  /** Stands for a partition by its remainder. */
  readonly partition: number;
  /** The rows of a stream are numbered in this order, equal ones as they arrive. */
  readonly order: number;
  /** The drawn columns by name, see {@link columnValues}. */
  readonly values: Readonly<Record<string, Value>>;
}

/** What the values of a draft are kept from. */
export interface DraftConstraints {
  readonly disorderMs: number;
  readonly neverNull: 'all' | readonly DrawnColumn[];
  readonly plain: 'all' | readonly DrawnColumn[];
}

/** Drafts of one stream. Shrinks to no step, no lateness, arrival's own order and each column's first value. */
export function draftsOf(stream: StreamSchema, constraints: DraftConstraints): fc.Arbitrary<Draft> {
  const columns = stream.columns.map(({ name }) => [name, `${stream.name}.${name}`] as const);
  const drawn = columns.filter((column): column is [string, DrawnColumn] => column[1] in columnValues);
  return fc.record({
    stream: fc.constant(stream),
    step: steps(),
    lateness: latenesses(constraints.disorderMs),
    partition: fc.nat({ max: 11 }),
    order: fc.oneof({ withCrossShrink: true }, fc.constant(0), fc.nat({ max: 7 })),
    values: fc.record(
      Object.fromEntries(drawn.map(([name, column]) => [name, drawnValue(column, constraints)])),
    ),
  });
}

function drawnValue(column: DrawnColumn, { neverNull, plain }: DraftConstraints): fc.Arbitrary<Value> {
  const values: ColumnValues = columnValues[column];
  const names = (list: 'all' | readonly DrawnColumn[]) => list === 'all' || list.includes(column);
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 6, arbitrary: values.plain },
    ...(values.odd === undefined || names(plain) ? [] : [{ weight: 2, arbitrary: values.odd }]),
    ...(names(neverNull) ? [] : [{ weight: 1, arbitrary: fc.constant(null) }]),
  );
}
