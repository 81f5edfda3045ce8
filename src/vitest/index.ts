import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { profiles as allProfiles } from '../../generators/arbitraries/index.ts';
import type { Property } from '../../properties/property.ts';
import { boundedSession } from '../campaign/fuzz/bounded-session.ts';
import { readRepro } from '../campaign/fuzz/repro.ts';
import { type FoundFailure, search } from '../campaign/fuzz/search.ts';
import { seedNumber } from '../campaign/fuzz/setting.ts';
import type { Tally } from '../campaign/fuzz/summary.ts';
import { writeRepro } from '../campaign/fuzz/write-repro.ts';
import type { Session } from '../engines/engine.ts';
import type { QueryDefinition } from '../model/query.ts';
import type { StreamSchema } from '../model/schema.ts';
import { queries as declaredQueries } from '../queries/index.ts';
import { pictureLines, pictureOf } from '../report/picture/index.ts';

export { properties } from '../../properties/index.ts';
export { inProcessSession } from '../engines/in-process.ts';
export { checkSinkMode, type SinkTestOptions, testSink } from './sink.ts';

/** How a property is tested. */
export interface PropertyTestOptions {
  /** Opens the engine, once for the test; it is disposed at its end. */
  readonly engine: () => Session | Promise<Session>;
  /** Default 200. */
  readonly cases?: number;
  /** Default `TIDEMARK_SEED`, else 1. */
  readonly seed?: string;
  /** Names of profiles; all where absent. */
  readonly profiles?: readonly string[];
  /** Queries to be run as they are and with other parameters. Where absent the declared ones and the query families. */
  readonly queries?: readonly QueryDefinition[];
  /** The streams that those queries read, by default those of nexmark. */
  readonly streams?: readonly StreamSchema[];
  /** What must have been reached, by default the property's own labels. */
  readonly coverage?: readonly string[];
  /** Default the property's own. */
  readonly minCases?: number;
  /** How long one case may take, default 5 s. */
  readonly limitMs?: number;
  /** Where the repro of a failure goes, default `fuzz/vitest`. */
  readonly repros?: string;
}

const DEFAULT_CASES = 200;
const DEFAULT_LIMIT_MS = 5_000;
const TEST_LIMIT_MS = 120_000;

/** Of the text of a failure, which goes into reports and logs, too. */
const TEXT_COLUMNS = 80;

/** One property as a test. It passes where the property held: enough cases, every label, no failure (semantics §7). */
export function testProperty(property: Property, options: PropertyTestOptions): void {
  test(property.name, { timeout: TEST_LIMIT_MS }, async ({ signal }) =>
    checkProperty(property, options, signal),
  );
}

/** The same within a test of one's own. @throws Error saying what did not hold, with seed and replay command. */
export async function checkProperty(
  property: Property,
  options: PropertyTestOptions,
  signal: AbortSignal,
): Promise<void> {
  const { cases = DEFAULT_CASES, seed = process.env.TIDEMARK_SEED ?? '1', queries, streams } = options;
  const { coverage = property.coverage, minCases = property.minCases } = options;
  const one = process.env.TIDEMARK_CASE;
  const session = boundedSession(await options.engine(), options.limitMs ?? DEFAULT_LIMIT_MS);
  let failure: FoundFailure | undefined;
  try {
    const { tallies } = await search({
      seed: seedNumber(seed),
      profiles: chosenProfiles(options.profiles),
      properties: [{ ...property, coverage, minCases: Math.min(minCases, cases) }],
      declared: queries ?? [...declaredQueries.values()],
      streams,
      families: queries === undefined,
      engines: [{ name: session.name, session }],
      shard: { index: one === undefined ? 0 : Number(one), of: 1 },
      cases: one === undefined ? cases : Number(one) + 1,
      goesOn: () => failure === undefined,
      findings: [],
      async onFailure(found) {
        failure = found;
      },
      signal,
    });
    if (failure !== undefined) throw new Error(await failureText(failure, { ...options, seed }));
    if (one === undefined) refuse(tallies[0]!.tally, seed);
  } finally {
    await session[Symbol.asyncDispose]();
  }
}

function chosenProfiles(names: readonly string[] | undefined) {
  if (names === undefined) return allProfiles;
  return names.map((name) => {
    const found = allProfiles.find((profile) => profile.name === name);
    if (found === undefined)
      throw new Error(`no profile ${name}; there are ${allProfiles.map((each) => each.name).join(', ')}`);
    return found;
  });
}

async function failureText(
  failure: FoundFailure,
  { seed, repros = join('fuzz', 'vitest') }: PropertyTestOptions & { readonly seed: string },
): Promise<string> {
  const { property, engine, confirmed, index } = failure;
  await mkdir(repros, { recursive: true });
  const file = join(repros, await writeRepro(failure, repros, { seed, profiles: [] }));
  const repro = await readRepro(file);
  const picture = pictureOf({
    repro,
    property,
    verdict: repro.verdict,
    shown: repro.shown,
    traits: engine.session.traits,
    replay: `TIDEMARK_SEED=${seed} TIDEMARK_CASE=${index} npx vitest run -t ${property.name}`,
  });
  return [
    `${property.statement}: it does not (${confirmed.k} of ${confirmed.n} runs)`,
    '',
    ...pictureLines(picture, { columns: TEXT_COLUMNS, colours: false }),
    '',
    `seed ${seed}, case ${index}; repro: ${file}`,
  ].join('\n');
}

/** A property that was not shown to hold is no pass. */
function refuse({ verdict, held, missing, notGated, skipped, empty }: Tally, seed: string): void {
  const replay = `seed ${seed}; replay: TIDEMARK_SEED=${seed} npx vitest run`;
  switch (verdict) {
    case 'held':
    case 'failed':
      return;
    case 'not-gated': {
      const codes = Object.entries(notGated).map(([code, count]) => `${code} (${count})`);
      throw new Error(`not gated: cases ended in ${codes.join(', ')}\n${replay}`);
    }
    case 'not-covered':
      throw new Error(`not covered: no case reached ${missing.join(', ')}\n${replay}`);
    default:
      throw new Error(`too few cases: ${held} held, ${empty} were empty, ${skipped} were skipped\n${replay}`);
  }
}
