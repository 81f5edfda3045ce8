import type { Case } from '../model/case.ts';
import type { StreamData } from '../model/dataset.ts';
import { type Expression, type Literal, literalValue } from '../model/expression.ts';
import {
  expressionsOf,
  operatorsOf,
  partsOf,
  rewriteExpressions,
  rewriteLeaves,
} from '../model/plan/rewrite.ts';
import type { Type } from '../model/type.ts';
import type { Row, Value } from '../model/value.ts';
import type { Asking } from './asking.ts';
import { changed } from './candidate.ts';
import { eventsOf, withRows } from './events.ts';
import { BEYOND_DOUBLE, GREAT, literalOf, numbered, plainerThan, plainestOf } from './plain-values.ts';
import { mapped, numbering } from './schemas.ts';

/** Events beyond which each value is no longer looked at by itself. */
const MOST_EVENTS = 8;

/** Makes values plain: all at once, column by column, then each by itself. */
export async function plainValues(asking: Asking): Promise<void> {
  await asking.keepFirst(allColumns(asking.best));
  for (const place of columnsOf(asking.best)) {
    await asking.keepFirst(ways.map((way) => withColumns(asking.best, [place], way)));
  }
  await asking.keepFirst(numberedRows(asking.best));
  await asking.keepFirst(renamedLetters(asking.best));
  await asking.keepFirst(turnedSigns(asking.best));
  await asking.keepFirst(swappedLiterals(asking.best));
  if (eventsOf(asking.best).length > MOST_EVENTS) return;
  for (const { stream, column } of columnsOf(asking.best)) {
    const count = asking.best.dataset.streams[stream]!.partitions.flat().length;
    for (let index = 0; index < count; index++) {
      // A text is made shorter step by step.
      await asking.keepAll((testCase) => plainerValues(testCase, stream, column, index));
    }
  }
}

interface ColumnPlace {
  readonly stream: number;
  readonly column: number;
}

/** All columns but event times, which are looked at by themselves. */
function columnsOf({ dataset }: Case): readonly ColumnPlace[] {
  return dataset.streams.flatMap(({ schema }, stream) =>
    schema.columns.flatMap(({ name, type }, column) =>
      name === schema.eventTime || type === 'TIMESTAMP(3)' ? [] : [{ stream, column }],
    ),
  );
}

/**
 * How the values of columns are made plain: all the same; numbered as they are first seen, or in their order; the same
 * without NULL, which is numbered as well, upwards and downwards; of great numbers the greatest alone, beyond what a
 * double tells apart; as far apart as their lower halves are the same.
 */
type Way = 'plainest' | 'first-seen' | 'ordered' | 'no-null' | 'no-null-falling' | 'one-great' | 'apart';
const ways: readonly Way[] = [
  'plainest',
  'first-seen',
  'ordered',
  'no-null',
  'no-null-falling',
  'one-great',
  'apart',
];

function* allColumns(testCase: Case): Generator<Case | undefined> {
  const columns = columnsOf(testCase);
  if (columns.length > 1) for (const way of ways) yield withColumns(testCase, columns, way);
}

/** Some columns made plain alike: where values of a type are equal, in whatever column, they stay so. */
function withColumns(testCase: Case, columns: readonly ColumnPlace[], way: Way): Case | undefined {
  const { streams } = testCase.dataset;
  const typeOf = ({ stream, column }: ColumnPlace) => streams[stream]!.schema.columns[column]!.type;
  const byType = new Map(
    [...new Set(columns.map(typeOf))].map((type) => {
      const own = columns.filter((place) => typeOf(place) === type);
      const values = eventValues(testCase, own);
      return [type, wayOf(way, type, values)] as const;
    }),
  );
  return changed(testCase, {
    streams: streams.map((stream, at) => {
      const own = new Map(
        columns
          .filter((place) => place.stream === at)
          .map((place) => [place.column, byType.get(typeOf(place))!] as const),
      );
      if (own.size === 0) return stream;
      return { ...stream, partitions: mapped(stream, (value, column) => own.get(column)?.(value) ?? value) };
    }),
  });
}

function wayOf(way: Way, type: Type, values: readonly Value[]): (value: Value) => Value | undefined {
  switch (way) {
    case 'plainest':
      return () => plainestOf(type);
    case 'first-seen':
    case 'ordered':
      return numbering(values, type, way);
    case 'one-great': {
      const [greatest] = type === 'BIGINT' ? values.filter(isGreat).sort((a, b) => (a! < b! ? 1 : -1)) : [];
      return greatest === undefined
        ? asIs
        : (value) => (value === greatest ? BEYOND_DOUBLE : plainestOf(type));
    }
    case 'apart': {
      const number = numbering(values, type, 'first-seen');
      if (type !== 'BIGINT' || !values.some(isGreat)) return asIs;
      return (value) => (value === null ? null : (number(value) as number) * 2 * GREAT);
    }
    default: {
      if (!values.includes(null)) return asIs;
      const different = [...new Set(values)];
      if (way === 'no-null-falling') different.reverse();
      return (value) => numbered(type, different.indexOf(value));
    }
  }
}

const isGreat = (value: Value) => Math.abs(Number(value)) >= GREAT;

const asIs = (value: Value) => value;

/** The values of some columns as their rows arrive. */
function eventValues(testCase: Case, columns: readonly ColumnPlace[]): readonly Value[] {
  const { streams } = testCase.dataset;
  const streamOf = new Map(
    streams.flatMap((stream, at) => stream.partitions.flat().map((event) => [event, at] as const)),
  );
  return eventsOf(testCase).flatMap((event) =>
    columns.filter(({ stream }) => stream === streamOf.get(event)).map(({ column }) => event.row[column]!),
  );
}

function* plainerValues(
  testCase: Case,
  stream: number,
  column: number,
  index: number,
): Generator<Case | undefined> {
  const { schema, partitions } = testCase.dataset.streams[stream]!;
  const event = partitions.flat().sort((a, b) => a.arrival - b.arrival)[index];
  const type = schema.columns[column]?.type;
  if (event === undefined || type === undefined) return;
  const value = event.row[column]!;
  const tried = [...plainerThan(type, value), ...(typeof value === 'string' ? shorter(value) : [])];
  for (const plainer of new Set(tried))
    yield withRows(testCase, new Map([[event, event.row.with(column, plainer)]]));
}

/** Letters of a text beyond which it is only halved. */
const MOST_LETTERS = 8;

/** A text without one of its letters, or half of it. */
function shorter(text: string): readonly string[] {
  const letters = [...text];
  if (letters.length < 2) return [];
  const middle = Math.ceil(letters.length / 2);
  if (letters.length > MOST_LETTERS)
    return [letters.slice(middle).join(''), letters.slice(0, middle).join('')];
  return letters.map((_, index) => letters.toSpliced(index, 1).join(''));
}

/** One column that tells as much as all of its type in its stream do, which then tell nothing. */
function* numberedRows(testCase: Case): Generator<Case | undefined> {
  const { streams } = testCase.dataset;
  for (const [at, stream] of streams.entries()) {
    const own = columnsOf(testCase).flatMap(({ stream: place, column }) =>
      place === at && stream.schema.columns[column]!.type === 'BIGINT' ? [column] : [],
    );
    const [first] = own;
    if (first === undefined || own.length < 2) continue;
    const keyOf = (row: Row) => own.map((column) => String(row[column])).join();
    const rows = eventsOf({ ...testCase, dataset: { ...testCase.dataset, streams: [stream] } }).map(
      ({ row }) => row,
    );
    const numbers = new Map([...new Set(rows.map(keyOf))].map((key, index) => [key, index]));
    const partitions = stream.partitions.map((events) =>
      events.map(({ arrival, row }) => ({
        arrival,
        row: row.map((value, column) =>
          column === first ? numbers.get(keyOf(row))! : own.includes(column) ? 0 : value,
        ),
      })),
    );
    yield changed(testCase, { streams: streams.with(at, { ...stream, partitions }) });
  }
}

/** Literals that are below zero made positive, and whole numbers in rows turned with them. */
function* turnedSigns(testCase: Case): Generator<Case | undefined> {
  const isNegative = (expression: Expression) =>
    'lit' in expression && typeof expression.lit === 'number' && expression.lit < 0;
  if (!operatorsOf(testCase.query.plan).flatMap(expressionsOf).flatMap(partsOf).some(isNegative)) return;
  const turned = (expression: Expression) =>
    rewriteLeaves(expression, (leaf) =>
      isNegative(leaf) ? ({ ...leaf, lit: -(leaf as { lit: number }).lit } as Expression) : leaf,
    );
  const places = columnsOf(testCase);
  yield changed(testCase, {
    plan: rewriteExpressions(testCase.query.plan, turned),
    streams: testCase.dataset.streams.map((stream, at) => ({
      ...stream,
      partitions: mapped(stream, (value, column) =>
        typeof value === 'number' && places.some((place) => place.stream === at && place.column === column)
          ? -value + 0
          : value,
      ),
    })),
  });
}

/** A literal and a value that a row has changed with each other, where the value is the plainer one. */
function* swappedLiterals(testCase: Case): Generator<Case | undefined> {
  const { query, dataset } = testCase;
  const literals = operatorsOf(query.plan)
    .flatMap(expressionsOf)
    .flatMap(partsOf)
    .filter((part) => 'lit' in part);
  if (literals.length !== 1) return;
  const [literal] = literals as [Literal];
  const own = literalValue(literal);
  for (const { stream, column } of columnsOf(testCase)) {
    if (dataset.streams[stream]!.schema.columns[column]!.type !== literal.type) continue;
    const plainer = plainerThan(literal.type, own);
    for (const value of new Set(eventValues(testCase, [{ stream, column }]))) {
      const made = plainer.includes(value) ? literalOf(literal.type, value) : undefined;
      if (made === undefined) continue;
      const swap = (each: Expression) => rewriteLeaves(each, (leaf) => ('lit' in leaf ? made : leaf));
      const streams = dataset.streams.map((data, at) => ({
        ...data,
        partitions: mapped(data, (each, place) =>
          at === stream && place === column && each === value ? own : each,
        ),
      }));
      yield changed(testCase, { plan: rewriteExpressions(query.plan, swap), streams });
    }
  }
}

/** The case with the ASCII characters of its texts named a, b and so on, those of literals first. */
function* renamedLetters(testCase: Case): Generator<Case | undefined> {
  const { query, dataset } = testCase;
  const literals = operatorsOf(query.plan)
    .flatMap(expressionsOf)
    .flatMap(partsOf)
    .flatMap((part) =>
      'lit' in part && typeof part.lit === 'string' && part.type === 'STRING' ? [part.lit] : [],
    );
  const texts = eventsOf(testCase).flatMap(({ row }) => row.filter((value) => typeof value === 'string'));
  const letters = new Set([...literals, ...texts].join('').match(/[ -~]/g) ?? []);
  if (letters.size > 26) return;
  const names = new Map([...letters].map((letter, index) => [letter, String.fromCharCode(97 + index)]));
  const renamed = (text: string) => [...text].map((letter) => names.get(letter) ?? letter).join('');
  const value = (one: Value) => (typeof one === 'string' ? renamed(one) : one);
  const stream = (data: StreamData) => ({
    ...data,
    partitions: mapped(data, (one, column) =>
      data.schema.columns[column]!.type === 'STRING' ? value(one) : one,
    ),
  });
  const literal = (expression: Expression) =>
    rewriteLeaves(expression, (leaf) =>
      'lit' in leaf && leaf.type === 'STRING' && typeof leaf.lit === 'string'
        ? { ...leaf, lit: renamed(leaf.lit) }
        : leaf,
    );
  yield changed(testCase, {
    streams: dataset.streams.map(stream),
    ...(literals.length === 0 ? {} : { plan: rewriteExpressions(query.plan, literal) }),
  });
}
