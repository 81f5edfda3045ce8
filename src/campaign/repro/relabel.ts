import type { Case } from '../../model/case.ts';
import type { Dataset } from '../../model/dataset.ts';
import { type Expression, type Literal, literalValue } from '../../model/expression.ts';
import type { Plan } from '../../model/plan/index.ts';
import {
  expressionsOf,
  operatorsOf,
  partsOf,
  rewriteExpressions,
  rewriteLeaves,
} from '../../model/plan/rewrite.ts';
import { type CheckedQuery, checkedOver, type QueryDefinition } from '../../model/query.ts';
import { decimalOf, type Type } from '../../model/type.ts';
import type { Value } from '../../model/value.ts';
import {
  type NumberNaming,
  numberNamings,
  renamedDoubles,
  renamedExactly,
  renamedIntegers,
} from './renamed-numbers.ts';
import { renamedTexts, type TextNaming, textNamings } from './renamed-texts.ts';

/** Windows of longer periods leave times where they are. */
const GREATEST_PERIOD_MS = 366 * 86_400_000;

/** A case under new values, and how much of the old ones it tells. */
export interface Relabelled {
  readonly testCase: Case;
  readonly texts: TextNaming;
  readonly numbers: NumberNaming;
  /** `shifted` by whole periods of the windows toward the epoch, their distances as they were; or `kept`. */
  readonly times: 'shifted' | 'kept';
}

/**
 * A case under new values that fails as it did: order and equality of all values are kept, and nothing else but what
 * the failure needs. Those ways that tell least are tried first; undefined where the failure shows in none.
 *
 * New are all texts and numbers of rows and query, and what a person wrote about the query. Times keep their distances.
 * Names of streams and columns stay, as do NULL, the empty text, truth values, and what is no finite number.
 */
export async function relabel(
  testCase: Case,
  fails: (candidate: Case) => Promise<boolean>,
): Promise<Relabelled | undefined> {
  for (const times of ['shifted', 'kept'] as const) {
    for (const texts of textNamings) {
      for (const numbers of numberNamings) {
        const relabelled = relabelledCase(testCase, { texts, numbers, times });
        if (relabelled !== undefined && (await fails(relabelled)))
          return { testCase: relabelled, texts, numbers, times };
      }
    }
  }
  return undefined;
}

/** The case under new values, whether it fails or not; undefined where there are none of the kind. */
export function relabelledCase(
  testCase: Case,
  { texts, numbers, times }: Omit<Relabelled, 'testCase'>,
): Case | undefined {
  const held = heldValues(testCase);
  const text = renamedTexts([...held.of('STRING'), ...held.literalsOf('STRING')] as string[], texts);
  if (text === undefined) return undefined;
  const wholeTypes = ['INT', 'BIGINT'] as const;
  const whole = renamedIntegers(
    wholeTypes.flatMap((type) => held.of(type) as (number | bigint)[]),
    wholeTypes.flatMap((type) => held.literalsOf(type) as (number | bigint)[]),
    numbers,
  );
  const double = renamedDoubles(
    held.of('DOUBLE') as number[],
    held.literalsOf('DOUBLE') as number[],
    numbers,
  );
  if (double === undefined) return undefined;
  const shiftMs = times === 'shifted' ? shiftOf(testCase) : 0;
  const decimals = new Map<Type, (value: string) => string>();
  const rename = (value: Value, type: Type): Value => {
    if (value === null || typeof value === 'boolean') return value;
    switch (type) {
      case 'STRING':
        return text(value as string);
      case 'INT':
      case 'BIGINT':
        return whole(value as number | bigint);
      case 'DOUBLE':
        return double(value as number);
      case 'TIMESTAMP(3)':
        return (value as number) + shiftMs;
      case 'BOOLEAN':
        return value;
      default: {
        let decimal = decimals.get(type);
        if (decimal === undefined) {
          decimal = renamedDecimals(
            held.of(type) as string[],
            held.literalsOf(type) as string[],
            type,
            numbers,
          );
          decimals.set(type, decimal);
        }
        return decimal(value as string);
      }
    }
  };
  const dataset = withValues(testCase.dataset, rename);
  const query = withLiterals(testCase.query, dataset, rename);
  return query && { ...testCase, query, dataset };
}

interface HeldValues {
  of(type: Type): readonly Value[];
  literalsOf(type: Type): readonly Value[];
}

/** The values that are there, by type. */
function heldValues({ query, dataset }: Case): HeldValues {
  const inRows = new Map<Type, Set<Value>>();
  for (const { schema, partitions } of dataset.streams) {
    for (const [index, { type }] of schema.columns.entries()) {
      const values = inRows.get(type) ?? new Set();
      inRows.set(type, values);
      for (const events of partitions) for (const { row } of events) values.add(row[index]!);
    }
  }
  const inQuery = new Map<Type, Value[]>();
  for (const literal of literalsOf(query.plan)) {
    inQuery.set(literal.type, [...(inQuery.get(literal.type) ?? []), literalValue(literal)]);
  }
  const known = (values: Iterable<Value>) => [...values].filter((value) => value !== null);
  return {
    of: (type) => known(inRows.get(type) ?? []),
    literalsOf: (type) => known(inQuery.get(type) ?? []),
  };
}

function literalsOf(plan: Plan): readonly Literal[] {
  return operatorsOf(plan)
    .flatMap(expressionsOf)
    .flatMap(partsOf)
    .filter((part) => 'lit' in part);
}

function withValues(dataset: Dataset, rename: (value: Value, type: Type) => Value): Dataset {
  const streams = dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions.map((events) =>
      events.map(({ arrival, row }) => ({
        arrival,
        row: row.map((value, index) => rename(value, schema.columns[index]!.type)),
      })),
    ),
  }));
  return { ...dataset, provenance: { seed: '', profile: 'relabelled', parameters: {} }, streams };
}

/** The query with new literals, and without what a person wrote about it; undefined where that is no query. */
function withLiterals(
  { definition }: CheckedQuery,
  dataset: Dataset,
  rename: (value: Value, type: Type) => Value,
): CheckedQuery | undefined {
  const reason = 'as was declared of the query before it was relabelled';
  const { plan, declaration, premises } = definition;
  const change = (expression: Expression) =>
    rewriteLeaves(expression, (leaf) => ('lit' in leaf ? renamedLiteral(leaf, rename) : leaf));
  const relabelled: QueryDefinition = {
    ...definition,
    name: 'relabelled',
    title: 'A query over relabelled data',
    plan: rewriteExpressions(plan, change),
    declaration: {
      ...declaration,
      reason,
      ...(declaration.tolerance === undefined ? {} : { tolerance: { ...declaration.tolerance, reason } }),
    },
    premises: premises.map((premise) => ({ ...premise, reason })),
  };
  return checkedOver(relabelled, dataset);
}

function renamedLiteral(literal: Literal, rename: (value: Value, type: Type) => Value): Literal {
  const value = rename(literalValue(literal), literal.type);
  return { ...literal, lit: typeof value === 'bigint' ? String(value) : value };
}

/** Decimals of one type, by their digits without the point. */
function renamedDecimals(
  values: readonly string[],
  literals: readonly string[],
  type: Type,
  naming: NumberNaming,
): (value: string) => string {
  const { scale } = decimalOf(type)!;
  const digitsOf = (text: string) => BigInt(text.replace('.', ''));
  const names = renamedExactly(values.map(digitsOf), literals.map(digitsOf), naming);
  return (value) => {
    const digits = names.get(digitsOf(value)) ?? digitsOf(value);
    const magnitude = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
    const sign = digits < 0n ? '-' : '';
    if (scale === 0) return `${sign}${magnitude}`;
    return `${sign}${magnitude.slice(0, -scale)}.${magnitude.slice(-scale)}`;
  };
}

/** What moves the earliest event to the first period of the windows after the epoch. */
function shiftOf({ query, dataset }: Case): number {
  const periodMs = periodOf(query.plan);
  if (periodMs > GREATEST_PERIOD_MS) return 0;
  let earliest = Number.POSITIVE_INFINITY;
  for (const { schema, partitions } of dataset.streams) {
    const time = schema.columns.findIndex(({ name }) => name === schema.eventTime);
    for (const events of partitions) {
      for (const { row } of events) earliest = Math.min(earliest, row[time] as number);
    }
  }
  return Number.isFinite(earliest) ? -Math.floor(earliest / periodMs) * periodMs : 0;
}

/** The time after which all aligned windows begin anew. */
function periodOf(plan: Plan): number {
  let periodMs = 1;
  for (const node of operatorsOf(plan)) {
    if (node.op !== 'window' || node.window.kind === 'session') continue;
    const ownMs = node.window.kind === 'hop' ? node.window.slideMs : node.window.sizeMs;
    periodMs = (periodMs / greatestDivisor(periodMs, ownMs)) * ownMs;
  }
  return periodMs;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}
