import type { Case } from '../model/case.ts';
import type { StreamData } from '../model/dataset.ts';
import type { Expression } from '../model/expression.ts';
import type { Plan } from '../model/plan/index.ts';
import { operatorsOf, rewriteExpressions, rewriteLeaves } from '../model/plan/rewrite.ts';
import type { Column, StreamSchema } from '../model/schema.ts';
import type { Type } from '../model/type.ts';
import type { Row, Value } from '../model/value.ts';
import { changed } from './candidate.ts';
import { columnsReadOf } from './columns-read.ts';
import { numbered } from './plain-values.ts';
import { type Edit, rebuild } from './rebuild.ts';

/** Cases whose streams have fewer columns: those alone that are read, then without one that is read. */
export function* fewerColumns(testCase: Case): Generator<Case | undefined> {
  const read = columnsReadOf(testCase.query);
  const { streams } = testCase.dataset;
  const isRead = (schema: StreamSchema, name: string) =>
    name === schema.eventTime || read.get(schema.name)?.has(name) === true;
  yield dropping(testCase, (schema, name) => !isRead(schema, name));
  for (const { schema } of streams) {
    const others = schema.columns.map(({ name }) => name).filter((name) => name !== schema.eventTime);
    const without = (names: readonly string[]) =>
      dropping(testCase, (other, name) => other === schema && names.includes(name));
    if (others.length > 1) yield without(others);
    if (others.length > 3) {
      const middle = Math.ceil(others.length / 2);
      yield without(others.slice(middle));
      yield without(others.slice(0, middle));
    }
    for (const name of others.toReversed()) yield without([name]);
  }
}

/** Cases that read one column where they read two of a type. */
export function* mergedColumns(testCase: Case): Generator<Case | undefined> {
  const { streams } = testCase.dataset;
  const nodes = operatorsOf(testCase.query.plan);
  for (const { schema } of streams) {
    for (const [index, column] of schema.columns.entries()) {
      if (column.name === schema.eventTime) continue;
      const into = schema.columns.find(
        (other, place) =>
          other.type === column.type &&
          (place < index || other.name === schema.eventTime) &&
          other !== column,
      );
      if (into === undefined) continue;
      const edits = nodes.flatMap((node): [Plan, Edit][] =>
        node.op === 'scan' && node.stream === schema.name
          ? [[node, () => ({ plan: node, of: (name) => ({ col: name === column.name ? into.name : name }) })]]
          : [],
      );
      const made = rebuild(testCase.query, new Map(edits));
      if (made === undefined) continue;
      const merged = changed(testCase, { plan: made.plan });
      yield merged === undefined
        ? undefined
        : dropping(merged, (other, name) => other === schema && name === column.name);
    }
  }
}

function dropping(
  testCase: Case,
  isDropped: (schema: StreamSchema, name: string) => boolean,
): Case | undefined {
  return reshaped(testCase, ({ schema, partitions }) => {
    const kept = schema.columns.flatMap(({ name }, index) => (isDropped(schema, name) ? [] : [index]));
    if (kept.length === schema.columns.length) return { schema, partitions };
    const columns = kept.map((index) => schema.columns[index]!);
    const has = (name: string) => columns.some((column) => column.name === name);
    return {
      schema: { ...schema, columns, unique: schema.unique.filter((set) => set.every(has)) },
      partitions: partitions.map((events) =>
        events.map(({ arrival, row }) => ({ arrival, row: kept.map((index) => row[index]!) })),
      ),
    };
  });
}

/** Cases whose streams promise less: no unique columns, and NULL only where there is one. */
export function* plainerSchemas(testCase: Case): Generator<Case | undefined> {
  const { streams } = testCase.dataset;
  const holdsNull = ({ partitions }: StreamData, index: number) =>
    partitions.some((events) => events.some(({ row }) => row[index] === null));
  const required = (stream: StreamData): StreamData => ({
    ...stream,
    schema: {
      ...stream.schema,
      columns: stream.schema.columns.map((column, index) =>
        column.nullable && !holdsNull(stream, index) ? { ...column, nullable: false } : column,
      ),
    },
  });
  if (
    streams.some((stream) =>
      stream.schema.columns.some((column, at) => column.nullable && !holdsNull(stream, at)),
    )
  )
    yield reshaped(testCase, required);
  for (const [place, { schema }] of streams.entries()) {
    for (const set of schema.unique) {
      const unique = schema.unique.filter((other) => other !== set);
      yield reshaped(testCase, (stream, at) =>
        at === place ? { ...stream, schema: { ...schema, unique } } : stream,
      );
    }
  }
}

/** Cases whose columns are BIGINT, all of them, then one: values become numbers in the same order. */
export function* bigintColumns(testCase: Case): Generator<Case | undefined> {
  const { streams } = testCase.dataset;
  const others = streams.flatMap(({ schema }, stream) =>
    schema.columns.flatMap(({ name, type }, column) =>
      name === schema.eventTime || type === 'BIGINT' ? [] : [{ stream, column }],
    ),
  );
  if (others.length > 1) yield retyped(testCase, others);
  for (const other of others) yield retyped(testCase, [other]);
}

function retyped(
  testCase: Case,
  columns: readonly { readonly stream: number; readonly column: number }[],
): Case | undefined {
  // One numbering for all, so that what is equal in two columns stays so.
  const values = columns.flatMap(({ stream, column }) =>
    testCase.dataset.streams[stream]!.partitions.flatMap((events) => events.map(({ row }) => row[column]!)),
  );
  const types = columns.map(
    ({ stream, column }) => testCase.dataset.streams[stream]!.schema.columns[column]!.type,
  );
  const numberOf = types.every((type) => type === 'INT')
    ? (value: Value) => value
    : numbering(values, 'BIGINT', 'ordered');
  return reshaped(
    testCase,
    (stream, place) => {
      const own = columns.flatMap((each) => (each.stream === place ? [each.column] : []));
      if (own.length === 0) return stream;
      return {
        schema: {
          ...stream.schema,
          columns: stream.schema.columns.map(
            (column, index): Column => (own.includes(index) ? { ...column, type: 'BIGINT' } : column),
          ),
        },
        partitions: mapped(stream, (value, index) => (own.includes(index) ? numberOf(value) : value)),
      };
    },
    (plan) => rewriteExpressions(plan, asBigint),
  );
}

function asBigint(expression: Expression): Expression {
  return rewriteLeaves(expression, (leaf) =>
    'lit' in leaf && leaf.type === 'INT' ? { ...leaf, type: 'BIGINT' } : leaf,
  );
}

/** Values by numbers of a type that are different where they are: in the values' own order, or as they first appear. */
export function numbering(
  values: readonly Value[],
  type: Type,
  how: 'ordered' | 'first-seen',
): (value: Value) => Value {
  const different = [...new Set(values.filter((value) => value !== null))];
  if (how === 'ordered') different.sort(compareValues);
  const numbers = new Map(different.map((value, index) => [value, numbered(type, index)]));
  return (value) => (value === null ? null : (numbers.get(value) ?? value));
}

/** Strings by code point (semantics §1). */
function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a! < b! ? -1 : a! > b! ? 1 : 0;
}

export function mapped(
  { partitions }: StreamData,
  change: (value: Value, column: number) => Value,
): StreamData['partitions'] {
  return partitions.map((events) =>
    events.map(({ arrival, row }) => ({ arrival, row: row.map(change) as Row })),
  );
}

/** The case with other streams, and a plan without what they no longer have. Names stay. */
export function reshaped(
  testCase: Case,
  reshape: (stream: StreamData, place: number) => StreamData,
  also: (plan: Plan) => Plan = (plan) => plan,
): Case | undefined {
  const streams = testCase.dataset.streams.map(reshape);
  const schemas = new Map(streams.map(({ schema }) => [schema.name, schema]));
  const scans = operatorsOf(testCase.query.plan).flatMap((node): [Plan, Edit][] => {
    if (node.op !== 'scan') return [];
    const names = new Set(schemas.get(node.stream)?.columns.map(({ name }) => name));
    const of = (name: string): Expression | undefined => (names.has(name) ? { col: name } : undefined);
    return [[node, () => ({ plan: node, of })]];
  });
  const made = rebuild(testCase.query, new Map(scans));
  return made === undefined ? undefined : changed(testCase, { plan: also(made.plan), streams });
}
