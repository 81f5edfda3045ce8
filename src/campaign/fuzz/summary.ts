import { z } from 'zod';

export const FUZZ_SUMMARY_VERSION = 1;

/** What became of the cases of one property on one engine. */
const tallySchema = z.strictObject({
  property: z.string(),
  engine: z.string(),
  /** Cases that agree and are not empty. */
  held: z.int(),
  /** Cases in which no row was compared, which prove nothing. */
  empty: z.int(),
  /** The engine or the property is not made for them. */
  skipped: z.int(),
  /** The law leaves their answer open, in the data as they are. */
  undecided: z.int(),
  /** A step failed; by its code. */
  notGated: z.record(z.string(), z.int()),
  /** Known findings explain all that is wrong in them. */
  known: z.int(),
  failed: z.int(),
  /** Labels of coverage that the property asks for and no case reached. */
  missing: z.array(z.string()),
  /** Whether the property held: enough cases, every label, and no failure. */
  verdict: z.enum(['held', 'failed', 'not-enough-cases', 'not-covered', 'not-gated', 'not-asked']),
});
export type Tally = z.infer<typeof tallySchema>;

const failureSchema = z.strictObject({
  /** Of the case that is kept. */
  signature: z.string(),
  /** Of the cases as they were drawn: several where they were reduced to the same one. */
  drawnAs: z.array(z.string()),
  engine: z.string(),
  property: z.string(),
  /** Index of the first case that failed so, and how many did. */
  index: z.int(),
  cases: z.int(),
  confirmed: z.strictObject({ k: z.int(), n: z.int() }),
  /** Rows of the case as it was drawn, and of the one kept. */
  rows: z.strictObject({ drawn: z.int(), kept: z.int() }),
  /** File of the repro, beside this one. */
  repro: z.string(),
});
export type FuzzFailure = z.infer<typeof failureSchema>;

/** `fuzz.json`: what a search came to. The same for the same seed and number of cases, but for the seconds. */
export const fuzzSummarySchema = z.strictObject({
  version: z.literal(FUZZ_SUMMARY_VERSION),
  tidemark: z.string(),
  command: z.array(z.string()),
  seed: z.string(),
  shard: z.strictObject({ index: z.int(), of: z.int() }),
  profiles: z.array(z.string()),
  engines: z.array(z.strictObject({ name: z.string(), version: z.string() })),
  cases: z.int(),
  verdict: z.enum(['agree', 'diverge', 'not-gated', 'inconclusive']),
  complete: z.boolean(),
  tallies: z.array(tallySchema),
  failures: z.array(failureSchema),
  seconds: z.number(),
});
export type FuzzSummary = z.infer<typeof fuzzSummarySchema>;
