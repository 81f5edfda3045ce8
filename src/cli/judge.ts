import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Command } from 'commander';
import { truth, type Until } from '../../oracles/truth.ts';
import { divergenceToJson } from '../campaign/difference-json.ts';
import { shorten } from '../campaign/summary.ts';
import { judge } from '../judge/judge.ts';
import { InputError } from '../model/errors.ts';
import type { Capture } from '../model/outcome.ts';
import { checkQuery } from '../model/query.ts';
import type { Verdict } from '../model/verdict.ts';
import { verdictLine } from '../report/terminal.ts';
import { readDataset } from '../streams/dataset-files.ts';
import type { CliContext } from './context.ts';
import { exitCodeOf } from './exit-code.ts';
import { loadQuery } from './load-query.ts';
import { traitsOf, until } from './options.ts';

interface JudgeOptions {
  query: string;
  data: string;
  actual: string;
  against?: string;
  until: Until;
  traits?: string;
  json?: boolean;
}

export function judgeCommand({ stdout }: CliContext): Command {
  return new Command('judge')
    .description('judge captured output with no engine at all')
    .requiredOption('--query <query>', 'a declared query, or a JSON file with a definition')
    .requiredOption('--data <dir>', 'the dataset the output was made from')
    .requiredOption('--actual <file>', 'NDJSON: plain rows, {"op","row"}, or records of a topic')
    .option('--against <file>', 'judge against this output, in any of the same forms, instead of the truth')
    .option('--until <watermark>', 'settled, drained, or epoch milliseconds', until, 'settled')
    .option('--traits <engine>', 'the engine the output is from (default: the law alone)')
    .option('--json', 'the verdict as JSON, with samples')
    .addHelpText(
      'after',
      '\nExample:\n  tidemark judge --query q12 --data data --actual out.ndjson --until drained',
    )
    .action(async (options: JudgeOptions) => {
      const definition = await loadQuery(options.query);
      const traits = traitsOf(options.traits);
      const dataset = await readDataset(options.data);
      const query = checkQuery(
        definition,
        dataset.streams.map(({ schema }) => schema),
      );
      const common = { columns: query.columns, declaration: definition.declaration };
      const actual = { capture: await openCapture(options.actual) };
      let verdict: Verdict;
      if (options.against !== undefined) {
        verdict = await judge({
          ...common,
          expected: { capture: await openCapture(options.against) },
          actual,
        });
      } else {
        const expected = truth(query, dataset, options.until, traits);
        const drained = query.output.updating ? expected : truth(query, dataset, 'drained', traits);
        const due = expected.watermark + traits.fireEarlyMs.window;
        const beyond = drained.rows.filter((_, index) => drained.firePoints[index]! > due);
        verdict = await judge({ ...common, expected, actual, beyond });
      }
      const short = shorten(verdict);
      if (verdict.kind === 'diverge') {
        const text = divergenceToJson(query.columns, verdict, dataset.provenance === 'captured');
        if (options.json)
          stdout.write(`{"verdict":"diverge","divergence":${JSON.stringify(JSON.parse(text))}}\n`);
        else stdout.write(`${verdictLine(short)}\n${text}`);
      } else if (options.json) {
        const rows = verdict.kind === 'agree' ? { rows: verdict.rows } : { reason: short.reason };
        stdout.write(`${JSON.stringify({ verdict: verdict.kind, ...rows })}\n`);
      } else {
        const rows = verdict.kind === 'agree' ? ` on ${verdict.rows} rows` : '';
        stdout.write(`${verdictLine(short)}${rows}\n`);
      }
      process.exitCode = exitCodeOf(verdict.kind);
    });
}

/** A file as a capture, unpacked where it is gzipped; which form it has shows in its name or in its first line. */
async function openCapture(file: string): Promise<Capture> {
  const open = () => plainBytes(file);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of open()) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= START_BYTES) break;
  }
  const start = Buffer.concat(chunks).subarray(0, START_BYTES).toString('latin1');
  return { format: formatOf(file, start), bytes: { open } };
}

/** Enough to see what a line is. */
const START_BYTES = 256;

/** @throws InputError when the file cannot be read or unpacked to its end. */
async function* plainBytes(file: string): AsyncGenerator<Uint8Array> {
  const source = createReadStream(file);
  // The error of either is that of the last, which is being read.
  const plain = file.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source;
  try {
    yield* plain as AsyncIterable<Uint8Array>;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new InputError(`cannot be read (${code})`, { file });
  }
}

function formatOf(file: string, start: string): Capture['format'] {
  if (/^\s*\{\s*"(partition|offset)"\s*:\s*\d+\s*,\s*"(partition|offset)"/.test(start)) return 'records';
  if (/^\s*\{\s*"op"\s*:\s*"[+-][IUD]"\s*,\s*"row"\s*:\s*\{/.test(start)) {
    return /\.retract\.ndjson(\.gz)?$/.test(file) ? 'retract' : 'changelog';
  }
  return 'rows';
}
