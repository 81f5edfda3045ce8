import { openSpecimen, type SpecimenOptions } from '../../../src/engines/specimen/session.ts';
import type { PlanBuilder } from '../../../src/model/build.ts';
import type { Case, Schedule } from '../../../src/model/case.ts';
import type { Dataset, Event } from '../../../src/model/dataset.ts';
import type { Outcome } from '../../../src/model/outcome.ts';
import type { CheckedQuery } from '../../../src/model/query.ts';
import { parseExactJson, rowFromObject } from '../../../src/model/row-json.ts';
import type { Row, Value } from '../../../src/model/value.ts';
import { bytesOf, captureOf, clickStream, never, queryOf, saleStream, sorted, textOf } from '../cases.ts';

/** A row of one of the two streams, in its partition. */
export interface Arriving {
  readonly stream: 'click' | 'sale';
  readonly partition: number;
  readonly values: readonly [string | null, number, number | bigint | null];
}

export const click = (
  k: string | null,
  at: number,
  v: number | bigint | null = null,
  partition = 0,
): Arriving => ({ stream: 'click', partition, values: [k, at, v] });

export const sale = (
  item: string | null,
  sold: number,
  price: number | bigint | null = null,
  partition = 0,
): Arriving => ({ stream: 'sale', partition, values: [item, sold, price] });

/** Rows as they arrive, under a lag of `lagMs`; clicks are numbered. Streams have the partitions that rows name. */
export function input(lagMs: number, ...rows: readonly Arriving[]): Dataset {
  return inputOf(lagMs, 1, rows);
}

/** As {@link input}, in at least so many partitions a stream. */
export function inputOf(lagMs: number, partitions: number, rows: readonly Arriving[]): Dataset {
  const count = Math.max(partitions, ...rows.map(({ partition }) => partition + 1));
  let clicks = 0;
  const numbered = rows.map(({ stream, partition, values }, arrival) => {
    const row: Row = stream === 'click' ? [...values, clicks++] : values;
    return { stream, partition, event: { arrival, row } };
  });
  return {
    lagMs,
    provenance: 'captured',
    streams: [clickStream, saleStream].map((schema) => ({
      schema,
      partitions: Array.from({ length: count }, (_, partition): Event[] =>
        numbered
          .filter((each) => each.stream === schema.name && each.partition === partition)
          .map(({ event }) => event),
      ),
    })),
  };
}

/** How a plan is run: as declared by the case, drained on one subtask where nothing else is said. */
export interface Run extends Partial<Schedule>, SpecimenOptions {
  /** Columns of the declared key, for an output that is updated. */
  readonly keys?: readonly string[];
}

/** A case of a plan over clicks and sales. */
export function caseOf(
  plan: PlanBuilder,
  dataset: Dataset,
  { faults: _, keys, ...schedule }: Run = {},
): Case {
  const query = queryOf(plan);
  const { definition } = query;
  const keyed =
    keys === undefined
      ? query
      : { ...query, definition: { ...definition, declaration: { ...definition.declaration, keys } } };
  return { query: keyed, dataset, schedule: { parallelism: 1, stop: 'drain', ...schedule } };
}

/** What came of a plan. */
export function outcomeOf(plan: PlanBuilder, dataset: Dataset, run: Run = {}): Promise<Outcome> {
  return openSpecimen({ faults: run.faults }).run(caseOf(plan, dataset, run), never);
}

/** The text of all lines. */
export async function textFrom(plan: PlanBuilder, dataset: Dataset, run: Run = {}): Promise<string> {
  return (await bytesOf(captureOf(await outcomeOf(plan, dataset, run)))).toString();
}

/** One line of a changelog. */
export type ChangeLine = readonly [op: string, row: Row];

/** The changes of an output in their order; rows of an append output are all `+I`. */
export async function changesOf(query: CheckedQuery, outcome: Outcome): Promise<readonly ChangeLine[]> {
  const capture = captureOf(outcome);
  const lines = (await bytesOf(capture)).toString().split('\n').filter(Boolean).map(parseExactJson);
  return lines.map((line): ChangeLine => {
    if (capture.format === 'rows') return ['+I', rowFromObject(query.columns, line)];
    const { op, row } = line as { op: string; row: unknown };
    return [op, rowFromObject(query.columns, row)];
  });
}

/**
 * The rows that are there in the end, in the order of their text.
 *
 * @throws Error for a change that removes a row which is not there.
 */
export function finalRows(changes: readonly ChangeLine[]): readonly Row[] {
  const rows = new Map<string, { row: Row; count: number }>();
  for (const [op, row] of changes) {
    const text = textOf(row);
    const held = rows.get(text) ?? { row, count: 0 };
    held.count += op.startsWith('+') ? 1 : -1;
    if (held.count < 0) throw new Error(`${op} removes a row that is not there`);
    rows.set(text, held);
  }
  return sorted([...rows.values()].flatMap(({ row, count }) => Array.from({ length: count }, () => row)));
}

/** The final rows of a plan. */
export async function answer(plan: PlanBuilder, dataset: Dataset, run: Run = {}): Promise<readonly Row[]> {
  return finalRows(await changes(plan, dataset, run));
}

/** The changes of a plan in their order. */
export async function changes(
  plan: PlanBuilder,
  dataset: Dataset,
  run: Run = {},
): Promise<readonly ChangeLine[]> {
  return changesOf(queryOf(plan), await outcomeOf(plan, dataset, run));
}

/** Rows written out by hand, in the order of their text. */
export const rows = (...values: (readonly Value[])[]): readonly Row[] => sorted(values);
