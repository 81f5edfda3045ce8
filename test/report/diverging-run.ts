import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generateNexmark } from '../../generators/nexmark/index.ts';
import { truth } from '../../oracles/truth.ts';
import { divergenceToJson } from '../../src/campaign/difference-json.ts';
import { hashQuery, MANIFEST_VERSION, type Manifest } from '../../src/campaign/manifest.ts';
import { combine, type QueryResult, type Summary, shorten, summarise } from '../../src/campaign/summary.ts';
import { timeLine } from '../../src/campaign/time-line.ts';
import { judge } from '../../src/judge/judge.ts';
import type { Provenance } from '../../src/model/dataset.ts';
import { checkQuery } from '../../src/model/query.ts';
import { rowToJson } from '../../src/model/row-json.ts';
import { neutralTraits } from '../../src/model/traits.ts';
import type { Row } from '../../src/model/value.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { queries } from '../../src/queries/index.ts';
import { lines } from '../judge/captures.ts';

/** What an engine makes of the true rows of a query. */
export type Edit = (query: string, rows: readonly Row[]) => readonly Row[];

/** What a page would run if it took a value for markup. */
export const HOSTILE = `<script>document.title = 'broken'</script><img src=x onerror="document.title = 'broken'">`;

/** The pane that {@link wrong} leaves out of q12, counted from 0, and how many bidders it has. */
export const LOST_PANE = { pane: 2, rows: 16 };

export const right: Edit = (_, rows) => rows;

/** Leaves a whole pane out of q12, and puts a row into q0 that nobody sent. */
export const wrong: Edit = (query, rows) => {
  if (query === 'q12') {
    const ends = [...new Set(rows.map((row) => row[1]))].sort((a, b) => Number(a) - Number(b));
    return rows.filter((row) => row[1] !== ends[LOST_PANE.pane]);
  }
  if (query !== 'q0') return rows;
  const forged = rows[0]!.map((value) => (typeof value === 'string' ? HOSTILE : value));
  return [...rows, forged];
};

const dataset = generateNexmark({ seed: '7', events: 3_000, eventsPerSecond: 50 });
const names = ['q0', 'q12', 'hop', 'q18'];

/** An engine that never started, for a reason that no page should take for markup. */
const absent = {
  engine: 'absent',
  verdict: { kind: 'not-gated', reason: `install: not here <b>&</b> ${HOSTILE} (not-installed)` },
  skipped: false,
  seconds: 0,
} as const;

/** The directory of a drained run of four queries, on engines that edit the truth and on one that is not there. */
export async function writeRun(
  path: string,
  edits: Readonly<Record<string, Edit>>,
  provenance: Provenance = dataset.provenance,
): Promise<{ readonly manifest: Manifest; readonly summary: Summary }> {
  const results: QueryResult[] = [];
  for (const name of names)
    results.push(await writeQuery(join(path, 'queries', name), name, edits, provenance));
  const summary = summarise(results, {
    steps: { engines: { seconds: 1.5, cpuSeconds: 0.25 } },
    complete: true,
    objections: [],
  });
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    tidemark: '0.0.0',
    command: ['tidemark', 'run', '--queries', names.join(','), '--out', path],
    dataset: {
      sha256: '0'.repeat(64),
      provenance: provenance as Manifest['dataset']['provenance'],
      rows: Object.fromEntries(
        dataset.streams.map(({ schema, partitions }) => [schema.name, partitions.flat().length]),
      ),
    },
    schedule: { transport: 'files', parallelism: 1, stop: 'drain' },
    engines: [...Object.keys(edits), absent.engine].map((name) => ({ name, version: '1', sql: {} })),
    queries: names.map((name) => hashQuery(queries.get(name)!)),
  };
  await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
  await writeFile(join(path, 'summary.json'), JSON.stringify(summary));
  return { manifest, summary };
}

async function writeQuery(
  path: string,
  name: string,
  edits: Readonly<Record<string, Edit>>,
  provenance: Provenance,
): Promise<QueryResult> {
  await mkdir(path, { recursive: true });
  const query = checkQuery(
    queries.get(name)!,
    dataset.streams.map(({ schema }) => schema),
  );
  const drained = truth(query, dataset, 'drained', neutralTraits);
  const outputs = Object.entries(edits).map(([engine, edit]) => ({
    engine,
    capture: lines(...edit(name, drained.rows).map((row) => rowToJson(query.columns, row))).capture,
  }));
  const keep = async (side: string, verdict: Verdict) => {
    if (verdict.kind === 'diverge') {
      const text = divergenceToJson(query.columns, verdict, provenance === 'captured');
      await writeFile(join(path, `${side}.divergence.json`), text);
    }
    return shorten(verdict);
  };
  const judged = { columns: query.columns, declaration: query.definition.declaration };
  const engines: QueryResult['engines'] = [];
  const pairs: QueryResult['pairs'] = [];
  for (const [index, { engine, capture }] of outputs.entries()) {
    await writeFile(join(path, `${engine}.sql`), `SELECT '</code></pre>${HOSTILE}'\n`);
    const verdict = await judge({ ...judged, expected: { rows: drained.rows }, actual: { capture } });
    const rows = edits[engine]!(name, drained.rows).length;
    engines.push({ engine, verdict: await keep(engine, verdict), rows, skipped: false, seconds: 0.5 });
    for (const other of outputs.slice(index + 1)) {
      const between = await judge({ ...judged, expected: { capture }, actual: { capture: other.capture } });
      const short = await keep(`${engine}-${other.engine}`, between);
      pairs.push({ engines: [engine, other.engine], verdict: short, explainedByTrait: 0 });
    }
  }
  const reached = { watermark: drained.watermark, fireEarlyMs: 0 };
  const line = await timeLine(
    query,
    outputs.map(({ engine, capture }) => ({ engine, drained, reached, output: capture })),
  );
  if (line !== undefined) await writeFile(join(path, 'time-line.json'), JSON.stringify(line));
  return {
    query: name,
    class: query.definition.declaration.class,
    verdict: combine([...engines, absent, ...pairs].map(({ verdict }) => verdict)),
    truthRows: drained.rows.length,
    engines: [...engines, absent],
    pairs,
    seconds: { truth: 0.1, judge: 0.2 },
  };
}
