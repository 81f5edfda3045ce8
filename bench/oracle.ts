import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateNexmark } from '../generators/nexmark/index.ts';
import { truth } from '../oracles/truth.ts';
import { duckdb } from '../src/engines/duckdb/engine.ts';
import { checkQuery } from '../src/model/query.ts';
import { neutralTraits } from '../src/model/traits.ts';
import { qualification } from '../src/queries/index.ts';

const EVENTS = 500_000;

/**
 * Measures the truth of every query of the qualification against DuckDB on the same 460,000 bids, one after the
 * other. DuckDB's time includes writing its answer; the first query's load is taken out by a warm-up.
 */
export async function benchOracle(): Promise<void> {
  const dataset = generateNexmark({ seed: 'bench', events: EVENTS });
  const directory = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const { signal } = new AbortController();
  const session = await duckdb.open({ directory, signal });
  const schedule = { parallelism: 1, stop: 'drain' } as const;
  const table: Record<string, { rows: number; 'oracle s': number; 'duckdb s': number; ratio: number }> = {};
  let total = 0;
  try {
    for (const definition of [qualification[0]!, ...qualification]) {
      const query = checkQuery(
        definition,
        dataset.streams.map(({ schema }) => schema),
      );
      const started = performance.now();
      const { rows } = truth(query, dataset, 'drained', neutralTraits);
      const ours = (performance.now() - started) / 1000;
      const from = performance.now();
      const outcome = await session.run({ query, dataset, schedule }, signal);
      const peer = (performance.now() - from) / 1000;
      if (outcome.kind !== 'output') throw new Error(`duckdb did not answer ${definition.name}`);
      await outcome.capture.release?.();
      if (definition.name in table) total -= table[definition.name]!['oracle s'];
      total += ours;
      table[definition.name] = {
        rows: rows.length,
        'oracle s': round(ours),
        'duckdb s': round(peer),
        ratio: round(ours / peer),
      };
    }
  } finally {
    await session[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  }
  console.log(
    `truth of the qualification over ${EVENTS} events; all ${qualification.length}: ${total.toFixed(1)} s`,
  );
  console.table(table);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
