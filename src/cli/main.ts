#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { OracleRefusal } from '../../oracles/refusal.ts';
import { EngineError } from '../engines/engine.ts';
import { InputError, PlanError } from '../model/errors.ts';
import { KafkaError } from '../streams/kafka/run-topics.ts';
import { type CliContext, EXIT } from './context.ts';

/** Only what a command needs is loaded: an edit loop calls one often. */
const commands: Readonly<Record<string, () => Promise<(context: CliContext) => Command>>> = {
  generate: async () => (await import('./generate.ts')).generateCommand,
  oracle: async () => (await import('./oracle.ts')).oracleCommand,
  run: async () => (await import('./run.ts')).runCommand,
  report: async () => (await import('./report.ts')).reportCommand,
  judge: async () => (await import('./judge.ts')).judgeCommand,
  queries: async () => (await import('./queries.ts')).queriesCommand,
  engines: async () => (await import('./engines.ts')).enginesCommand,
  corpus: async () => (await import('./corpus.ts')).corpusCommand,
  fuzz: async () => (await import('./fuzz.ts')).fuzzCommand,
  shrink: async () => (await import('./shrink.ts')).shrinkCommand,
  replay: async () => (await import('./replay.ts')).replayCommand,
  sink: async () => (await import('./sink.ts')).sinkCommand,
};

function packageVersion(): string {
  // One level deeper once built: dist/src/cli beside src/cli.
  for (const path of ['../../package.json', '../../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as { version: string })
        .version;
    } catch {}
  }
  throw new Error('package.json is missing');
}

async function main(): Promise<void> {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      // Asked twice, we go at once; child processes end with us.
      if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
      interrupt.abort();
    });
  }
  // A reader that went away, as `| head` does, is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.agree);
    throw error;
  });
  const context: CliContext = {
    signal: interrupt.signal,
    stdout: process.stdout,
    stderr: process.stderr,
    argv: process.argv.slice(2),
    version: packageVersion(),
  };
  const program = new Command('tidemark')
    .description('Do two stream engines give the same answers, and are they right?')
    .version(context.version)
    .showHelpAfterError('(--help tells how)')
    .exitOverride();
  const [asked] = context.argv;
  const own = asked !== undefined && Object.hasOwn(commands, asked) ? asked : undefined;
  for (const name of own === undefined ? Object.keys(commands) : [own]) {
    program.addCommand(strict((await commands[name]!())(context)));
  }
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = interrupt.signal.aborted ? EXIT.interrupted : report(error);
  }
}

/** Usage errors are ours to turn into exit code 2, at every depth. */
function strict(command: Command): Command {
  command.exitOverride().showHelpAfterError('(--help tells how)').allowExcessArguments(false);
  for (const inner of command.commands) strict(inner);
  return command;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.agree : EXIT.usage;
  if (error instanceof InputError || error instanceof PlanError) {
    process.stderr.write(`tidemark: ${error.message}\n`);
    return EXIT.usage;
  }
  if (error instanceof OracleRefusal || error instanceof EngineError || error instanceof KafkaError) {
    process.stderr.write(`tidemark: ${error.message}\n`);
    return EXIT.notGated;
  }
  throw error;
}

await main();
