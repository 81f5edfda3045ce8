import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile } from '../../../generators/arbitraries/index.ts';
import type { Property } from '../../../properties/property.ts';
import type { QueryDefinition } from '../../model/query.ts';
import type { Verdict } from '../../model/verdict.ts';
import { makeEmptyDirectory, orInputError } from '../../streams/files.ts';
import type { Finding } from '../corpus/finding.ts';
import type { Searched } from './known-failure.ts';
import { type FoundFailure, type SearchOptions, search } from './search.ts';
import { seedNumber } from './setting.ts';
import { signatureText } from './signature.ts';
import { FUZZ_SUMMARY_VERSION, type FuzzFailure, type FuzzSummary } from './summary.ts';
import { writeRepro } from './write-repro.ts';

export const FUZZ_SUMMARY_FILE = 'fuzz.json';

export interface FuzzOptions {
  readonly seed: string;
  readonly engines: readonly Searched[];
  readonly profiles: readonly Profile[];
  readonly properties: readonly Property[];
  readonly declared: readonly QueryDefinition[];
  readonly shard: SearchOptions['shard'];
  readonly cases?: number | undefined;
  readonly goesOn: SearchOptions['goesOn'];
  readonly findings: readonly Finding[];
  /** Takes the summary and a repro of each distinct failure, as they are made. */
  readonly directory: string;
  readonly tidemarkVersion: string;
  readonly command: readonly string[];
  readonly onCase?: SearchOptions['onCase'];
  readonly onFailure?: (failure: FuzzFailure) => void;
  readonly signal: AbortSignal;
}

/**
 * Searches for wrong answers, and keeps each that is like none before it as a repro (semantics §7).
 *
 * @throws InputError when the directory holds files already, or cannot be written.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzSummary> {
  const { seed, shard, profiles, engines, directory, signal } = options;
  await makeEmptyDirectory(directory);
  const files = new Map<FoundFailure, string>();
  const started = performance.now();
  const told = (failure: FoundFailure, cases: number): FuzzFailure => ({
    signature: signatureText(failure.signature),
    drawnAs: failure.drawnAs.map(signatureText),
    engine: failure.engine.name,
    property: failure.property.name,
    index: failure.index,
    cases,
    confirmed: failure.confirmed,
    rows: failure.rows,
    repro: files.get(failure)!,
  });
  const searching = await search({
    ...options,
    seed: seedNumber(seed),
    async onFailure(failure) {
      const names = profiles.map(({ name }) => name);
      const file = await writeRepro(failure, directory, { seed, profiles: names });
      files.set(failure, file);
      options.onFailure?.(told(failure, 1));
    },
  });
  const tallies = searching.tallies.map(({ tally }) => tally);
  const summary: FuzzSummary = {
    version: FUZZ_SUMMARY_VERSION,
    tidemark: options.tidemarkVersion,
    command: [...options.command],
    seed,
    shard: { ...shard },
    profiles: profiles.map(({ name }) => name),
    engines: engines.map(({ name, session }) => ({ name, version: session.version })),
    cases: searching.cases,
    verdict: verdictOf(tallies),
    complete: !signal.aborted,
    tallies,
    failures: searching.failures.map((failure) => told(failure, failure.cases)),
    seconds: (performance.now() - started) / 1_000,
  };
  const path = join(directory, FUZZ_SUMMARY_FILE);
  await orInputError(path, 'cannot write', () =>
    writeFile(path, `${JSON.stringify(summary, undefined, 2)}\n`),
  );
  return summary;
}

/** One failure makes a search diverge; it agrees where every property that was asked held (semantics §7). */
function verdictOf(tallies: FuzzSummary['tallies']): Verdict['kind'] {
  const some = (verdict: FuzzSummary['tallies'][number]['verdict']) =>
    tallies.some((tally) => tally.verdict === verdict);
  if (some('failed')) return 'diverge';
  if (some('not-gated')) return 'not-gated';
  return some('held') && !some('not-enough-cases') && !some('not-covered') ? 'agree' : 'inconclusive';
}
