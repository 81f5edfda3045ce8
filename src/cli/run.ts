import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { nexmarkStreams } from '../../generators/nexmark/index.ts';
import { type Corpus, readCorpus } from '../campaign/corpus/read-corpus.ts';
import { Ledger } from '../campaign/ledger.ts';
import { REQUEST_VERSION, type RunRequest } from '../campaign/request.ts';
import { run as runCampaign } from '../campaign/run.ts';
import { type Interrupted, RunDirectory } from '../campaign/run-directory.ts';
import { StepClock } from '../campaign/step-clock.ts';
import { passes } from '../campaign/summary.ts';
import type { Dataset } from '../model/dataset.ts';
import { InputError } from '../model/errors.ts';
import { checkQuery, type QueryDefinition } from '../model/query.ts';
import {
  type Delivery,
  deliveries,
  type StopMode,
  stopModes,
  type Transport,
  transports,
} from '../model/traits.ts';
import { queries } from '../queries/index.ts';
import { Progress } from '../report/progress.ts';
import { replayCommand } from '../report/replay.ts';
import { resultLine, resultLines, summaryLines } from '../report/terminal.ts';
import { writeReport } from '../report/write-report.ts';
import { readDataset, writeNexmark } from '../streams/dataset-files.ts';
import { hashDataset } from '../streams/hash-dataset.ts';
import { type CliContext, EXIT } from './context.ts';
import { defaultEngines } from './default-engines.ts';
import { exitCodeOf } from './exit-code.ts';
import { loadQuery, loadSet } from './load-query.ts';
import { list, profile, wholeNumber } from './options.ts';
import { requestedEngines } from './requested-engines.ts';
import { LazyTopics } from './run-topics.ts';

interface RunOptions {
  engines?: readonly string[];
  set: string;
  queries?: readonly string[];
  seed: string;
  events: number;
  profile: string;
  data?: string;
  partitions: number;
  parallelism: number;
  transport: Transport;
  stop?: StopMode;
  delivery?: Delivery;
  limit?: number;
  brokers?: string;
  kafkaConfig?: string;
  out?: string;
  campaign?: string;
  known?: string;
  resume?: string;
  json?: boolean;
}

/** Options that say what to run: a run that is resumed has been told. */
const ASKED_ALREADY = [
  ...['engines', 'set', 'queries', 'seed', 'events', 'profile', 'partitions', 'data', 'parallelism'],
  ...['transport', 'stop', 'delivery', 'limit', 'brokers', 'kafkaConfig', 'out', 'campaign', 'known'],
];

export function runCommand(context: CliContext): Command {
  return new Command('run')
    .description('run queries on engines over one dataset, and judge every output')
    .option(
      '--engines <names>',
      'name, name@version or name@PATH (default: duckdb, and clink where it can be had)',
      list,
    )
    .addOption(
      new Option('--set <name>', 'a declared set of queries').default('qualification').conflicts('queries'),
    )
    .option('--queries <names>', 'all, or names and JSON files', list)
    .option('--seed <seed>', 'of the dataset', '1')
    .option('--events <n>', 'events of the dataset', wholeNumber(1), 50_000)
    .option('--profile <name>', 'shape of the dataset', profile, 'nexmark')
    .option('--partitions <k>', 'partitions of each stream', wholeNumber(1), 1)
    .addOption(
      new Option('--data <dir>', 'a dataset of your own instead').conflicts([
        'seed',
        'events',
        'partitions',
        'profile',
      ]),
    )
    .option('--parallelism <p>', 'subtasks of each engine', wholeNumber(1), 1)
    .addOption(
      new Option('--transport <name>', 'how rows reach the engines').choices(transports).default('files'),
    )
    .addOption(
      new Option('--stop <mode>', 'how each job ends (default: drain, over Kafka settle-cancel)').choices(
        stopModes,
      ),
    )
    .addOption(
      new Option(
        '--delivery <mode>',
        'what each sink is to keep, over Kafka (default: at-least-once)',
      ).choices(deliveries),
    )
    .option(
      '--limit <seconds>',
      'how long a job may take to settle or to end (default: the engine’s)',
      wholeNumber(1),
    )
    .option(
      '--brokers <hosts>',
      'a Kafka of your own, host:port,… (default: one that is started for the run)',
    )
    .addOption(new Option('--kafka-config <file>', 'how to reach it: TLS, SASL'))
    .option('--out <dir>', 'where the evidence goes (default: runs/SEED-EVENTS-… , the next that is free)')
    .option('--campaign <dir>', 'keep the ledger of a series of runs there, and hold this run to it')
    .addOption(
      new Option('--resume <dir>', 'carry on a run that was ended before it was through').conflicts(
        ASKED_ALREADY,
      ),
    )
    .option('--known <dir>', 'findings that may explain a divergence: all explained, the run exits with 0')
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  tidemark run --set qualification --engines duckdb,clink --events 500000',
    )
    .action((options: RunOptions) => act(options, context));
}

async function act(options: RunOptions, context: CliContext): Promise<void> {
  const { stderr } = context;
  const progress = new Progress(stderr);
  const work = await mkdtemp(join(tmpdir(), 'tidemark-run-'));
  try {
    if (options.resume !== undefined) {
      const resumed = await RunDirectory.resume(options.resume);
      await using directory = resumed.directory;
      const question = await questionOf(resumed.request);
      return await perform(
        { ...resumed, directory, question },
        { work, progress, json: options.json },
        context,
      );
    }
    const names =
      options.engines ?? (await defaultEngines(options.transport, (line) => stderr.write(`${line}\n`)));
    const request = requestOf(options, names, context.argv);
    if (request.delivery !== undefined && request.transport !== 'kafka')
      throw new InputError('a sink delivers over Kafka only', { field: '--delivery' });
    // What is wrong with the question is told before anything is written.
    const question = await questionOf(request);
    requestedEngines(names, { directory: work, onProgress: () => {}, transport: request.transport });
    const schemas = question.given?.streams.map(({ schema }) => schema) ?? nexmarkStreams;
    for (const definition of question.definitions) checkQuery(definition, schemas);
    await using directory = await RunDirectory.create(options.out ?? freeRunPath(options), request);
    await perform({ directory, request, question }, { work, progress, json: options.json }, context);
  } finally {
    progress.clear();
    await rm(work, { recursive: true, force: true });
  }
}

/** The words of a run with every default filled in, and paths that mean the same from anywhere. */
function requestOf(options: RunOptions, engines: readonly string[], argv: readonly string[]): RunRequest {
  const path = (given: string | undefined) => (given === undefined ? undefined : resolve(given));
  return {
    version: REQUEST_VERSION,
    command: ['tidemark', ...argv],
    engines: [...engines],
    set: options.set,
    queries: options.queries?.map((query) => (query.endsWith('.json') ? resolve(query) : query)),
    seed: options.seed,
    events: options.events,
    profile: options.profile,
    partitions: options.partitions,
    data: path(options.data),
    parallelism: options.parallelism,
    transport: options.transport,
    delivery: options.delivery ?? (options.transport === 'kafka' ? 'at-least-once' : undefined),
    limit: options.limit,
    stop: options.stop ?? (options.transport === 'kafka' ? 'settle-cancel' : 'drain'),
    brokers: options.brokers,
    kafkaConfig: path(options.kafkaConfig),
    campaign: path(options.campaign),
    known: path(options.known),
  };
}

/** What is read of the user's before a run. */
interface Question {
  readonly definitions: readonly QueryDefinition[];
  readonly given: Dataset | undefined;
  readonly known: Corpus | undefined;
}

/** @throws InputError naming file and field of what cannot be used. */
async function questionOf(request: RunRequest): Promise<Question> {
  return {
    definitions: await chosenQueries(request),
    given: request.data === undefined ? undefined : await readDataset(request.data),
    known: request.known === undefined ? undefined : await readCorpus(request.known),
  };
}

interface Performance {
  readonly work: string;
  readonly progress: Progress;
  readonly json?: boolean | undefined;
}

/** Carries a run out, or on. */
async function perform(
  run: Pick<Interrupted, 'directory' | 'request'> & Partial<Interrupted> & { readonly question: Question },
  { work, progress, json }: Performance,
  { stdout, stderr, signal, version }: CliContext,
): Promise<void> {
  const { directory, request, manifest, summary: before } = run;
  const { definitions, given, known } = run.question;
  const { transport, parallelism, stop, delivery } = request;
  const note = (line: string) => progress.note(line);
  const clock = new StepClock(before?.steps);
  await using topics = new LazyTopics({ ...request, directory: work, signal, note });
  const datasetPath = request.data ?? directory.datasetPath;
  if (given === undefined && manifest === undefined) {
    await clock.time('generate', () =>
      writeNexmark(request, datasetPath, ({ events, ofEvents }) =>
        progress.update(events, ofEvents, 'generate'),
      ),
    );
  }
  const dataset = given ?? (await clock.time('read', () => readDataset(datasetPath)));
  const ledger = request.campaign === undefined ? undefined : await Ledger.open(request.campaign);
  const summary = await runCampaign({
    queries: definitions,
    engines: requestedEngines(request.engines, {
      directory: work,
      onProgress: note,
      transport,
      limitMs: request.limit === undefined ? undefined : request.limit * 1_000,
      topics: transport === 'kafka' ? () => topics.open() : undefined,
    }),
    dataset,
    datasetSha256: await hashDataset(dataset, datasetPath),
    schedule: { parallelism, stop, delivery },
    transport,
    directory,
    resumed: { manifest, summary: before },
    ledger,
    known,
    tidemarkVersion: version,
    command: request.command,
    clock,
    signal,
    onProgress: (done, total, doing) => progress.update(done, total, doing),
    onResult: (results) => progress.known(resultLines(results), resultLine(results.at(-1)!)),
  });
  progress.clear();
  stdout.write(json ? `${JSON.stringify(summary)}\n` : `${summaryLines(summary).join('\n')}\n`);
  stderr.write(`report: ${await writeReport(directory.path)}\n`);
  stderr.write(`evidence: ${directory.path}\n`);
  if (signal.aborted) stderr.write(`resume: tidemark run --resume ${directory.path}\n`);
  else if (summary.verdict !== 'agree')
    stderr.write(`replay: ${replayCommand(await directory.readManifest())}\n`);
  process.exitCode = signal.aborted
    ? EXIT.interrupted
    : passes(summary)
      ? EXIT.agree
      : exitCodeOf(summary.verdict);
}

async function chosenQueries({ queries: names, set }: RunRequest): Promise<readonly QueryDefinition[]> {
  if (names === undefined) return loadSet(set);
  if (names.length === 1 && names[0] === 'all') return [...queries.values()];
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined)
    throw new InputError(`query ${repeated} is named twice`, { field: '--queries' });
  return Promise.all(names.map(loadQuery));
}

/** `runs/` below the working directory; a run never writes into another's directory. */
function freeRunPath({ seed, events, data }: RunOptions): string {
  const stem = data === undefined ? `${seed.replaceAll(/[^\w.-]/g, '_')}-${events}` : 'data';
  for (let number = 1; ; number++) {
    const path = join('runs', `${stem}-${number}`);
    if (!existsSync(path)) return path;
  }
}
