import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type JudgeOptions, judge } from '../src/judge/judge.ts';
import { rowFromJson, rowToJson } from '../src/model/row-json.ts';
import type { Column } from '../src/model/schema.ts';
import type { Row } from '../src/model/value.ts';
import type { Verdict } from '../src/model/verdict.ts';
import { fileBytes } from '../src/streams/file-bytes.ts';

const PANES = 1_500_000;
const PANES_PER_WINDOW = 500;
const PLANTED = 10;
const ROUNDS = 4;
/** Coprime to the number of panes, so that stepping by it visits each pane once, far apart. */
const STRIDE = 611_953;

const TARGET_RATIO = 1.2;
const TARGET_RSS_MB = 400;

const columns: readonly Column[] = [
  { name: 'window_start', type: 'TIMESTAMP(3)', nullable: false },
  { name: 'window_end', type: 'TIMESTAMP(3)', nullable: false },
  { name: 'auction', type: 'BIGINT', nullable: false },
  { name: 'n', type: 'BIGINT', nullable: false },
];

const declaration: JudgeOptions['declaration'] = {
  class: 'append',
  reason: 'panes fire once',
  keys: ['window_start', 'window_end', 'auction'],
  fire: { column: 'window_end' },
};

/** What one measurement took, in the best of its rounds. */
export interface JudgeMeasurement {
  readonly name: string;
  readonly judgeSeconds: number;
  readonly sortSeconds: number;
  /** Greatest resident set of this process while judging. */
  readonly rssMb: number;
}

/**
 * Judges 1.5 M hop panes against as many, read and decoded from files, and measures it against `sort` of both files
 * and `comm` in the same run: once where rows and fields stand in another order, once where 10 rows differ.
 *
 * Prints a table. @throws Error when judge and `comm` do not find the same rows.
 */
export async function benchJudge(): Promise<readonly JudgeMeasurement[]> {
  const directory = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  try {
    const [truth, shuffled, reordered, planted] = ['truth', 'shuffled', 'reordered', 'planted'].map((name) =>
      join(directory, `${name}.ndjson`),
    ) as [string, string, string, string];
    await writePanes(truth, (index) => rowToJson(columns, pane(index)));
    await writePanes(shuffled, (index) => rowToJson(columns, pane(shuffle(index))));
    await writePanes(reordered, (index) => reversedFields(pane(shuffle(index))));
    await writePanes(planted, (index) => rowToJson(columns, plantedPane(shuffle(index))));
    const measurements = [
      // To sort, fields in another order would be other lines.
      await measure('rows and fields reordered', directory, { truth, judged: reordered, sorted: shuffled }),
      await measure(`${PLANTED} rows differ`, directory, { truth, judged: planted, sorted: planted }),
    ];
    print(measurements);
    return measurements;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** The `index`-th pane: 10 s long, a new one every 2 s, a few hundred auctions in each. */
function pane(index: number): Row {
  const window = Math.floor(index / PANES_PER_WINDOW);
  const start = 1_700_000_000_000 + window * 2_000;
  const auction = 1_000 + (index % PANES_PER_WINDOW) * 31 + (window % 31);
  return [start, start + 10_000, auction, 1 + ((index * 7919) % 97)];
}

function plantedPane(index: number): Row {
  const row = pane(index);
  return index % (PANES / PLANTED) === 0 ? row.with(3, Number(row[3]) + 100) : row;
}

function shuffle(index: number): number {
  return (index * STRIDE + 12_345) % PANES;
}

function reversedFields(row: Row): string {
  return rowToJson(columns.toReversed(), row.toReversed());
}

async function writePanes(path: string, line: (index: number) => string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (let from = 0; from < PANES; from += 10_000) {
      let block = '';
      for (let index = from; index < Math.min(from + 10_000, PANES); index++) block += `${line(index)}\n`;
      await file.write(block);
    }
  } finally {
    await file.close();
  }
}

interface Files {
  readonly truth: string;
  readonly judged: string;
  readonly sorted: string;
}

async function measure(name: string, directory: string, files: Files): Promise<JudgeMeasurement> {
  const memory = { rssMb: 0 };
  let judgeSeconds = Number.POSITIVE_INFINITY;
  let sortSeconds = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const judging = await timed(() => judgeFiles(files, memory));
    const sorting = await timed(() => sortFiles(files, directory));
    judgeSeconds = Math.min(judgeSeconds, judging.seconds);
    sortSeconds = Math.min(sortSeconds, sorting.seconds);
    const [a, b] = [differingRows(judging.result), sorting.result.toSorted()];
    if (a.join('\n') !== b.join('\n')) {
      throw new Error(`${name}: the judge finds ${a.length} differing rows, comm ${b.length} or others`);
    }
  }
  return { name, judgeSeconds, sortSeconds, rssMb: memory.rssMb };
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly seconds: number; readonly result: T }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}

function judgeFiles({ truth, judged }: Files, memory: { rssMb: number }): Promise<Verdict> {
  const side = (path: string) => ({
    capture: {
      format: 'rows' as const,
      bytes: {
        async *open() {
          for await (const chunk of fileBytes(path).open()) {
            memory.rssMb = Math.max(memory.rssMb, process.memoryUsage.rss() / 2 ** 20);
            yield chunk;
          }
        },
      },
    },
  });
  return judge({ columns, declaration, expected: side(truth), actual: side(judged) });
}

/** Lines that only one of the two files holds. */
async function sortFiles({ truth, sorted }: Files, directory: string): Promise<string[]> {
  const env = { ...process.env, LC_ALL: 'C', TMPDIR: directory };
  const run = promisify(execFile);
  const [a, b] = [join(directory, 'truth.sorted'), join(directory, 'output.sorted')];
  await run('sort', ['-o', a, truth], { env });
  await run('sort', ['-o', b, sorted], { env });
  const { stdout } = await run('comm', ['-3', a, b], { env });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => rowToJson(columns, rowFromJson(columns, line.trimStart())));
}

function differingRows(verdict: Verdict): string[] {
  if (verdict.kind !== 'diverge') return [];
  return verdict.samples
    .flatMap((sample) => [
      ...('expected' in sample ? [sample.expected] : []),
      ...('actual' in sample ? [sample.actual] : []),
    ])
    .map((row) => rowToJson(columns, row))
    .toSorted();
}

function print(measurements: readonly JudgeMeasurement[]): void {
  console.log(`judge, 2 x ${PANES} hop panes, best of ${ROUNDS} rounds`);
  console.table(
    measurements.map(({ name, judgeSeconds, sortSeconds, rssMb }) => ({
      output: name,
      'judge s': judgeSeconds.toFixed(2),
      'sort + comm s': sortSeconds.toFixed(2),
      ratio: `${(judgeSeconds / sortSeconds).toFixed(2)} (target ${TARGET_RATIO})`,
      'RSS MB': `${rssMb.toFixed(0)} (target ${TARGET_RSS_MB})`,
    })),
  );
}
