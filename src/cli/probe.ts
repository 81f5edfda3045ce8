import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import { compareTraits, measureTraits, type TraitResult } from '../campaign/probe/index.ts';
import type { Transport } from '../model/traits.ts';
import { Progress } from '../report/progress.ts';
import { table } from '../report/table.ts';
import { type CliContext, EXIT } from './context.ts';
import { transportOf, transportOption } from './read-transport.ts';
import { requestedEngines } from './requested-engines.ts';
import { LazyTopics } from './run-topics.ts';

interface ProbeOptions {
  transport?: Transport;
  brokers?: string;
  kafkaConfig?: string;
  json?: boolean;
}

/** `tidemark engines probe`. */
export function probeCommand(context: CliContext): Command {
  return new Command('probe')
    .description('measure the traits of an engine by tiny streams, and compare them with what it declares')
    .argument('<name>', 'name, name@version or name@PATH')
    .addOption(transportOption())
    .option('--brokers <hosts>', 'a Kafka of your own, host:port,… (default: one that is started for it)')
    .addOption(new Option('--kafka-config <file>', 'how to reach it: TLS, SASL'))
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nIt exits with 1 where a trait differs, and with 3 where one could not be measured.\n\nExample:\n  tidemark engines probe clink --transport kafka',
    )
    .action((name: string, options: ProbeOptions) => act(name, options, context));
}

async function act(
  name: string,
  options: ProbeOptions,
  { stdout, stderr, signal }: CliContext,
): Promise<void> {
  const transport = transportOf([name], options.transport);
  const progress = new Progress(stderr);
  const note = (line: string) => progress.note(line);
  const work = await mkdtemp(join(tmpdir(), 'tidemark-probe-'));
  try {
    await using topics = new LazyTopics({ ...options, directory: work, signal, note });
    const [engine] = requestedEngines([name], {
      directory: work,
      onProgress: note,
      transport,
      topics: transport === 'kafka' ? () => topics.open() : undefined,
    });
    await using session = await engine!.open(signal);
    const results = compareTraits(await measureTraits(session, signal), session.traits);
    progress.clear();
    stdout.write(
      options.json
        ? `${JSON.stringify({ engine: session.name, transport, traits: results })}\n`
        : `${tableOf(results).join('\n')}\n`,
    );
    for (const line of results.flatMap(complaintOf)) stderr.write(`${line}\n`);
    process.exitCode = exitCodeOf(results);
  } finally {
    progress.clear();
    await rm(work, { recursive: true, force: true });
  }
}

function tableOf(results: readonly TraitResult[]): string[] {
  return table(
    ['trait', 'declared', 'measured', 'how it was seen'],
    results.map(({ trait, declared, measured, how }) => [trait, declared, measured ?? '–', how]),
  );
}

function complaintOf({ trait, declared, measured, how, verdict }: TraitResult): readonly string[] {
  if (verdict === 'differs') return [`${trait} differs: declared ${declared}, measured ${measured}`];
  return verdict === 'unmeasured' ? [`${trait} was not measured: ${how}`] : [];
}

function exitCodeOf(results: readonly TraitResult[]): number {
  const some = (wanted: TraitResult['verdict']) => results.some(({ verdict }) => verdict === wanted);
  return some('differs') ? EXIT.diverge : some('unmeasured') ? EXIT.notGated : EXIT.agree;
}
