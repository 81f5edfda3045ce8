import { z } from 'zod';
import type { Verdict } from '../model/verdict.ts';

export const SUMMARY_VERSION = 1;

const kindSchema = z.enum(['agree', 'diverge', 'not-gated', 'inconclusive']);

/** A verdict in short: its kind, and for all but `agree` why, without any row. */
export const shortVerdictSchema = z.strictObject({ kind: kindSchema, reason: z.string().optional() });
export type ShortVerdict = z.infer<typeof shortVerdictSchema>;

const engineResultSchema = z.strictObject({
  engine: z.string(),
  verdict: shortVerdictSchema,
  /** Rows the engine gave (of its final state, where the query is materialised), once they were judged. */
  rows: z.int().optional(),
  skipped: z.boolean(),
  /**
   * Of a run cancelled midway: the watermarks that explain every key, from the last pane seen to the first that is not
   * there (null where there is none), and how many true rows were not there yet.
   */
  interrupted: z
    .strictObject({ from: z.number().nullable(), to: z.number().nullable(), open: z.int() })
    .optional(),
  /** Names of the known findings that explain every row that differs. */
  known: z.array(z.string()).optional(),
  seconds: z.number(),
  /** CPU seconds of the engine's own process, where they can be told apart from ours. */
  cpuSeconds: z.number().optional(),
});
export type EngineResult = z.infer<typeof engineResultSchema>;

const queryResultSchema = z.strictObject({
  query: z.string(),
  class: z.enum(['append', 'materialised']),
  verdict: shortVerdictSchema,
  truthRows: z.int().optional(),
  engines: z.array(engineResultSchema),
  pairs: z.array(
    z.strictObject({
      engines: z.tuple([z.string(), z.string()]),
      verdict: shortVerdictSchema,
      /** Rows in which the engines' own truths differ; each engine is held to its own. */
      explainedByTrait: z.int(),
      /** Whether known findings of the two explain every row in which they differ. */
      known: z.boolean().optional(),
    }),
  ),
  seconds: z.strictObject({ truth: z.number(), judge: z.number() }),
});
export type QueryResult = z.infer<typeof queryResultSchema>;

/** `summary.json` of a run: its verdict, and that of each query and engine. */
export const summarySchema = z.strictObject({
  version: z.literal(SUMMARY_VERSION),
  verdict: kindSchema,
  /** Whether every query that was asked for has been run. */
  complete: z.boolean(),
  counts: z.strictObject({
    agree: z.int(),
    diverge: z.int(),
    'not-gated': z.int(),
    inconclusive: z.int(),
    skipped: z.int(),
    explainedByTrait: z.int(),
    /** Queries that diverge in nothing but known findings, and are counted as diverging, too. */
    known: z.int(),
  }),
  queries: z.array(queryResultSchema),
  /** Why nothing in this run's campaign can pass any more; what diverges diverges all the same. */
  objections: z.array(z.string()),
  /** Wall and CPU seconds of the harness's own process by step. */
  steps: z.record(z.string(), z.strictObject({ seconds: z.number(), cpuSeconds: z.number() })),
});
export type Summary = z.infer<typeof summarySchema>;

/** What a verdict says in one line; holds no row value. */
export function shorten(verdict: Verdict): ShortVerdict {
  switch (verdict.kind) {
    case 'agree':
      return { kind: 'agree' };
    case 'diverge': {
      const counts = Object.entries(verdict.counts).filter(([, count]) => count > 0);
      return { kind: 'diverge', reason: counts.map(([kind, count]) => `${count} ${kind}`).join(', ') };
    }
    case 'not-gated':
      return { kind: 'not-gated', reason: `${verdict.step}: ${verdict.message} (${verdict.code})` };
    case 'inconclusive':
      return { kind: 'inconclusive', reason: verdict.message };
  }
}

/** The verdict of many (semantics §7): one divergence decides; else anything but agreement keeps it from passing. */
export function combine(verdicts: readonly ShortVerdict[]): ShortVerdict {
  for (const kind of ['diverge', 'not-gated', 'inconclusive'] as const) {
    const found = verdicts.find((verdict) => verdict.kind === kind);
    if (found !== undefined) return found;
  }
  return verdicts.length > 0 ? { kind: 'agree' } : { kind: 'inconclusive', reason: 'nothing was judged' };
}

/** The summary of the queries run so far. */
export function summarise(
  queries: readonly QueryResult[],
  { steps, complete, objections }: Pick<Summary, 'steps' | 'complete' | 'objections'>,
): Summary {
  const of = (kind: ShortVerdict['kind']) => queries.filter(({ verdict }) => verdict.kind === kind).length;
  const { kind } = combine(queries.map(({ verdict }) => verdict));
  return {
    version: SUMMARY_VERSION,
    verdict: kind === 'agree' && (!complete || objections.length > 0) ? 'inconclusive' : kind,
    complete,
    counts: {
      agree: of('agree'),
      diverge: of('diverge'),
      'not-gated': of('not-gated'),
      inconclusive: of('inconclusive'),
      skipped: queries.flatMap(({ engines }) => engines).filter(({ skipped }) => skipped).length,
      explainedByTrait: queries
        .flatMap(({ pairs }) => pairs)
        .reduce((sum, pair) => sum + pair.explainedByTrait, 0),
      known: queries.filter(isKnown).length,
    },
    queries: [...queries],
    objections,
    steps,
  };
}

/** Whether a query diverges in nothing but known findings, and nothing else keeps it from passing (semantics §8). */
function isKnown({ verdict, engines, pairs }: QueryResult): boolean {
  const holds = ({ kind }: ShortVerdict, known: boolean) => kind === 'agree' || (kind === 'diverge' && known);
  return (
    verdict.kind === 'diverge' &&
    engines.every((engine) => holds(engine.verdict, engine.known !== undefined && engine.known.length > 0)) &&
    pairs.every((pair) => holds(pair.verdict, pair.known === true))
  );
}

/** Whether a run passes: it agrees, or differs in nothing but known findings. */
export function passes({ verdict, complete, counts, queries, objections }: Summary): boolean {
  if (verdict === 'agree') return true;
  return complete && objections.length === 0 && counts.agree + counts.known === queries.length;
}
