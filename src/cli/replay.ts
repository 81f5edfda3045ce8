import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { propertyOf, replayRepro } from '../campaign/fuzz/replay.ts';
import { readRepro } from '../campaign/fuzz/repro.ts';
import { shorten } from '../campaign/summary.ts';
import type { Session } from '../engines/engine.ts';
import type { Verdict } from '../model/verdict.ts';
import { Progress } from '../report/progress.ts';
import { reproLines } from '../report/repro.ts';
import { verdictLine } from '../report/terminal.ts';
import { type CliContext, EXIT } from './context.ts';
import { list, wholeNumber } from './options.ts';
import { requestedEngines } from './requested-engines.ts';

interface ReplayOptions {
  engine?: readonly string[];
  times: number;
  json?: boolean;
}

export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description('run one repro again: 1 it still fails, 0 it does not')
    .argument('<repro>', 'the file of a repro')
    .option('--engine <names>', 'on another engine, or several where they are compared', list)
    .option('--times <n>', 'how often', wholeNumber(1), 1)
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
  const progress = new Progress(stderr);
  const work = await mkdtemp(join(tmpdir(), 'tidemark-replay-'));
  const sessions: Session[] = [];
  try {
    const engines = requestedEngines(options.engine ?? repro.engine.name.split(' and '), {
      directory: work,
      onProgress: (line) => progress.note(line),
      transport: 'files',
    });
    for (const { open } of engines) sessions.push(await open(signal));
    const verdicts = await replayRepro(repro, sessions, options.times, signal);
    const failing = verdicts.filter(({ kind }) => kind === 'diverge').length;
    if (options.json) {
      const told = {
        property: property.name,
        k: failing,
        n: verdicts.length,
        verdicts: verdicts.map(shorten),
      };
      stdout.write(`${JSON.stringify(told)}\n`);
    } else {
      const last = verdicts.findLast(({ kind }) => kind === 'diverge') ?? verdicts.at(-1);
      stdout.write(`${reproLines(repro, property, sessions, last).join('\n')}\n`);
      if (last !== undefined) {
        stdout.write(`${verdictLine(shorten(last))}: ${failing} of ${verdicts.length} runs fail\n`);
      }
    }
    process.exitCode = signal.aborted ? EXIT.interrupted : exitCode(verdicts);
  } finally {
    for (const session of sessions) await session[Symbol.asyncDispose]();
    await rm(work, { recursive: true, force: true });
  }
}

function exitCode(verdicts: readonly Verdict[]): number {
  if (verdicts.some(({ kind }) => kind === 'diverge')) return EXIT.diverge;
  return verdicts.every(({ kind }) => kind === 'agree') ? EXIT.agree : EXIT.notGated;
}
