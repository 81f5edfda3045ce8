import { compareRows } from '../../../oracles/order.ts';
import { outputRows } from '../../../properties/output-rows.ts';
import type { Property } from '../../../properties/property.ts';
import { type Session, withRun } from '../../engines/engine.ts';
import { RowBag } from '../../judge/row-bag.ts';
import type { Case } from '../../model/case.ts';
import type { CheckedQuery } from '../../model/query.ts';
import type { Column } from '../../model/schema.ts';
import type { Type } from '../../model/type.ts';
import type { Row, Value } from '../../model/value.ts';
import { type Diverge, isToldWhole, type Verdict } from '../../model/verdict.ts';

/** More rows than that are no picture: only those that differ are kept then. */
const MOST_ROWS = 1_000;

/**
 * What had to be there beside what was there, in a fixed order.
 *
 * - `columns`: of these rows. A property that compares outputs of other queries than the case's own has others.
 * - `told`: whether these are all rows, or those alone that a verdict has samples of.
 */
export interface Shown {
  readonly columns: readonly Column[];
  readonly told: 'all' | 'differing';
  readonly expected: readonly Row[];
  readonly actual: readonly Row[];
}

/** A verdict, and the rows that it is about: none where nothing was judged. */
export interface ShownVerdict<V extends Verdict = Verdict> {
  readonly verdict: V;
  readonly shown: Shown | undefined;
}

/** Asks a property about a case, and keeps what the engines gave meanwhile: it takes no more runs than asking does. */
export async function checkShowing(
  property: Property,
  testCase: Case,
  sessions: readonly Session[],
  signal: AbortSignal,
): Promise<ShownVerdict> {
  const outputs: RecordedOutput[] = [];
  const recording = sessions.map((session) => recordingSession(session, outputs));
  const verdict = await property.check(testCase, recording, signal);
  switch (verdict.kind) {
    case 'diverge':
      return { verdict, shown: shownOf(testCase, verdict, outputs) };
    case 'agree': {
      const own = outputs.findLast(({ query }) => query === testCase.query);
      if (own === undefined || own.rows.length > MOST_ROWS) return { verdict, shown: undefined };
      const rows = inOrder(own.rows);
      return { verdict, shown: { columns: own.query.columns, told: 'all', expected: rows, actual: rows } };
    }
    default:
      return { verdict, shown: undefined };
  }
}

/** The rows of a verdict's samples alone, under these columns where they are of them. */
export function differingRows(given: readonly Column[], verdict: Diverge): Shown {
  const { samples } = verdict;
  const columns = fits(verdict, given) ? given : numbered(samples);
  const expected: Row[] = [];
  const actual: Row[] = [];
  for (const sample of samples) {
    for (let time = 0; time < sample.count; time++) {
      if (expected.length + actual.length >= MOST_ROWS) break;
      if ('expected' in sample) expected.push(sample.expected);
      if ('actual' in sample) actual.push(sample.actual);
    }
  }
  return { columns, told: 'differing', expected: inOrder(expected), actual: inOrder(actual) };
}

/** An output that could be read as rows, of a materialised query its final state. */
interface RecordedOutput {
  readonly query: CheckedQuery;
  readonly rows: readonly Row[];
}

/** The same session; what it gives is read before whoever asked for it may give it free. */
function recordingSession(session: Session, outputs: RecordedOutput[]): Session {
  return withRun(session, async (testCase, signal) => {
    const outcome = await session.run(testCase, signal);
    if (outcome.kind === 'output') {
      const rows = await outputRows(testCase.query, outcome);
      if (!('kind' in rows)) outputs.push({ query: testCase.query, rows });
    }
    return outcome;
  });
}

function shownOf(testCase: Case, verdict: Diverge, outputs: readonly RecordedOutput[]): Shown {
  const fitting = outputs.filter(({ query }) => fits(verdict, query.columns));
  const judged = fitting.findLast((output) => restOf(output, verdict) !== undefined);
  const columns = judged?.query.columns ?? fitting.at(-1)?.query.columns ?? testCase.query.columns;
  const differing = differingRows(columns, verdict);
  if (judged === undefined || !isToldWhole(verdict) || judged.rows.length > MOST_ROWS) return differing;
  const expected = inOrder([...restOf(judged, verdict)!, ...differing.expected]);
  // Held to the truth there is one output; of several, another one has to be what this one was held to.
  const isClaimed = outputs.length === 1 || outputs.some(({ rows }) => isSame(rows, expected));
  if (!isClaimed) return differing;
  return { columns, told: 'all', expected, actual: inOrder(judged.rows) };
}

/** What is right of an output: its rows without those that a verdict calls wrong; undefined where it has not all of them. */
function restOf({ rows }: RecordedOutput, { samples }: Diverge): readonly Row[] | undefined {
  const bag = new RowBag(rows);
  const wrong = new RowBag();
  for (const sample of samples) {
    if (!('actual' in sample)) continue;
    for (let time = 0; time < sample.count; time++) {
      if (!bag.take(sample.actual)) return undefined;
      wrong.add(sample.actual);
    }
  }
  return rows.filter((row) => !wrong.take(row));
}

function isSame(rows: readonly Row[], others: readonly Row[]): boolean {
  const bag = new RowBag(rows);
  return rows.length === others.length && others.every((row) => bag.take(row));
}

/** Whether the rows of a verdict can be rows of these columns. */
function fits({ samples }: Diverge, columns: readonly Column[]): boolean {
  const isRow = (row: Row) =>
    row.length === columns.length && row.every((value, index) => isOf(value, columns[index]!));
  return samples.every(
    (sample) =>
      (!('expected' in sample) || isRow(sample.expected)) && (!('actual' in sample) || isRow(sample.actual)),
  );
}

function isOf(value: Value, { type }: Column): boolean {
  if (value === null) return true;
  switch (type) {
    case 'BOOLEAN':
      return typeof value === 'boolean';
    case 'INT':
    case 'DOUBLE':
    case 'TIMESTAMP(3)':
      return typeof value === 'number';
    case 'BIGINT':
      return typeof value === 'number' || typeof value === 'bigint';
    default:
      return typeof value === 'string';
  }
}

/** Columns for rows of which nothing else is known. */
function numbered(samples: Diverge['samples']): readonly Column[] {
  const rows = samples.flatMap((sample) => [
    ...('expected' in sample ? [sample.expected] : []),
    ...('actual' in sample ? [sample.actual] : []),
  ]);
  const width = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: width }, (_, index) => ({
    name: `column_${index + 1}`,
    type: typeOf(rows.map((row) => row[index] ?? null)),
    nullable: true,
  }));
}

function typeOf(values: readonly Value[]): Type {
  const known = values.filter((value) => value !== null);
  if (known.every((value) => typeof value === 'boolean')) return 'BOOLEAN';
  if (known.every((value) => typeof value === 'bigint' || Number.isSafeInteger(value))) return 'BIGINT';
  return known.every((value) => typeof value === 'number') ? 'DOUBLE' : 'STRING';
}

function inOrder(rows: readonly Row[]): readonly Row[] {
  return [...rows].sort(compareRows);
}
