import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { execaSync } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bidStream } from '../../generators/nexmark/index.ts';
import { type Summary, summarySchema } from '../../src/campaign/summary.ts';
import { neutralTraits } from '../../src/model/traits.ts';
import { queries } from '../../src/queries/index.ts';
import { tidemark } from '../support/tidemark.ts';

let directory: string;
let data: string;
let number = 0;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  data = join(directory, 'data');
  const made = await tidemark(['generate', '--seed', '1', '--events', '500', '--out', data]);
  expect(made.exitCode).toBe(0);
});
afterAll(() => rmSync(directory, { recursive: true }));

const TRAITS = { ...neutralTraits, stops: ['drain'], transports: ['files'] };

/**
 * An engine of its own for q0, every bid unchanged, that first does right by every row, and then does `fault`
 * to the lines (JavaScript over `lines`, which may also end the process).
 */
function engineThat(fault: string): string {
  const home = join(directory, `engine-${++number}`);
  mkdirSync(home);
  writeFileSync(
    join(home, 'engine.mjs'),
    `import { readFileSync, writeFileSync } from 'node:fs';
    import { createInterface } from 'node:readline';
    for await (const line of createInterface({ input: process.stdin })) {
      const { id, m, dataset, output } = JSON.parse(line);
      const say = (answer) => console.log(JSON.stringify({ id, ...answer }));
      if (m === 'hello') {
        say({ ok: true, protocol: 1, name: 'faulty', version: '1.0.0', traits: ${JSON.stringify(TRAITS)} });
        continue;
      }
      const { file } = dataset.streams.find(({ schema }) => schema.name === 'bid');
      let lines = readFileSync(file, 'utf8').trimEnd().split('\\n');
      let tail = '\\n';
      ${fault}
      writeFileSync(output, lines.join('\\n') + tail);
      say({ ok: true, format: 'rows' });
    }`,
  );
  const config = join(home, 'engine.json');
  writeFileSync(config, JSON.stringify({ version: 1, command: [process.execPath, 'engine.mjs'] }));
  return `command@${config}`;
}

/** A query file like one that is declared but for the given change. */
function queryFile(name: string, change: object): string {
  const file = join(directory, `query-${++number}.json`);
  writeFileSync(file, JSON.stringify({ ...queries.get(name), ...change }));
  return file;
}

async function runWith(engines: string, ...args: string[]) {
  const out = join(directory, `run-${++number}`);
  const command = ['run', '--data', data, '--json', '--out', out, '--engines', engines];
  const { exitCode, stdout, stderr } = await tidemark([...command, ...args]);
  const summary = stdout === '' ? undefined : summarySchema.parse(JSON.parse(stdout));
  return { out, exitCode, stderr, summary: summary as Summary };
}

describe('what goes wrong is never an agreement', () => {
  test('nothing goes wrong with the engine itself', async () => {
    const { exitCode, summary, stderr } = await runWith(engineThat(''), '--queries', 'q0');
    expect(summary, stderr).toMatchObject({ verdict: 'agree' });
    expect(exitCode).toBe(0);
  });

  test.each<[string, string, string, number, RegExp]>([
    ['half a line at the end', 'tail = lines.pop().slice(0, 9)', 'diverge', 1, /1 corrupt/],
    ['a line that is no JSON', "lines.push('oh')", 'diverge', 1, /^1 corrupt$/],
    ['a missing column', 'lines[3] = lines[3].replace(/"price":\\d+,/, "")', 'diverge', 1, /1 corrupt/],
    ['a repeated field', 'lines[3] = lines[3].replace("{", "{\\"price\\":1,")', 'diverge', 1, /1 corrupt/],
    ['bytes that are no UTF-8', 'lines.push(""); tail = Buffer.from([0xc3, 10])', 'diverge', 1, /\d corrupt/],
    ['a row lost', 'lines.splice(7, 1)', 'diverge', 1, /^1 lost$/],
    ['a row twice', 'lines.push(lines[0])', 'diverge', 1, /^1 extra$/],
    ['no row at all', 'lines = []; tail = ""', 'diverge', 1, /lost/],
    [
      'an engine that dies before it reads',
      'process.exit(7)',
      'not-gated',
      3,
      /^run: the process of the engine ended/,
    ],
    [
      'an engine that dies once it has read',
      'writeFileSync(output, lines.join("\\n") + tail); process.exit(7)',
      'not-gated',
      3,
      /^run: the process of the engine ended/,
    ],
    [
      'a job that it refuses',
      'say({ ok: false, step: "submit", code: "refused", message: "no such table", valueFree: true }); continue',
      'not-gated',
      3,
      /^submit: .*no such table \(refused\)/,
    ],
    ['an answer that is none', 'console.log("done"); continue', 'not-gated', 3, /bad-answer/],
  ])('%s', async (_, fault, kind, code, reason) => {
    const { exitCode, summary, stderr, out } = await runWith(engineThat(fault), '--queries', 'q0');
    expect(summary.verdict, stderr).toBe(kind);
    const [{ verdict }] = summary.queries[0]!.engines as [Summary['queries'][0]['engines'][0]];
    expect(verdict).toEqual({ kind, reason: expect.stringMatching(reason) });
    expect(exitCode).toBe(code);
    // What came of it is kept byte for byte, right or wrong.
    const kept = readdirSync(join(out, 'queries'), { recursive: true }).filter((name) =>
      `${name}`.endsWith('.gz'),
    );
    expect(kept).toHaveLength(kind === 'diverge' ? 1 : 0);
  });

  test('a disk that is full ends the run, tells the file and loses nothing that was written', async () => {
    const small = join(directory, 'small');
    mkdirSync(small);
    const mount = execaSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small], { reject: false });
    if (mount.failed) return expect(process.getuid?.(), 'only root may mount a small disk').not.toBe(0);
    try {
      const out = join(small, 'run');
      const { exitCode, stderr } = await tidemark([
        ...['run', '--data', data, '--out', out, '--engines', 'duckdb'],
        ...['--queries', 'q1,q0,q14,q21,q22,hop,q12,q11,q15,q16,q17'],
      ]);
      expect(exitCode).toBe(2);
      expect(stderr).toMatch(/small\/run\/.*cannot write \(ENOSPC\)/);
      const summary = summarySchema.parse(JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')));
      expect(summary).toMatchObject({ complete: false, verdict: 'inconclusive' });
      for (const { query } of summary.queries) {
        const text = gunzipSync(
          readFileSync(join(out, 'queries', query, 'duckdb.rows.ndjson.gz')),
        ).toString();
        expect(text.endsWith('\n')).toBe(true);
      }
    } finally {
      execaSync('umount', [small]);
    }
  });
});

describe('drained output can be judged again with no engine', () => {
  test.each(['q0', 'hop'])('%s', async (query) => {
    const { out, summary } = await runWith('duckdb', '--queries', query);
    const actual = join(out, 'queries', query, 'duckdb.rows.ndjson.gz');
    const again = ['judge', '--query', query, '--data', data, '--until', 'drained', '--json'];
    const { exitCode, stdout } = await tidemark([...again, '--actual', actual]);
    expect(JSON.parse(stdout)).toEqual({ verdict: 'agree', rows: summary.queries[0]!.truthRows });
    expect(exitCode).toBe(0);
    const half = readFileSync(actual);
    writeFileSync(actual, half.subarray(0, half.length / 2));
    const cut = await tidemark([...again, '--actual', actual]);
    expect(cut).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/cannot be read \(Z_BUF_ERROR\)/),
    });
  });
});

describe('a campaign', () => {
  const wrong = () => engineThat('lines.splice(7, 1)');

  test('is inconclusive once a declaration was weakened after a divergence', async () => {
    const campaign = join(directory, 'campaign');
    const held = (engine: string, query: string) =>
      runWith(engine, '--campaign', campaign, '--queries', query);
    expect(await held('duckdb', 'q0')).toMatchObject({ exitCode: 0, summary: { objections: [] } });
    expect(await held(wrong(), 'q0')).toMatchObject({ exitCode: 1, summary: { objections: [] } });
    expect(await held('duckdb', 'q0')).toMatchObject({ exitCode: 0, summary: { objections: [] } });
    const premises = [{ kind: 'not-null', stream: 'bid', columns: ['price'], reason: 'for now' }];
    const { exitCode, summary } = await held('duckdb', queryFile('q0', { premises }));
    expect(exitCode).toBe(3);
    expect(summary.verdict).toBe('inconclusive');
    expect(summary.objections).toEqual([
      'the declaration of q0 was weakened (premises) after the query diverged',
    ]);
    // What was once weakened stays so, also where the old declaration is back.
    expect(await held('duckdb', 'q0')).toMatchObject({ exitCode: 3, summary: { verdict: 'inconclusive' } });
    // Another query of the campaign cannot pass either; another campaign can.
    expect(await held('duckdb', 'q2')).toMatchObject({ exitCode: 3 });
    expect(await runWith('duckdb', '--campaign', join(directory, 'other'), '--queries', 'q0')).toMatchObject({
      exitCode: 0,
    });
  });

  test('is inconclusive once a manifest of it was edited', async () => {
    const campaign = join(directory, 'edited');
    const first = await runWith('duckdb', '--campaign', campaign, '--queries', 'q0');
    const file = join(first.out, 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"parallelism": 1', '"parallelism": 4'));
    const { exitCode, summary } = await runWith('duckdb', '--campaign', campaign, '--queries', 'q0');
    expect(exitCode).toBe(3);
    expect(summary.objections).toEqual([`the manifest of ${first.out} is not what it was`]);
  });

  test('with a ledger that is damaged is not gone on with', async () => {
    const campaign = join(directory, 'damaged');
    await runWith('duckdb', '--campaign', campaign, '--queries', 'q0');
    const file = join(campaign, 'ledger.ndjson');
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"version":1,"kind":"run"}\n`);
    const { exitCode, stderr } = await runWith('duckdb', '--campaign', campaign, '--queries', 'q0');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/ledger\.ndjson:3: field directory: /);
  });
});

describe('known findings', () => {
  /** A corpus whose one finding says that the faulty engine loses rows of which `predicate` holds. */
  function corpusOf(predicate: object): string {
    const corpus = join(directory, `corpus-${++number}`);
    mkdirSync(corpus);
    const bids = [{ auction: 1, bidder: 1, price: 1, channel: 'c', url: 'u', datetime: 0, seq: 0 }];
    const finding = {
      version: 1,
      name: 'faulty-loses-a-bid',
      title: 'A bid is lost',
      ruling: 'every bid is a row of q0',
      signature: {
        ...{ engine: 'command', versions: '>=1.0.0', property: 'agrees-with-truth' },
        ...{ operator: 'project', kind: 'lost' },
      },
      predicate,
      case: {
        query: queries.get('q0'),
        dataset: { lagMs: 0, streams: [{ schema: bidStream, partitions: [[{ arrival: 0, row: bids[0] }]] }] },
        schedule: { parallelism: 1, stop: 'drain' },
      },
    };
    writeFileSync(join(corpus, 'faulty-loses-a-bid.json'), JSON.stringify(finding));
    return corpus;
  }
  const TRUE = { lit: true, type: 'BOOLEAN' };
  const FALSE = { lit: false, type: 'BOOLEAN' };
  const losing = () => engineThat('lines.splice(7, 1)');

  test('explain a divergence, which stays one, and the run passes', async () => {
    const args = ['--queries', 'q0', '--known', corpusOf(TRUE)];
    const { exitCode, summary, stderr } = await runWith(`duckdb,${losing()}`, ...args);
    expect(summary, stderr).toMatchObject({ verdict: 'diverge', counts: { diverge: 1, known: 1 } });
    expect(summary.queries[0]!.engines[1]!.known).toEqual(['faulty-loses-a-bid']);
    expect(exitCode).toBe(0);
  });

  test.each<[string, () => string[]]>([
    ['whose predicate does not hold', () => [losing(), '--known', corpusOf(FALSE)]],
    ['of another kind', () => [engineThat('lines.push(lines[0])'), '--known', corpusOf(TRUE)]],
    ['beside a fault that is none', () => [engineThat('lines[7] = "oh"'), '--known', corpusOf(TRUE)]],
    ['that nobody asked for', () => [losing()]],
  ])('%s explain nothing', async (_, args) => {
    const [engine, ...rest] = args();
    const { exitCode, summary } = await runWith(engine!, '--queries', 'q0', ...rest);
    expect(summary).toMatchObject({ verdict: 'diverge', counts: { known: 0 } });
    expect(exitCode).toBe(1);
  });
});
