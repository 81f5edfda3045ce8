import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { profiles } from '../../generators/arbitraries/index.ts';
import { properties } from '../../properties/index.ts';
import { readCorpus } from '../campaign/corpus/read-corpus.ts';
import { boundedSession } from '../campaign/fuzz/bounded-session.ts';
import { fuzz } from '../campaign/fuzz/fuzz.ts';
import type { Searched } from '../campaign/fuzz/known-failure.ts';
import { InputError } from '../model/errors.ts';
import { queries } from '../queries/index.ts';
import { fuzzLines } from '../report/fuzz.ts';
import { Progress } from '../report/progress.ts';
import { type CliContext, EXIT } from './context.ts';
import { exitCodeOf } from './exit-code.ts';
import { list, wholeNumber } from './options.ts';
import { requestedEngines } from './requested-engines.ts';

/** Where neither cases nor time are said. */
const DEFAULT_CASES = 2_000;

/** A case is at most a few thousand rows; one that takes so long hangs. */
const CASE_LIMIT_SECONDS = 60;

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

interface FuzzOptions {
  engines: readonly string[];
  cases?: number;
  for?: number;
  seed: string;
  shard: { index: number; of: number };
  property?: readonly string[];
  profile?: readonly string[];
  known?: string;
  limit: number;
  out?: string;
  json?: boolean;
}

export function fuzzCommand(context: CliContext): Command {
  return new Command('fuzz')
    .description('search for wrong answers by random cases, and keep each distinct one as a repro')
    .requiredOption('--engines <names>', 'name, name@version or name@PATH', list)
    .addOption(
      new Option('--cases <n>', `how many cases (default: ${DEFAULT_CASES})`)
        .argParser(wholeNumber(1))
        .conflicts('for'),
    )
    .option('--for <time>', 'how long instead: 30s, 10m, 2h', duration)
    .option('--seed <seed>', 'of the cases', '1')
    .option('--shard <i/n>', 'only every n-th case, from the i-th on', shard, { index: 0, of: 1 })
    .option('--property <names>', 'only these properties', list)
    .option('--profile <names>', 'only these profiles of cases', list)
    .option('--known <dir>', 'findings that may explain a divergence')
    .option('--limit <seconds>', 'how long one case may take', wholeNumber(1), CASE_LIMIT_SECONDS)
    .option('--out <dir>', 'where repros go (default: fuzz/SEED-…, the next that is free)')
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  tidemark fuzz --engines clink --for 10m --known corpus/\n\n' +
        `Properties: ${properties.map(({ name }) => name).join(', ')}\n` +
        `Profiles: ${profiles.map(({ name }) => name).join(', ')}`,
    )
    .action((options: FuzzOptions) => act(options, context));
}

async function act(
  options: FuzzOptions,
  { stdout, stderr, signal, argv, version }: CliContext,
): Promise<void> {
  const chosenProperties = chosen(options.property, properties, 'property');
  const chosenProfiles = chosen(options.profile, profiles, 'profile');
  const known = options.known === undefined ? undefined : await readCorpus(options.known);
  const progress = new Progress(stderr);
  const work = await mkdtemp(join(tmpdir(), 'tidemark-fuzz-'));
  const deadline = options.for === undefined ? undefined : performance.now() + options.for;
  const cases = options.cases ?? (deadline === undefined ? DEFAULT_CASES : undefined);
  const directory = options.out ?? freePath(options.seed);
  const engines: Searched[] = [];
  try {
    const requested = requestedEngines(options.engines, {
      directory: work,
      onProgress: (line) => progress.note(line),
      transport: 'files',
    });
    const deaf = requested.find(({ readsTransport }) => !readsTransport);
    if (deaf !== undefined)
      throw new InputError(`${deaf.name} reads no files: a search runs thousands of cases in process`, {
        field: '--engines',
      });
    for (const { name, open } of requested) {
      engines.push({ name, session: boundedSession(await open(signal), options.limit * 1_000) });
    }
    const summary = await fuzz({
      seed: options.seed,
      engines,
      profiles: chosenProfiles,
      properties: chosenProperties,
      declared: [...queries.values()],
      shard: options.shard,
      cases,
      goesOn: () => deadline === undefined || performance.now() < deadline,
      findings: known?.findings ?? [],
      directory,
      tidemarkVersion: version,
      command: ['tidemark', ...argv],
      onCase: (index, failures) => progress.update(index + 1, cases ?? index + 1, told(failures)),
      onFailure: ({ signature, repro }) => progress.note(`${signature} (${repro})`),
      signal,
    });
    progress.clear();
    stdout.write(options.json ? `${JSON.stringify(summary)}\n` : `${fuzzLines(summary).join('\n')}\n`);
    stderr.write(`seed: ${options.seed}\n`);
    for (const { repro } of summary.failures) {
      stderr.write(`replay: tidemark replay ${join(directory, repro)}\n`);
    }
    process.exitCode = signal.aborted ? EXIT.interrupted : exitCodeOf(summary.verdict);
  } finally {
    progress.clear();
    for (const { session } of engines) await session[Symbol.asyncDispose]();
    await rm(work, { recursive: true, force: true });
  }
}

function told(failures: number): string {
  return failures === 0
    ? 'no failure'
    : failures === 1
      ? '1 distinct failure'
      : `${failures} distinct failures`;
}

function chosen<T extends { readonly name: string }>(
  names: readonly string[] | undefined,
  all: readonly T[],
  what: string,
): readonly T[] {
  if (names === undefined) return all;
  return names.map((name) => {
    const found = all.find((each) => each.name === name);
    if (found !== undefined) return found;
    const known = all.map((each) => each.name).join(', ');
    throw new InputError(`no ${what} ${name}; there are ${known}`, { field: `--${what}` });
  });
}

function duration(text: string): number {
  const [, digits, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  if (digits === undefined || Number(digits) === 0)
    throw new InvalidArgumentError('expected a time like 30s, 10m or 2h.');
  return Number(digits) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** `2/8`: the second of eight. */
function shard(text: string): { index: number; of: number } {
  const [, index, of] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw new InvalidArgumentError('expected a shard like 1/8.');
  return { index: index - 1, of };
}

/** `fuzz/` below the working directory; a search never writes into another's directory. */
function freePath(seed: string): string {
  for (let number = 1; ; number++) {
    const path = join('fuzz', `${seed.replaceAll(/[^\w.-]/g, '_')}-${number}`);
    if (!existsSync(path)) return path;
  }
}
