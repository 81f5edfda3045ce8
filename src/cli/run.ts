import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { nexmarkStreams } from '../../generators/nexmark/index.ts';
import { run } from '../campaign/run.ts';
import { RunDirectory } from '../campaign/run-directory.ts';
import { StepClock } from '../campaign/step-clock.ts';
import { InputError } from '../model/errors.ts';
import { checkQuery, type QueryDefinition } from '../model/query.ts';
import { type StopMode, stopModes, type Transport, transports } from '../model/traits.ts';
import { queries } from '../queries/index.ts';
import { Progress } from '../report/progress.ts';
import { summaryLines } from '../report/terminal.ts';
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
  brokers?: string;
  kafkaConfig?: string;
  out?: string;
  json?: boolean;
}

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
    .option(
      '--brokers <hosts>',
      'a Kafka of your own, host:port,… (default: one that is started for the run)',
    )
    .addOption(new Option('--kafka-config <file>', 'how to reach it: TLS, SASL'))
    .option('--out <dir>', 'where the evidence goes (default: runs/SEED-EVENTS-… , the next that is free)')
    .option('--json', 'the summary as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  tidemark run --set qualification --engines duckdb,clink --events 500000',
    )
    .action((options: RunOptions) => act(options, context));
}

async function act(
  options: RunOptions,
  { stdout, stderr, signal, argv, version }: CliContext,
): Promise<void> {
  const definitions = await chosenQueries(options);
  const names =
    options.engines ?? (await defaultEngines(options.transport, (line) => stderr.write(`${line}\n`)));
  const progress = new Progress(stderr);
  const clock = new StepClock();
  const work = await mkdtemp(join(tmpdir(), 'tidemark-run-'));
  const note = (line: string) => progress.note(line);
  try {
    const { transport } = options;
    await using topics = new LazyTopics({ ...options, directory: work, signal, note });
    const engines = requestedEngines(names, {
      directory: work,
      onProgress: note,
      transport,
      topics: transport === 'kafka' ? () => topics.open() : undefined,
    });
    const stop = options.stop ?? (transport === 'kafka' ? 'settle-cancel' : 'drain');
    // What is wrong with the question is told before anything is written.
    const given = options.data === undefined ? undefined : await readDataset(options.data);
    const schemas = given === undefined ? nexmarkStreams : given.streams.map(({ schema }) => schema);
    for (const definition of definitions) checkQuery(definition, schemas);
    const directory = await RunDirectory.create(options.out ?? freeRunPath(options));
    const datasetPath = options.data ?? directory.datasetPath;
    if (given === undefined) {
      await clock.time('generate', () =>
        writeNexmark(options, datasetPath, ({ events, ofEvents }) =>
          progress.update(events, ofEvents, 'generate'),
        ),
      );
    }
    const dataset = given ?? (await clock.time('read', () => readDataset(datasetPath)));
    const summary = await run({
      queries: definitions,
      engines,
      dataset,
      datasetSha256: await hashDataset(dataset, datasetPath),
      schedule: { parallelism: options.parallelism, stop },
      transport,
      directory,
      tidemarkVersion: version,
      command: ['tidemark', ...argv],
      clock,
      signal,
      onProgress: (done, total, doing) => progress.update(done, total, doing),
    });
    progress.clear();
    stdout.write(options.json ? `${JSON.stringify(summary)}\n` : `${summaryLines(summary).join('\n')}\n`);
    stderr.write(`evidence: ${directory.path}\n`);
    if (summary.verdict !== 'agree') stderr.write(`replay: ${replayCommand(options, argv)}\n`);
    process.exitCode = signal.aborted ? EXIT.interrupted : exitCodeOf(summary.verdict);
  } finally {
    progress.clear();
    await rm(work, { recursive: true, force: true });
  }
}

async function chosenQueries({ queries: names, set }: RunOptions): Promise<readonly QueryDefinition[]> {
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

/** The same run again: every option that was left to its default is said, but for where the evidence goes. */
function replayCommand(options: RunOptions, argv: readonly string[]): string {
  const words = argv.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`,
  );
  const said = (flag: string) => argv.some((word) => word === flag || word.startsWith(`${flag}=`));
  if (options.data === undefined) {
    if (!said('--seed')) words.push('--seed', options.seed);
    if (!said('--events')) words.push('--events', String(options.events));
  }
  return ['tidemark', ...words].join(' ');
}
