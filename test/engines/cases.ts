import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clink } from '../../src/engines/clink/engine.ts';
import type { Engine, Session } from '../../src/engines/engine.ts';
import type { PlanBuilder } from '../../src/model/build.ts';
import type { Case } from '../../src/model/case.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import type { Capture, Outcome } from '../../src/model/outcome.ts';
import { checkPlan } from '../../src/model/plan/index.ts';
import { type CheckedQuery, checkQuery, QUERY_VERSION } from '../../src/model/query.ts';
import { parseExactJson, rowFromObject } from '../../src/model/row-json.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';

/** A stream small enough to write out by hand. */
export const clickStream: StreamSchema = {
  name: 'click',
  columns: [
    { name: 'k', type: 'STRING', nullable: true },
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'v', type: 'BIGINT', nullable: true },
    { name: 'seq', type: 'BIGINT', nullable: false },
  ],
  eventTime: 'at',
  unique: [['seq']],
};

/** A second one, to join with. */
export const saleStream: StreamSchema = {
  name: 'sale',
  columns: [
    { name: 'item', type: 'STRING', nullable: true },
    { name: 'sold', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'price', type: 'BIGINT', nullable: true },
  ],
  eventTime: 'sold',
  unique: [],
};

/** `[k, at]` or `[k, at, v]`; rows are numbered by arrival. */
export type Click = readonly [k: string | null, at: number, v?: number | bigint | null];
/** `[item, sold]` or `[item, sold, price]`. */
export type Sale = readonly [item: string | null, sold: number, price?: number | bigint | null];

/** So great that no row of a small dataset is late. */
const LAG_MS = 1_000_000;

/** Clicks and sales in arrival order. */
export function dataset(clicks: readonly Click[], sales: readonly Sale[] = []): Dataset {
  return datasetOf(
    [clickStream, clicks.map(([k, at, v = null], seq) => [k, at, v, seq])],
    [saleStream, sales.map(([item, sold, price = null]) => [item, sold, price])],
  );
}

/** Rows of any streams, each in one partition. */
export function datasetOf(...streams: (readonly [StreamSchema, readonly Row[]])[]): Dataset {
  let arrival = 0;
  return {
    lagMs: LAG_MS,
    provenance: 'captured',
    streams: streams.map(([schema, rows]) => ({
      schema,
      partitions: [rows.map((row) => ({ arrival: arrival++, row }))],
    })),
  };
}

/** A query of a plan, declared as its output asks for. */
export function queryOf(
  plan: PlanBuilder,
  streams: readonly StreamSchema[] = [clickStream, saleStream],
): CheckedQuery {
  const { output } = checkPlan(plan.plan, streams);
  const names = output.columns.map(({ name }) => name);
  return checkQuery(
    {
      version: QUERY_VERSION,
      name: 'test',
      title: 'test',
      plan: plan.plan,
      declaration: {
        class: output.updating ? 'materialised' : 'append',
        reason: 'test',
        keys: output.updating ? (output.unique[0] ?? names) : names,
        fire: 'unknown',
      },
      premises: [],
    },
    streams,
  );
}

/** A bounded run on one subtask. */
export function caseOf(plan: PlanBuilder, data: Dataset): Case {
  const query = queryOf(
    plan,
    data.streams.map(({ schema }) => schema),
  );
  return { query, dataset: data, schedule: { parallelism: 1, stop: 'drain' } };
}

/** Nobody ends this run. */
export const never = new AbortController().signal;

/** Runs a plan, and reads the rows of its final state in the order of their text. */
export async function answer(session: Session, plan: PlanBuilder, data: Dataset): Promise<readonly Row[]> {
  const testCase = caseOf(plan, data);
  const outcome = await session.run(testCase, never);
  if (outcome.kind !== 'output') throw new Error(`no output: ${JSON.stringify(outcome)}`);
  return finalRows(testCase.query, outcome.capture);
}

/** A row as text, to sort by and to find rows again. */
export const textOf = (row: Row): string =>
  row
    .map((value) =>
      typeof value === 'string' ? JSON.stringify(value) : Object.is(value, -0) ? '-0' : `${value}`,
    )
    .join();

/** Rows in the order of their text. */
export const sorted = (rows: readonly Row[]): readonly Row[] =>
  [...rows].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));

async function finalRows(query: CheckedQuery, capture: Capture): Promise<readonly Row[]> {
  const { columns } = query;
  const lines = (await bytesOf(capture)).toString('utf8').split('\n').filter(Boolean).map(parseExactJson);
  if (capture.format === 'rows') return sorted(lines.map((line) => rowFromObject(columns, line)));
  const { keys } = query.definition.declaration;
  const positions = keys.map((key) => columns.findIndex(({ name }) => name === key));
  const state = new Map<string, Row>();
  for (const line of lines as { op: string; row: unknown }[]) {
    const row = rowFromObject(columns, line.row);
    const key = textOf(positions.map((position) => row[position]!));
    if (line.op.startsWith('+')) state.set(key, row);
    else state.delete(key);
  }
  return sorted([...state.values()]);
}

/** All bytes of a capture. */
export async function bytesOf(capture: Capture): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of capture.bytes.open()) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}

/** The output of an outcome that must be one. */
export function captureOf(outcome: Outcome): Capture {
  if (outcome.kind !== 'output') throw new Error(`no output: ${JSON.stringify(outcome)}`);
  return outcome.capture;
}

/** A directory for a session, and its removal. */
export function temporaryDirectory(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const required = (process.env.TIDEMARK_REQUIRE_ENGINES ?? '').split(',').includes('clink');
const clinkState = await clink.status();

/** Whether tests of Clink run: it is installed, or `TIDEMARK_REQUIRE_ENGINES` says that it has to be. */
export const clinkRuns = clinkState.kind === 'ready' || required;

/** Says in the list of tests why they are skipped. */
export const clinkTitle = clinkRuns
  ? 'clink'
  : 'clink (skipped: not installed, run `tidemark engines install clink`)';

/** The engine with whether its tests run. */
export const testedEngines = (engines: readonly Engine[]) =>
  engines.map((engine) => ({
    engine,
    title: engine.name === 'clink' ? clinkTitle : engine.name,
    runs: engine.name !== 'clink' || clinkRuns,
  }));
