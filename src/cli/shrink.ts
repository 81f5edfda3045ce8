import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import type { Property } from '../../properties/property.ts';
import { readCorpus } from '../campaign/corpus/read-corpus.ts';
import { boundedSession } from '../campaign/fuzz/bounded-session.ts';
import type { Searched } from '../campaign/fuzz/known-failure.ts';
import { propertyOf } from '../campaign/fuzz/replay.ts';
import { type Repro, readRepro } from '../campaign/fuzz/repro.ts';
import { writeReproFile } from '../campaign/fuzz/write-repro.ts';
import { failingVersions, installedVersions } from '../campaign/repro/first-divergence.ts';
import { checkShowing } from '../campaign/repro/shown.ts';
import { type Shrunk, shrink } from '../campaign/repro/shrink.ts';
import { shorten } from '../campaign/summary.ts';
import { parseEngine } from '../engines/index.ts';
import type { Case } from '../model/case.ts';
import { rowsOf } from '../model/dataset.ts';
import { InputError } from '../model/errors.ts';
import { streamsOf } from '../model/plan/index.ts';
import type { Transport } from '../model/traits.ts';
import type { Budget } from '../reduce/index.ts';
import { counted, seconds } from '../report/format.ts';
import { type Picture, pictureOf } from '../report/picture/index.ts';
import { Progress } from '../report/progress.ts';
import { commandLine } from '../report/replay.ts';
import { verdictLine } from '../report/terminal.ts';
import { orInputError } from '../streams/files.ts';
import { type CliContext, EXIT } from './context.ts';
import { divergingCase } from './diverging-case.ts';
import { OpenSessions } from './open-sessions.ts';
import { list, wholeNumber } from './options.ts';
import { printPicture, writePicture } from './print-picture.ts';
import { transportAsked, transportOf, transportOption } from './read-transport.ts';
import { requestedEngines } from './requested-engines.ts';
import { LazyTopics } from './run-topics.ts';

/** Engine seconds, where no budget is said; over Kafka a run takes seconds, and a job is started for each. */
const DEFAULT_SECONDS = { files: 60, kafka: 300 } as const satisfies Record<Transport, number>;

/** A case is run many times; one that takes so long hangs. */
const CASE_LIMIT_SECONDS = 60;

const UNITS_SECONDS = { ms: 0.001, s: 1, m: 60, h: 3_600 } as const;

interface ShrinkOptions {
  budget?: number;
  budgetRuns?: number;
  firstDivergence?: boolean;
  relabel?: boolean;
  query?: string;
  engine?: readonly string[];
  known?: string;
  transport?: Transport;
  limit: number;
  out?: string;
  html?: string;
  json?: boolean;
}

export function shrinkCommand(context: CliContext): Command {
  return new Command('shrink')
    .description('make a failing case as small as can be, write it as a repro and print its picture')
    .argument('<run-or-repro>', 'the directory of a run in which a query diverged, or the file of a repro')
    .option(
      '--budget <time>',
      `engine time to spend: 30s, 10m; 0s keeps the case as it is (default: ${DEFAULT_SECONDS.files}s, over Kafka ${DEFAULT_SECONDS.kafka}s)`,
      engineTime,
    )
    .option('--budget-runs <n>', 'runs to spend, instead or besides', wholeNumber(0))
    .option('--first-divergence', 'cut the input to its first rows that show it, and try installed versions')
    .option('--relabel', 'under new values in the same order; of data of your own it is never told otherwise')
    .option('--query <name>', 'of a run in which several queries diverge')
    .option('--engine <names>', 'of a run in which several engines diverge, or another one', list)
    .addOption(transportOption())
    .option('--known <dir>', 'findings: a case that fails by one of them is another failure')
    .option('--limit <seconds>', 'how long one run may take', wholeNumber(1), CASE_LIMIT_SECONDS)
    .option('--out <file>', 'where the repro goes (default: beside what was given)')
    .option('--html <file>', 'the picture as a page, too')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  tidemark shrink runs/1-50000-1 --query q5 --budget 2m\n\n' +
        'Ends with 0 once the repro is written, and with 3 where the case does not fail any more: nothing is written then.',
    )
    .action((source: string, options: ShrinkOptions) => act(source, options, context));
}

/** What is to be shrunk. */
interface Source {
  readonly testCase: Case;
  readonly property: Property;
  readonly engines: readonly string[];
  readonly found: Repro['found'];
  readonly data: Repro['data'];
  /** Where the repro goes unless another place is said. */
  readonly out: string;
}

async function act(path: string, options: ShrinkOptions, context: CliContext): Promise<void> {
  const { stderr, signal } = context;
  const source = await sourceOf(path, options);
  const isPrivate = source.testCase.dataset.provenance === 'captured';
  if (isPrivate && options.relabel !== true)
    throw new InputError('data of your own are written under new values only', { field: '--relabel' });
  const findings = options.known === undefined ? [] : (await readCorpus(options.known)).findings;
  const transport = transportOf(source.engines, options.transport);
  const progress = new Progress(stderr);
  const note = (line: string) => progress.note(line);
  const work = await mkdtemp(join(tmpdir(), 'tidemark-shrink-'));
  const engines: Searched[] = [];
  const budget = budgetOf(options, transport);
  try {
    await using topics = new LazyTopics({ directory: work, signal, note });
    await using opened = new OpenSessions();
    const open = (names: readonly string[]) =>
      requestedEngines(names, {
        directory: work,
        onProgress: note,
        transport,
        topics: transport === 'kafka' ? () => topics.open() : undefined,
        limitMs: options.limit * 1_000,
      });
    for (const each of open(source.engines)) {
      const session = boundedSession(await each.open(signal), options.limit * 1_000);
      opened.all.push(session);
      engines.push({ name: each.name, session, transport });
    }
    let step = '';
    const shrunk = await shrink({
      ...source,
      engines,
      findings,
      budget,
      firstDivergence: options.firstDivergence === true,
      relabel: options.relabel === true,
      onStep: (doing) => {
        step = doing;
        progress.note(doing);
      },
      onCandidate: (runs, spent) => {
        const { engineSeconds = 0, runs: mostRuns = 0 } = budget;
        if (engineSeconds > 0)
          progress.update(Math.min(engineSeconds, Math.floor(spent)), engineSeconds, `s: ${step}`);
        else progress.update(Math.min(mostRuns, runs), mostRuns, `runs: ${step}`);
      },
      signal,
    });
    progress.clear();
    const versions = await versionsOf(shrunk, source, options, open, signal);
    await tell(shrunk, versions, source, engines, options, context);
  } finally {
    progress.clear();
    await rm(work, { recursive: true, force: true });
  }
}

async function sourceOf(path: string, { engine, query }: ShrinkOptions): Promise<Source> {
  const stat = await orInputError(path, 'cannot read', async () => statSync(path));
  if (stat.isDirectory()) {
    const { file, engines, ...rest } = await divergingCase(path, { query, engine });
    return { ...rest, engines: engine ?? engines, found: undefined, data: 'generated', out: file };
  }
  if (query !== undefined) throw new InputError('a repro is of one query', { field: '--query' });
  const { testCase, engine: own, found, data, property } = await readRepro(path);
  return {
    testCase,
    property: propertyOf({ property }),
    engines: engine ?? own.name.split(' and '),
    found,
    data,
    out: `${path.replace(/\.json$/, '')}-small.json`,
  };
}

function budgetOf({ budget, budgetRuns }: ShrinkOptions, transport: Transport): Budget {
  if (budget === undefined && budgetRuns !== undefined) return { runs: budgetRuns };
  return {
    engineSeconds: budget ?? DEFAULT_SECONDS[transport],
    ...(budgetRuns === undefined ? {} : { runs: budgetRuns }),
  };
}

type Versions = NonNullable<Repro['firstDivergence']>['versions'];

/** Which installed versions of the engine show what was found; none where it is a build or a setting of its own. */
async function versionsOf(
  shrunk: Shrunk,
  { engines: names, property }: Source,
  { limit }: ShrinkOptions,
  open: (names: readonly string[]) => ReturnType<typeof requestedEngines>,
  signal: AbortSignal,
): Promise<Versions> {
  if (shrunk.kind !== 'shrunk' || shrunk.prefix === undefined || names.length !== 1) return [];
  const { engine, variant } = parseEngine(names[0]!);
  if (variant !== undefined && engine.otherVersions?.includes(variant) !== true) return [];
  const { testCase, confirmed } = shrunk.repro;
  const failing = await failingVersions(
    await installedVersions(engine),
    async (name) => boundedSession(await open([name])[0]!.open(signal), limit * 1_000),
    async (session) => {
      // As often as it takes to show itself where it does so now and then.
      for (let run = 0; run < (confirmed.k === confirmed.n ? 1 : 2 * confirmed.n); run++) {
        const { verdict } = await checkShowing(property, testCase, [session], signal);
        if (verdict.kind === 'diverge') return true;
      }
      return false;
    },
    signal,
  );
  return [...failing];
}

async function tell(
  shrunk: Shrunk,
  versions: Versions,
  source: Source,
  engines: readonly Searched[],
  options: ShrinkOptions,
  { stdout, stderr, signal }: CliContext,
): Promise<void> {
  const spent = `${counted(shrunk.runs, 'run')}, ${seconds(shrunk.engineSeconds)} of the engine’s`;
  const cost = { runs: shrunk.runs, engineSeconds: shrunk.engineSeconds };
  if (shrunk.kind !== 'shrunk') {
    process.exitCode = signal.aborted ? EXIT.interrupted : EXIT.notGated;
    const why = whyNothing(shrunk, signal.aborted);
    if (options.json) stdout.write(`${JSON.stringify({ kind: shrunk.kind, reason: why, ...cost })}\n`);
    else stdout.write(`${why}: nothing was written (${spent})\n`);
    return;
  }
  const { firstDivergence } = shrunk.repro;
  const repro = { ...shrunk.repro, firstDivergence: firstDivergence && { ...firstDivergence, versions } };
  const path = options.out ?? source.out;
  await writeReproFile(path, repro);
  const picture = pictureOf({
    repro,
    property: source.property,
    verdict: repro.verdict,
    shown: repro.shown,
    traits: engines[0]!.session.traits,
    replay: commandLine(['tidemark', 'replay', path, ...transportAsked(options)]),
  });
  if (options.html !== undefined) await writePicture(options.html, picture);
  if (options.json)
    stdout.write(
      `${JSON.stringify({ kind: 'shrunk', repro: path, ...toldOf(shrunk, repro, source, picture), ...cost })}\n`,
    );
  else {
    printPicture(stdout, picture);
    stdout.write(`\n${summaryLines(shrunk, source).join('\n')}\n${spent}\n`);
  }
  stderr.write(`repro: ${path}\n`);
  if (options.html !== undefined) stderr.write(`page: ${options.html}\n`);
  process.exitCode = signal.aborted ? EXIT.interrupted : EXIT.agree;
}

function whyNothing(shrunk: Exclude<Shrunk, { kind: 'shrunk' }>, isAborted: boolean): string {
  if (isAborted) return 'interrupted before anything was known';
  if (shrunk.kind === 'not-relabelled') return 'the case does not fail under new values';
  return shrunk.verdict.kind === 'agree'
    ? 'the case does not fail any more'
    : `the case could not be judged: ${verdictLine(shorten(shrunk.verdict))}`;
}

type Done = Extract<Shrunk, { kind: 'shrunk' }>;

function toldOf({ reduced, relabelled }: Done, repro: Repro, { testCase }: Source, { sentence }: Picture) {
  return {
    sentence,
    rows: { from: rowsRead(testCase), to: rowsRead(repro.testCase) },
    stopped: reduced.stopped,
    confirmed: repro.confirmed,
    ...(repro.firstDivergence === undefined ? {} : { firstDivergence: repro.firstDivergence }),
    ...(relabelled === undefined ? {} : { relabelled }),
    otherFailures: reduced.otherFailures.map(({ failure }) => failure),
  };
}

function summaryLines({ repro, reduced, relabelled }: Done, { testCase }: Source): string[] {
  const [from, to] = [rowsRead(testCase), rowsRead(repro.testCase)];
  const ends = {
    minimal: 'nothing of it can be left out',
    budget: 'the budget is spent',
    interrupted: 'interrupted',
  } as const;
  return [
    `${counted(from, 'row')} before, ${to} now; ${ends[reduced.stopped]}; fails in ${repro.confirmed.k} of ${repro.confirmed.n} runs`,
    ...(relabelled === undefined
      ? []
      : [`new values: texts ${relabelled.texts}, numbers ${relabelled.numbers}, times ${relabelled.times}`]),
    ...reduced.otherFailures.map(({ failure }) => `a smaller case fails otherwise: ${failure}`),
  ];
}

function rowsRead({ query, dataset }: Case): number {
  return rowsOf(dataset, streamsOf(query.plan));
}

/** Seconds of a time as `500ms`, `30s`, `10m` or `0s`. */
function engineTime(text: string): number {
  const [, digits, unit] = /^(\d{1,6})(ms|s|m|h)$/.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('expected a time like 30s, 10m or 0s.');
  return Number(digits) * UNITS_SECONDS[unit as keyof typeof UNITS_SECONDS];
}
