import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command, Option } from 'commander';
import { z } from 'zod';
import { seedNumber } from '../campaign/fuzz/setting.ts';
import { InputError } from '../model/errors.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../model/history/index.ts';
import { Progress } from '../report/progress.ts';
import { sinkJunitXml, sinkLines } from '../report/sinks.ts';
import { checkSink } from '../sinks/conformance/check-sink.ts';
import { type KeptSinkCase, keptSinkCaseSchema } from '../sinks/conformance/kept-sink-case.ts';
import { SINK_SUMMARY_VERSION, type SinkSummary, worstOf } from '../sinks/conformance/sink-summary.ts';
import { loadSinkConfig } from '../sinks/load-config.ts';
import { PostgresError, type PostgresErrorCode, startPostgres } from '../sinks/postgres/index.ts';
import { type CliContext, EXIT } from './context.ts';
import { exitCodeOf } from './exit-code.ts';
import { list, wholeNumber } from './options.ts';

const DEFAULT_HISTORIES = 5;

interface SinkOptions {
  url?: string;
  modes?: readonly string[];
  histories: number;
  seed: string;
  case?: number;
  faults: 'redelivery' | 'all';
  json?: boolean;
  junit?: string;
  out?: string;
}

export function sinkCommand(context: CliContext): Command {
  return new Command('sink')
    .description('does a sink keep what it promises, in each of its delivery modes?')
    .argument('<config>', 'a module that exports `config`, or a JSON file that names the module of a sink')
    .option('--url <url>', 'a PostgreSQL of yours as the source (default: one of our own is started)')
    .option('--modes <names>', 'only these delivery modes (default: all that the sink claims)', list)
    .option('--histories <n>', 'random histories for each mode', wholeNumber(1), DEFAULT_HISTORIES)
    .option('--seed <seed>', 'of the histories', '1')
    .option('--case <n>', 'only the case of this number', wholeNumber(0))
    .addOption(
      new Option('--faults <kinds>', 'plain disconnects that have something delivered again, or kills too')
        .choices(['redelivery', 'all'])
        .default('redelivery'),
    )
    .option('--json', 'the summary as JSON')
    .option('--junit <file>', 'write JUnit XML too')
    .option('--out <dir>', 'where the summary and each case that is no pass go')
    .addHelpText(
      'after',
      `\nExample:\n  tidemark sink tidemark.sink.ts --histories 50\n\nModes: ${DELIVERY_MODES.join(', ')}`,
    )
    .action((config: string, options: SinkOptions) => act(config, options, context));
}

async function act(
  file: string,
  options: SinkOptions,
  { stdout, stderr, signal, version }: CliContext,
): Promise<void> {
  const modes = options.modes?.map(modeOf);
  if (options.url !== undefined) checkUrl(options.url);
  const config = await loadSinkConfig(file);
  const progress = new Progress(stderr);
  const { out, seed, histories } = options;
  if (out !== undefined) await mkdir(out, { recursive: true });
  try {
    await using server = await startPostgres(
      options.url === undefined ? { signal } : { url: options.url, signal },
    );
    const results = await checkSink({
      config,
      server,
      modes,
      histories,
      seed: seedNumber(seed),
      only: options.case,
      faults: options.faults,
      onCase: (mode, done, failures) => progress.update(done, histories, `${mode}${told(failures)}`),
      onFailure: async (index, sinkCase) => {
        if (out === undefined) return undefined;
        const name = `case-${sinkCase.mode}-${index}.json`;
        const kept: KeptSinkCase = { version: 1, seed, index, ...sinkCase };
        await writeFile(join(out, name), `${JSON.stringify(z.encode(keptSinkCaseSchema, kept))}\n`);
        return name;
      },
      signal,
    });
    progress.clear();
    const summary: SinkSummary = {
      version: SINK_SUMMARY_VERSION,
      tidemark: version,
      sink: config.sink.name,
      seed,
      postgres: server.version,
      verdict: worstOf(results.map(({ verdict }) => verdict)),
      modes: results,
    };
    if (out !== undefined) await writeFile(join(out, 'summary.json'), `${JSON.stringify(summary)}\n`);
    if (options.junit !== undefined) {
      await mkdir(dirname(options.junit), { recursive: true });
      await writeFile(options.junit, sinkJunitXml(summary));
    }
    stdout.write(options.json ? `${JSON.stringify(summary)}\n` : `${sinkLines(summary).join('\n')}\n`);
    stderr.write(`seed: ${seed}\n`);
    for (const { mode, failures } of results) {
      const [first] = failures;
      if (first !== undefined) stderr.write(`replay: ${replayCommand(file, options, mode, first.index)}\n`);
    }
    process.exitCode = exitCodeOf(summary.verdict);
  } catch (error) {
    if (!(error instanceof PostgresError) || signal.aborted) throw error;
    stderr.write(`tidemark: ${error.message}\n`);
    process.exitCode = IN_THE_INPUT.has(error.code) ? EXIT.usage : EXIT.notGated;
  } finally {
    progress.clear();
  }
}

/** What the user can put right in what was given; the rest is the server's. */
const IN_THE_INPUT: ReadonlySet<PostgresErrorCode> = new Set([
  'bad-name',
  'no-publication',
  'no-slot',
  'not-logical',
  'no-replication-right',
]);

/** Without the URL, which holds a password. */
function replayCommand(
  file: string,
  { seed, faults, url }: SinkOptions,
  mode: DeliveryMode,
  index: number,
): string {
  const more = [faults === 'all' ? ' --faults all' : '', url === undefined ? '' : ' --url URL'].join('');
  return `tidemark sink ${file} --modes ${mode} --seed ${seed} --case ${index}${more}`;
}

function told(failures: number): string {
  return failures === 0 ? '' : `, ${failures} failed`;
}

function modeOf(name: string): DeliveryMode {
  const found = DELIVERY_MODES.find((mode) => mode === name);
  if (found !== undefined) return found;
  throw new InputError(`no mode ${name}; there are ${DELIVERY_MODES.join(', ')}`, { field: '--modes' });
}

/** @throws InputError that does not repeat it: it may hold a password. */
function checkUrl(text: string): void {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return;
  throw new InputError('expected postgres://USER:PASSWORD@HOST:PORT/DATABASE', { field: '--url' });
}
