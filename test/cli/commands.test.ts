import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { manifestSchema } from '../../src/campaign/manifest.ts';
import { summarySchema } from '../../src/campaign/summary.ts';
import { tidemark } from '../support/tidemark.ts';

let directory: string;
let data: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  data = join(directory, 'data');
  await tidemark(['generate', '--seed', '7', '--events', '30000', '--partitions', '3', '--out', data]);
});
afterAll(() => rmSync(directory, { recursive: true }));

function digest(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

test('generate: the same options make the same bytes, another seed makes others', async () => {
  const make = async (seed: string, name: string) => {
    const out = join(directory, name);
    await tidemark(['generate', '--seed', seed, '--events', '30000', '--partitions', '3', '--out', out]);
    return digest(out);
  };
  expect(await make('7', 'again')).toBe(digest(data));
  expect(await make('8', 'other')).not.toBe(digest(data));
});

describe('oracle', () => {
  const rows = async (...args: string[]) => {
    const { stdout, exitCode } = await tidemark(['oracle', '--query', 'q12', '--data', data, ...args]);
    expect(exitCode).toBe(0);
    return stdout === '' ? [] : stdout.split('\n').map((line) => JSON.parse(line));
  };

  test('settled is the part of drained that has fired', async () => {
    const drained = await rows('--until', 'drained', '--fire-points');
    const settled = await rows('--fire-points');
    expect(settled.length).toBeGreaterThan(0);
    expect(drained.length).toBeGreaterThan(settled.length);
    // A stable order by fire point: what has fired comes first.
    expect(drained.slice(0, settled.length)).toEqual(settled);
    for (const { fire_point, row } of drained) expect(fire_point).toBe(row.window_end);
  });

  test('stands at a watermark given in epoch milliseconds', async () => {
    const [first] = await rows('--until', 'drained');
    const end = first.window_end;
    expect(await rows('--until', String(end - 1))).toEqual([]);
    expect((await rows('--until', String(end))).length).toBeGreaterThan(0);
  });
});

describe('judge', () => {
  const truthFile = async (name: string, ...args: string[]) => {
    const file = join(directory, name);
    await tidemark(['oracle', '--query', 'q12', '--data', data, '--out', file, ...args]);
    return file;
  };
  const judge = (...args: string[]) => tidemark(['judge', '--query', 'q12', '--data', data, ...args]);

  test('the truth agrees with itself in any order, and exits 0', async () => {
    const file = await truthFile('truth.ndjson');
    const shuffled = join(directory, 'shuffled.ndjson');
    writeFileSync(shuffled, `${readFileSync(file, 'utf8').trimEnd().split('\n').reverse().join('\n')}\n`);
    expect(await judge('--actual', shuffled)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^agree on \d+ rows$/),
    });
  });

  test('panes beyond the watermark are premature, missing ones are lost, and exit 1', async () => {
    const drained = await truthFile('drained.ndjson', '--until', 'drained');
    const settled = await truthFile('settled.ndjson');
    const early = await judge('--actual', drained, '--json');
    expect(early.exitCode).toBe(1);
    const { divergence } = JSON.parse(early.stdout);
    expect(divergence.counts.premature).toBeGreaterThan(0);
    expect(divergence.counts).toMatchObject({ lost: 0, extra: 0, altered: 0, corrupt: 0 });
    const late = await judge('--actual', settled, '--until', 'drained', '--json');
    expect(late.exitCode).toBe(1);
    expect(JSON.parse(late.stdout).divergence.counts.lost).toBe(divergence.counts.premature);
  });

  test('an altered count names its column', async () => {
    const file = await truthFile('to-alter.ndjson');
    const altered = join(directory, 'altered.ndjson');
    writeFileSync(
      altered,
      readFileSync(file, 'utf8').replace(/"bids":(\d+)/, (_, n) => `"bids":${Number(n) + 1}`),
    );
    const { exitCode, stdout } = await judge('--actual', altered);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('1 altered');
    expect(stdout).toContain('"columns":["bids"]');
  });

  test('records of a topic are judged by the values they hold', async () => {
    const file = await truthFile('for-records.ndjson');
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const records = join(directory, 'records.ndjson');
    const record = (line: string, offset: number) =>
      JSON.stringify({ partition: 0, offset, key: null, value: Buffer.from(line).toString('base64') });
    writeFileSync(records, `${lines.map(record).join('\n')}\n`);
    expect(await judge('--actual', records)).toMatchObject({ exitCode: 0 });
    expect(await judge('--actual', records, '--against', file)).toMatchObject({ exitCode: 0 });
    writeFileSync(records, `${lines.slice(1).map(record).join('\n')}\n`);
    expect(await judge('--actual', records)).toMatchObject({ exitCode: 1 });
  });

  test('an empty output agrees with nothing', async () => {
    const empty = join(directory, 'empty.ndjson');
    writeFileSync(empty, '');
    expect(await judge('--actual', empty)).toMatchObject({ exitCode: 1 });
    expect(await judge('--actual', empty, '--until', '0')).toMatchObject({ exitCode: 3 });
  });
});

describe('run', () => {
  const evidence = async (name: string) => {
    const out = join(directory, name);
    const ended = await tidemark(['run', '--engines', 'duckdb', '--data', data, '--out', out, '--json']);
    return { ...ended, out };
  };

  test('leaves evidence of the published forms, and twice the same verdicts', async () => {
    const first = await evidence('first');
    expect(first.exitCode).toBe(0);
    const summary = summarySchema.parse(JSON.parse(first.stdout));
    expect(summary).toMatchObject({
      verdict: 'agree',
      complete: true,
      counts: { agree: 19, diverge: 0, skipped: 0 },
    });
    expect(
      summarySchema.parse(JSON.parse(readFileSync(join(first.out, 'summary.json'), 'utf8'))),
    ).toMatchObject({ verdict: 'agree' });
    const manifest = (out: string) =>
      manifestSchema.parse(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')));
    const q12 = gunzipSync(
      readFileSync(join(first.out, 'queries', 'q12', 'duckdb.rows.ndjson.gz')),
    ).toString();
    expect(q12.trimEnd().split('\n')).toHaveLength(
      summary.queries.find(({ query }) => query === 'q12')!.truthRows!,
    );
    const second = await evidence('second');
    const { command: _, ...one } = manifest(first.out);
    const { command: __, ...two } = manifest(second.out);
    expect(two).toEqual(one);
    const verdicts = (text: string) =>
      summarySchema
        .parse(JSON.parse(text))
        .queries.map(({ query, verdict, truthRows }) => [query, verdict, truthRows]);
    expect(verdicts(second.stdout)).toEqual(verdicts(first.stdout));
  });

  test('an engine that is not made for the transport is skipped, and a skip does not pass', async () => {
    const out = join(directory, 'skipped');
    const { exitCode, stdout } = await tidemark([
      'run',
      '--engines',
      'duckdb',
      '--transport',
      'kafka',
      '--queries',
      'q0',
      '--events',
      '50',
      '--out',
      out,
    ]);
    expect(exitCode).toBe(3);
    expect(stdout).toContain('1 skipped');
  });
});

test('queries shows the SQL of a dialect', async () => {
  const { exitCode, stdout } = await tidemark(['queries', '--dialect', 'clink', '--query', 'hop']);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('HOP(');
});

test('engines list tells the state of each', async () => {
  const { exitCode, stdout } = await tidemark(['engines', 'list', '--json']);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ name: 'duckdb', kind: 'ready' }));
});

test.each([['--help'], ['run', '--help'], ['judge', '--help']])('%s %s exits 0', async (...args) => {
  expect(await tidemark(args)).toMatchObject({ exitCode: 0 });
});
