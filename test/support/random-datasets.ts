import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallDatasets } from '../../generators/arbitraries/index.ts';
import { nexmarkStreams } from '../../generators/nexmark/index.ts';
import { agreesWithTruth } from '../../properties/agrees-with-truth.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { Session } from '../../src/engines/engine.ts';
import { checkQuery } from '../../src/model/query.ts';
import { qualification } from '../../src/queries/index.ts';

/** Datasets on which each query must have been judged: a quick look, unless TIDEMARK_DATASETS asks for more. */
const DATASETS = Math.ceil(Number(process.env.TIDEMARK_DATASETS ?? 300) / 2);

/** The same datasets on every run, so that a failure is never luck; TIDEMARK_SEED searches elsewhere. */
const SEED = Number(process.env.TIDEMARK_SEED ?? 20_241_130);

/** A dataset on which a query's output is empty, or not determined, does not count: at most so many are drawn. */
const DRAWS_PER_DATASET = 3;

/** Half of them with small prices only, since an average over prices beyond 2^53 is not determined. */
const datasets = fc.oneof(smallDatasets(), smallDatasets({ plain: ['bid.price'] }));

/**
 * For each query of the qualification: the oracle and DuckDB, which share no code and no author's reading of a window,
 * give the same rows on {@link DATASETS} random datasets. Rows are few and made to touch: edges, ties, gaps, nulls,
 * int64, Unicode. The datasets come in two halves, so that two workers share them.
 */
export function agreesOnHalfOfTheDatasets(half: 0 | 1): void {
  let session: Session;
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tidemark-test-'));
    session = await duckdb.open({ directory, signal: new AbortController().signal });
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  test(`the qualification on ${DATASETS} datasets`, {
    timeout: 1_800_000,
  }, async () => {
    const queries = qualification.map((definition) => checkQuery(definition, nexmarkStreams));
    const judged = new Map(qualification.map(({ name }) => [name, 0]));
    const reached = new Set<string>();
    const { signal } = new AbortController();
    const property = fc.asyncProperty(datasets, async (dataset) => {
      for (const query of queries) {
        const { name } = query.definition;
        if (judged.get(name) === DATASETS) continue;
        const testCase = { query, dataset, schedule: { parallelism: 1, stop: 'drain' } } as const;
        const verdict = await agreesWithTruth.check(testCase, [session], signal);
        if (verdict.kind === 'inconclusive' && verdict.reason !== 'skipped') continue;
        expect(verdict, name).toMatchObject({ kind: 'agree' });
        judged.set(name, judged.get(name)! + 1);
        for (const label of agreesWithTruth.cover(testCase)) reached.add(label);
      }
    });
    await fc.assert(property, {
      seed: SEED + half,
      numRuns: DATASETS * DRAWS_PER_DATASET,
      markInterruptAsFailure: true,
    });
    expect(Object.fromEntries(judged)).toEqual(
      Object.fromEntries(qualification.map(({ name }) => [name, DATASETS])),
    );
    expect(agreesWithTruth.coverage.filter((label) => !reached.has(label))).toEqual([]);
  });
}
