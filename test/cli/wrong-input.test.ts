import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queries } from '../../src/queries/index.ts';
import { tidemark } from '../support/tidemark.ts';

let directory: string;
let data: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  data = join(directory, 'data');
  const { exitCode } = await tidemark(['generate', '--seed', '1', '--events', '200', '--out', data]);
  expect(exitCode).toBe(0);
});
afterAll(() => rmSync(directory, { recursive: true }));

/** A copy of the dataset with one file changed. */
function changed(name: string, file: string, edit: (text: string) => string): string {
  const copy = mkdtempSync(join(directory, `${name}-`));
  for (const each of ['dataset.json', 'bid-0.ndjson', 'auction-0.ndjson', 'person-0.ndjson']) {
    const text = readFileSync(join(data, each), 'utf8');
    writeFileSync(join(copy, each), each === file ? edit(text) : text);
  }
  return copy;
}

/** A JSON file of a query like q12 but for the given change. */
function queryFile(name: string, change: object): string {
  const file = join(directory, `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...queries.get('q12'), ...change }));
  return file;
}

describe('wrong usage and input end in exit code 2 and a message one can act on', () => {
  test.each<[string, () => string[], RegExp[]]>([
    ['an unknown command', () => ['guess'], [/unknown command 'guess'/]],
    ['an unknown option', () => ['run', '--quick'], [/unknown option '--quick'/]],
    [
      'an unknown query',
      () => ['oracle', '--query', 'q99', '--data', data],
      [/no query q99; there are q0, q1/],
    ],
    ['an unknown query in a run', () => ['run', '--queries', 'q0,q99'], [/no query q99/]],
    ['an unknown set', () => ['run', '--set', 'all-of-it'], [/no set all-of-it; there are qualification/]],
    ['an unknown engine', () => ['run', '--engines', 'spark'], [/spark/, /duckdb, clink/]],
    [
      'an engine named twice',
      () => ['run', '--engines', 'duckdb,duckdb'],
      [/two engines go by the name duckdb/],
    ],
    [
      'an unknown profile',
      () => ['generate', '--seed', '1', '--events', '9', '--profile', 'odd', '--out', 'x'],
      [/nexmark, extremes/],
    ],
    [
      'a negative count',
      () => ['generate', '--seed', '1', '--events', '-5', '--out', 'x'],
      [/--events/, /at least 1/],
    ],
    ['a count that is no number', () => ['run', '--partitions', '1e3'], [/--partitions/, /whole number/]],
    ['a missing option', () => ['generate', '--events', '9', '--out', 'x'], [/--seed/]],
    [
      'a delivery without topics',
      () => ['run', '--delivery', 'exactly-once'],
      [/--delivery/, /over Kafka only/],
    ],
    ['options that exclude each other', () => ['run', '--data', data, '--seed', '3'], [/--data/, /--seed/]],
    [
      'a watermark that is none',
      () => ['oracle', '--query', 'q12', '--data', data, '--until', 'soon'],
      [/settled, drained, or epoch/],
    ],
    [
      'a directory that holds files',
      () => ['generate', '--seed', '1', '--events', '9', '--out', data],
      [/data: .*not empty/],
    ],
    [
      'a directory that cannot be written',
      () => ['generate', '--seed', '1', '--events', '9', '--out', join(data, 'dataset.json', 'x')],
      [/dataset\.json\/x/, /ENOTDIR/],
    ],
    [
      'a run directory that cannot be written',
      () => ['run', '--engines', 'duckdb', '--events', '9', '--out', join(data, 'dataset.json', 'x')],
      [/ENOTDIR/],
    ],
    [
      'a dataset that is not there',
      () => ['oracle', '--query', 'q12', '--data', join(directory, 'none')],
      [/none\/dataset\.json: .*ENOENT/],
    ],
    [
      'a file that is to be written and exists',
      () => ['oracle', '--query', 'q12', '--data', data, '--out', join(data, 'dataset.json')],
      [/the file exists already/],
    ],
    [
      'a malformed line of a dataset',
      () => [
        'oracle',
        '--query',
        'q12',
        '--data',
        changed('line', 'bid-0.ndjson', (text) => text.replace('"bidder":', 'bidder:')),
      ],
      [/bid-0\.ndjson:1: /],
    ],
    [
      'an ill-typed field of a dataset',
      () => [
        'oracle',
        '--query',
        'q12',
        '--data',
        changed('field', 'bid-0.ndjson', (text) => text.replace(/"price":\d+/, '"price":"dear"')),
      ],
      [/bid-0\.ndjson:1: .*price/],
    ],
    [
      'a dataset of a newer version',
      () => [
        'oracle',
        '--query',
        'q12',
        '--data',
        changed('newer', 'dataset.json', (text) => text.replace('"version": 1', '"version": 2')),
      ],
      [/dataset\.json: field version: version 2 is newer than this program reads/],
    ],
    [
      'a query file that is no JSON',
      () => ['queries', '--query', join(data, 'bid-0.ndjson.json')],
      [/ENOENT/],
    ],
    [
      'a plan with an untyped literal',
      () => [
        'queries',
        '--query',
        queryFile('untyped', {
          plan: { op: 'filter', input: { op: 'scan', stream: 'bid' }, where: { lit: 3 } },
        }),
      ],
      [/untyped\.json: field plan\.where/],
    ],
    [
      'a plan over an untyped column',
      () => [
        'oracle',
        '--query',
        'q12',
        '--data',
        changed('untyped', 'dataset.json', (text) => text.replace('"type": "BIGINT",', '')),
      ],
      [/dataset\.json: field streams\.0\.schema\.columns\.\d\.type: expected a type/],
    ],
    [
      'an order that is not total',
      () => [
        'queries',
        '--query',
        queryFile('ties', {
          plan: {
            op: 'rank',
            input: { op: 'scan', stream: 'bid' },
            partitionBy: ['bidder'],
            orderBy: [{ column: 'datetime', direction: 'desc' }],
            limit: 1,
          },
        }),
      ],
      [/plan\.orderBy: ties have no defined winner: add seq/],
    ],
    [
      'a query of a newer version',
      () => ['queries', '--query', queryFile('newer', { version: 7 })],
      [/newer\.json: field version: version 7 is newer/],
    ],
  ])('%s', async (_, args, messages) => {
    const { exitCode, stderr, stdout } = await tidemark(args());
    for (const message of messages) expect(stderr).toMatch(message);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
  });
});

test('no message shows a value of the data', async () => {
  const secret = 'TOP-SECRET';
  const copy = changed('secret', 'bid-0.ndjson', (text) =>
    text.replace(/"price":\d+/, `"price":"${secret}"`),
  );
  const { stderr } = await tidemark(['oracle', '--query', 'q12', '--data', copy]);
  expect(stderr).not.toContain(secret);
});

test('a missing Python leaves the queries not gated, and says what to do', async () => {
  const cache = mkdtempSync(join(directory, 'cache-'));
  const env = { TIDEMARK_PYTHON: join(directory, 'no-python'), TIDEMARK_CACHE: cache };
  const out = join(directory, 'run-without-python');
  const { exitCode, stdout, stderr } = await tidemark(
    ['run', '--engines', 'clink', '--queries', 'q0', '--events', '50', '--out', out],
    env,
  );
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/q0: clink: not-gated: install: .*Python/);
  const install = await tidemark(['engines', 'install', 'clink'], env);
  expect(install.exitCode).not.toBe(0);
  expect(install.stderr).toMatch(/Python/);
  expect(stderr).toContain('replay: tidemark run');
});
