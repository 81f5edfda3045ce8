import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { propertyOf, replayRepro } from '../campaign/fuzz/replay.ts';
import { type Repro, readRepro } from '../campaign/fuzz/repro.ts';
import { shorten } from '../campaign/summary.ts';
import type { Session } from '../engines/engine.ts';
import type { Transport } from '../model/traits.ts';
import type { Verdict } from '../model/verdict.ts';
import { pictureOf } from '../report/picture/index.ts';
import { Progress } from '../report/progress.ts';
import { commandLine } from '../report/replay.ts';
import { verdictLine } from '../report/terminal.ts';
import { type CliContext, EXIT } from './context.ts';
import { OpenSessions } from './open-sessions.ts';
import { list, wholeNumber } from './options.ts';
import { printPicture, writePicture } from './print-picture.ts';
import { transportAsked, transportOf, transportOption } from './read-transport.ts';
import { requestedEngines } from './requested-engines.ts';
import { LazyTopics } from './run-topics.ts';

interface ReplayOptions {
  engine?: readonly string[];
  transport?: Transport;
  times: number;
  html?: string;
  json?: boolean;
}

export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description('run one repro again and print its picture: 1 it still fails, 0 it does not')
    .argument('<repro>', 'the file of a repro')
    .option('--engine <names>', 'on another engine, or several where they are compared', list)
    .addOption(transportOption())
    .option('--times <n>', 'how often', wholeNumber(1), 1)
    .option('--html <file>', 'the picture as a page, too')
    .option('--json', 'as JSON')
    .addHelpText('after', '\nExample:\n  tidemark replay fuzz/1-1/agrees-with-truth-0123456789ab.json')
    .action((file: string, options: ReplayOptions) => act(file, options, context));
}

async function act(
  file: string,
  options: ReplayOptions,
  { stdout, stderr, signal }: CliContext,
): Promise<void> {
  const repro = await readRepro(file);
  const property = propertyOf(repro);
  const names = options.engine ?? repro.engine.name.split(' and ');
  const transport = transportOf(names, options.transport);
  const progress = new Progress(stderr);
  const note = (line: string) => progress.note(line);
  const work = await mkdtemp(join(tmpdir(), 'tidemark-replay-'));
  try {
    await using topics = new LazyTopics({ directory: work, signal, note });
    await using opened = new OpenSessions();
    const engines = requestedEngines(names, {
      directory: work,
      onProgress: note,
      transport,
      topics: transport === 'kafka' ? () => topics.open() : undefined,
    });
    for (const { open } of engines) opened.all.push(await open(signal));
    const sessions = opened.all;
    const runs = await replayRepro(repro, sessions, options.times, signal);
    const verdicts = runs.map(({ verdict }) => verdict);
    const failing = verdicts.filter(({ kind }) => kind === 'diverge').length;
    const last = runs.findLast(({ verdict }) => verdict.kind === 'diverge') ?? runs.at(-1);
    const picture = pictureOf({
      repro: { ...repro, engine: engineOf(engines, sessions) },
      property,
      verdict: last?.verdict,
      shown: last?.shown,
      traits: sessions[0]!.traits,
      replay: commandLine(['tidemark', 'replay', file, ...enginesAsked(options), ...transportAsked(options)]),
    });
    if (options.json) {
      const told = {
        property: property.name,
        sentence: picture.sentence,
        k: failing,
        n: verdicts.length,
        verdicts: verdicts.map(shorten),
      };
      stdout.write(`${JSON.stringify(told)}\n`);
    } else {
      printPicture(stdout, picture);
      if (last !== undefined) {
        stdout.write(`\n${verdictLine(shorten(last.verdict))}: ${failing} of ${verdicts.length} runs fail\n`);
      }
    }
    if (options.html !== undefined) {
      await writePicture(options.html, picture);
      stderr.write(`page: ${options.html}\n`);
    }
    process.exitCode = signal.aborted ? EXIT.interrupted : exitCode(verdicts);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** The engines that were run, as a repro names them. */
function engineOf(
  engines: readonly { readonly name: string }[],
  sessions: readonly Session[],
): Repro['engine'] {
  const sha256 = sessions.length === 1 ? sessions[0]!.sha256 : undefined;
  return {
    name: engines.map(({ name }) => name).join(' and '),
    version: sessions.map(({ version }) => version).join(' and '),
    ...(sha256 === undefined ? {} : { sha256 }),
  };
}

function enginesAsked({ engine }: ReplayOptions): string[] {
  return engine === undefined ? [] : ['--engine', engine.join(',')];
}

function exitCode(verdicts: readonly Verdict[]): number {
  if (verdicts.some(({ kind }) => kind === 'diverge')) return EXIT.diverge;
  return verdicts.every(({ kind }) => kind === 'agree') ? EXIT.agree : EXIT.notGated;
}
