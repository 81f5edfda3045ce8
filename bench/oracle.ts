import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateNexmark } from '../generators/nexmark/index.ts';
import { truth } from '../oracles/truth.ts';
import { duckdb } from '../src/engines/duckdb/engine.ts';
import type { Dataset } from '../src/model/dataset.ts';
import { type CheckedQuery, checkQuery } from '../src/model/query.ts';
import { neutralTraits } from '../src/model/traits.ts';
import { qualification } from '../src/queries/index.ts';

const EVENTS = 500_000;
const PARTITIONS = 4;

/**
 * Measures the truth of every query of the qualification over the same 460,000 bids, drained and settled, then
 * DuckDB's answer to each. DuckDB's time includes writing its answer; the first query's load is taken out by a
 * warm-up. The peak is read before DuckDB starts, which shares the process.
 */
export async function benchOracle(): Promise<void> {
  const dataset = generateNexmark({ seed: 'bench', events: EVENTS, partitions: PARTITIONS });
  const schemas = dataset.streams.map(({ schema }) => schema);
  const queries = qualification.map((definition) => checkQuery(definition, schemas));
  const drained = queries.map((query) => timeTruth(query, dataset, 'drained'));
  const settled = queries.map((query) => timeTruth(query, dataset, 'settled'));
  const peakMb = process.resourceUsage().maxRSS / 1024;
  const peer = await timeDuckdb(queries, dataset);
  const table = queries.map(({ definition }, index) => ({
    query: definition.name,
    rows: drained[index]!.rows,
    'drained s': round(drained[index]!.seconds),
    'settled s': round(settled[index]!.seconds),
    'duckdb s': round(peer[index]!),
    ratio: round(drained[index]!.seconds / peer[index]!),
  }));
  const total = (times: readonly { readonly seconds: number }[]) =>
    times.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(1);
  console.log(
    `truth of the qualification over ${EVENTS} events; all ${queries.length}: ${total(drained)} s drained, ` +
      `${total(settled)} s settled, peak RSS ${peakMb.toFixed(0)} MB`,
  );
  console.table(table);
}

function timeTruth(query: CheckedQuery, dataset: Dataset, until: 'drained' | 'settled') {
  const started = performance.now();
  const { rows } = truth(query, dataset, until, neutralTraits);
  return { rows: rows.length, seconds: (performance.now() - started) / 1000 };
}

/** Seconds of DuckDB for each query. */
async function timeDuckdb(queries: readonly CheckedQuery[], dataset: Dataset): Promise<readonly number[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const { signal } = new AbortController();
  const session = await duckdb.open({ directory, signal });
  const schedule = { parallelism: 1, stop: 'drain' } as const;
  const time = async (query: CheckedQuery): Promise<number> => {
    const started = performance.now();
    const outcome = await session.run({ query, dataset, schedule }, signal);
    const seconds = (performance.now() - started) / 1000;
    if (outcome.kind !== 'output') throw new Error(`duckdb did not answer ${query.definition.name}`);
    await outcome.capture.release?.();
    return seconds;
  };
  try {
    await time(queries[0]!);
    const seconds: number[] = [];
    for (const query of queries) seconds.push(await time(query));
    return seconds;
  } finally {
    await session[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
