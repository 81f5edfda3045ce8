import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import type { Finding } from '../campaign/corpus/finding.ts';
import { readCorpus } from '../campaign/corpus/read-corpus.ts';
import { type Replayed, type ReplayKind, replay } from '../campaign/corpus/replay.ts';
import { InputError } from '../model/errors.ts';
import { Progress } from '../report/progress.ts';
import { table } from '../report/table.ts';
import { type CliContext, EXIT } from './context.ts';
import { list } from './options.ts';
import { replayEngines } from './replay-engines.ts';
import { LazyTopics } from './run-topics.ts';

interface CorpusOptions {
  corpus?: string;
  json?: boolean;
}

interface ReplayOptions extends CorpusOptions {
  engines?: readonly string[];
}

export function corpusCommand(context: CliContext): Command {
  const command = new Command('corpus').description(
    'known findings: what engines are known to answer wrongly, each with the smallest case that shows it',
  );
  const withCorpus = (inner: Command) =>
    inner
      .option('--corpus <dir>', 'a directory of findings (default: the one that comes with tidemark)')
      .option('--json', 'as JSON');
  withCorpus(command.command('list', { isDefault: true }))
    .description('every finding with its signature')
    .action((options: CorpusOptions) => listCorpus(options, context));
  withCorpus(command.command('replay'))
    .description('run the cases again on the engines that are here: 0 all still fail, 1 one does not')
    .argument('[names...]', 'findings (default: all)')
    .option('--engines <names>', 'name, name@version or name@PATH (default: those of the findings)', list)
    .action((names: string[], options: ReplayOptions) => replayCorpus(names, options, context));
  return command.addHelpText('after', '\nExample:\n  tidemark corpus replay --engines clink');
}

async function listCorpus({ corpus, json }: CorpusOptions, { stdout }: CliContext): Promise<void> {
  const { findings, sha256 } = await readCorpus(corpus ?? ownCorpus());
  if (json) {
    const listed = findings.map(({ name, title, ruling, signature }) => ({ name, title, ruling, signature }));
    stdout.write(`${JSON.stringify({ sha256, findings: listed })}\n`);
    return;
  }
  const rows = findings.map(({ name, title, signature }) => [
    name,
    `${signature.engine} ${signature.versions}`,
    signature.transport ?? 'any',
    signature.operator,
    [signature.kind].flat().join('/'),
    title,
  ]);
  stdout.write(`${table(['finding', 'engine', 'transport', 'operator', 'kind', 'what'], rows).join('\n')}\n`);
}

async function replayCorpus(
  names: readonly string[],
  options: ReplayOptions,
  { stdout, stderr, signal }: CliContext,
): Promise<void> {
  const { findings } = await readCorpus(options.corpus ?? ownCorpus());
  const chosen = chooseFindings(findings, names);
  const engines = options.engines ?? [...new Set(chosen.map(({ signature }) => signature.engine))];
  const progress = new Progress(stderr);
  const note = (line: string) => progress.note(line);
  const work = await mkdtemp(join(tmpdir(), 'tidemark-corpus-'));
  const all: Replayed[] = [];
  try {
    await using topics = new LazyTopics({ directory: work, signal, note });
    const opened = replayEngines(engines, { directory: work, topics: () => topics.open(), signal });
    for await (const replayed of replay(chosen, opened, signal)) {
      all.push(replayed);
      progress.update(all.length, chosen.length, replayed.finding);
    }
  } finally {
    progress.clear();
    await rm(work, { recursive: true, force: true });
  }
  stdout.write(options.json ? `${JSON.stringify(all)}\n` : `${replayLines(all).join('\n')}\n`);
  process.exitCode = signal.aborted ? EXIT.interrupted : exitCodeOf(all);
}

function chooseFindings(findings: readonly Finding[], names: readonly string[]): readonly Finding[] {
  if (names.length === 0) return findings;
  for (const name of names) {
    if (findings.some((finding) => finding.name === name)) continue;
    const known = findings.map((finding) => finding.name).join(', ');
    throw new InputError(`no finding ${name}; there are ${known === '' ? 'none' : known}`);
  }
  return findings.filter(({ name }) => names.includes(name));
}

function replayLines(all: readonly Replayed[]): string[] {
  const rows = all.map(({ finding, engine, version, kind, reason }) => [
    finding,
    version === undefined ? engine : `${engine} ${version}`,
    kind.replaceAll('-', ' '),
    reason ?? '',
  ]);
  const of = (kind: ReplayKind) => all.filter((replayed) => replayed.kind === kind).length;
  return [
    ...table(['finding', 'engine', 'state', 'why'], rows),
    '',
    `${of('still-fails')} still fail, ${of('no-longer-fails')} no longer fail, ${of('differs')} differ, ` +
      `${of('not-gated')} not gated, ${of('skipped')} skipped`,
  ];
}

/** Any finding that is no longer what it was decides; then any that could not be judged; skips alone prove nothing. */
function exitCodeOf(all: readonly Replayed[]): number {
  const has = (kind: ReplayKind) => all.some((replayed) => replayed.kind === kind);
  if (has('no-longer-fails') || has('differs')) return EXIT.diverge;
  return has('not-gated') || !has('still-fails') ? EXIT.notGated : EXIT.agree;
}

/** The corpus of the package: one level deeper once built, dist/src/cli beside src/cli. */
function ownCorpus(): string {
  const [source, built] = ['../../corpus/', '../../../corpus/'].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return existsSync(source!) ? source! : built!;
}
