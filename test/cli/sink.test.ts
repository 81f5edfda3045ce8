import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa, execaSync } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sinkSummarySchema } from '../../src/sinks/conformance/sink-summary.ts';
import { openSession, type PostgresServer, startPostgres } from '../../src/sinks/postgres/index.ts';
import { startTidemark, tidemark } from '../support/tidemark.ts';

const { signal } = new AbortController();
const examples = new URL('../../examples/sinks/', import.meta.url).pathname;
const postgresSink = join(examples, 'postgres', 'tidemark.sink.ts');
const fileSink = join(examples, 'append-file', 'tidemark.sink.json');

let directory: string;
let server: PostgresServer;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  server = await startPostgres({ signal });
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true });
});

/** What of ours is on the server, and what was there before us. */
async function leftovers() {
  await using session = await openSession({ url: server.url, signal });
  return await session.query(
    `SELECT datname AS name FROM pg_database WHERE datname ~ '^tidemark_' UNION ALL
     SELECT slot_name FROM pg_replication_slots UNION ALL SELECT pubname FROM pg_publication`,
  );
}

/** A configuration as a user has it. */
function config(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

describe('the table', () => {
  test('of the PostgreSQL sink: rows and checkpoint in one write are effect-once', async () => {
    const args = [
      'sink',
      postgresSink,
      '--modes',
      'transaction,batch',
      '--histories',
      '2',
      '--url',
      server.url,
    ];
    const { stdout, stderr, exitCode } = await tidemark(args);
    expect(stderr).toContain('seed: 1');
    expect(stdout).toMatch(/^transaction +effect-once, dup = 0 +2 +\d+ +[1-9]\d* +0 +0 +agree$/m);
    expect(stdout).toMatch(/^batch +effect-once, dup = 0 +2 +\d+ +[1-9]\d* +0 +0 +agree$/m);
    expect(exitCode).toBe(0);
    expect(await leftovers()).toEqual([]);
  });

  test('of the file: at-least-once, with a duplicate that was provoked; as JSON and JUnit, twice the same', async () => {
    const junit = join(directory, 'junit.xml');
    const args = ['sink', fileSink, '--modes', 'library', '--histories', '2', '--url', server.url, '--json'];
    const first = await tidemark([...args, '--junit', junit]);
    expect(first.exitCode).toBe(0);
    const summary = sinkSummarySchema.parse(JSON.parse(first.stdout));
    expect(summary.modes).toMatchObject([{ mode: 'library', histories: 2, loss: 0, verdict: 'agree' }]);
    expect(summary.modes[0]!.dup).toBeGreaterThan(0);
    expect(readFileSync(junit, 'utf8')).toContain('<testcase classname="append-file" name="library"');
    const second = sinkSummarySchema.parse(JSON.parse((await tidemark(args)).stdout));
    const timeless = ({ modes }: typeof summary) => modes.map((mode) => ({ ...mode, seconds: 0 }));
    expect(timeless(second)).toEqual(timeless(summary));
  });

  test('without a server of the user’s, one of our own is started', async () => {
    const { stdout, exitCode } = await tidemark(['sink', fileSink, '--modes', 'library', '--histories', '1']);
    expect(stdout).toContain('source PostgreSQL 18');
    expect(exitCode).toBe(0);
  });
});

/** Root may be somebody else; whoever the tests run as is a plain user where it is not root. */
const NOBODY = { uid: 65_534, gid: 65_534 };
const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;

/** Whether nobody can get at the package: it may lie in somebody's home. */
function isReachable(): boolean {
  if (process.getuid?.() !== 0) return false;
  return !execaSync(process.execPath, ['--check', main], { ...NOBODY, cwd: '/', reject: false }).failed;
}

test.runIf(isReachable())('a user without privileges needs no more than root does', async () => {
  const home = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  chownSync(home, NOBODY.uid, NOBODY.gid);
  const args = [main, 'sink', fileSink, '--modes', 'library', '--histories', '1'];
  const { stdout, exitCode } = await execa(process.execPath, args, {
    ...NOBODY,
    cwd: home,
    env: { HOME: home, TMPDIR: home, NO_COLOR: '1' },
    reject: false,
    timeout: 120_000,
  });
  expect(stdout).toMatch(/^library .* agree$/m);
  expect(exitCode).toBe(0);
  expect(readdirSync(home).filter((name) => name.startsWith('tidemark'))).toEqual([]);
  rmSync(home, { recursive: true });
});

test('a sink that breaks its promise: exit 1, the case is kept, and the replay shows it again', async () => {
  // It claims a checkpoint of its own, and has none.
  const broken = config(
    'broken.mjs',
    `import { sink as file } from ${JSON.stringify(join(examples, 'append-file', 'append-file-sink.ts'))};
     export const sink = { ...file, name: 'broken', modes: ['transaction'], async prepare(setting) {
       const home = await file.prepare(setting);
       return { ...home, async open() {
         const sink = await home.open();
         let lsn;
         sink.checkpoint = async () => lsn;
         const take = sink.transaction.bind(sink);
         sink.transaction = async (given) => {
           const applied = await take(given);
           await setting.failPoint('before-checkpoint');
           lsn = applied.lsn;
           return applied;
         };
         return sink;
       } };
     } };
     export const config = { version: 1, sink };`,
  );
  const out = join(directory, 'out');
  const args = ['sink', broken, '--histories', '1', '--seed', '4', '--url', server.url];
  const env = { NODE_OPTIONS: '--import tsx' };
  const { stdout, stderr, exitCode } = await tidemark([...args, '--out', out], env);
  expect(stdout).toMatch(/halted \(1\): .*checkpoint-lost$/m);
  expect(exitCode).toBe(1);
  expect(readdirSync(out).sort()).toEqual([
    expect.stringMatching(/^case-transaction-\d+\.json$/),
    'summary.json',
  ]);
  const [, index] = /--modes transaction --seed 4 --case (\d+)/.exec(stderr) ?? [];
  expect(index).toBeDefined();
  const again = await tidemark([...args, '--modes', 'transaction', '--case', index!], env);
  expect(again.exitCode).toBe(1);
});

describe('what cannot be used is named, without a value', () => {
  const refused = async (args: readonly string[]) => {
    const { stderr, exitCode } = await tidemark(['sink', ...args]);
    return { stderr, exitCode };
  };

  test('a configuration: file, line and field, exit 2', async () => {
    const noSink = config('no-sink.json', '{"version": 1}');
    expect(await refused([noSink])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('field sink'),
    });
    const newer = config('newer.json', '{"version": 2, "sink": "./x.js"}');
    expect(await refused([newer])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('field version'),
    });
    const broken = config('broken.json', '{"version": 1\n"sink": 2}');
    expect(await refused([broken])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('broken.json:2'),
    });
    const gone = config('gone.json', '{"version": 1, "sink": "./gone.js"}');
    expect(await refused([gone])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('field sink'),
    });
    const modes = config(
      'modes.mjs',
      `export const config = { version: 1, sink: { name: 'x', modes: ['y'] } };`,
    );
    expect(await refused([modes])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('field sink.modes.0'),
    });
    expect(await refused([fileSink, '--modes', 'every'])).toMatchObject({ exitCode: 2 });
  });

  test('a server: one that is not there, and a URL that is none, whose password is not repeated', async () => {
    const gone = await refused([fileSink, '--url', 'postgres://me:hunter2@127.0.0.1:1/postgres']);
    expect(gone.exitCode).toBe(3);
    expect(gone.stderr).toContain('ECONNREFUSED');
    const none = await refused([fileSink, '--url', 'me:hunter2@nowhere']);
    expect(none.exitCode).toBe(2);
    for (const { stderr } of [gone, none]) expect(stderr).not.toContain('hunter2');
  });

  test('a server without a logical log, a user who may not replicate: exit 2', async () => {
    await using plain = await startPostgres({ settings: { wal_level: 'replica' }, signal });
    const level = await refused([fileSink, '--url', plain.url]);
    expect(level).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('wal_level') });
    await using session = await openSession({ url: server.url, signal });
    await session.query(`CREATE ROLE small LOGIN CREATEDB PASSWORD 'hunter2'`);
    const url = new URL(server.url);
    url.username = 'small';
    url.password = 'hunter2';
    const right = await refused([fileSink, '--url', url.href]);
    expect(right).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('REPLICATION') });
    expect(right.stderr).not.toContain('hunter2');
    expect(await leftovers()).toEqual([]);
  });

  test('a pipeline of the user’s: a publication that is missing, a slot of a hostile name', async () => {
    const pipeline = (text: string) =>
      config('pipeline.json', `{"version": 1, "sink": "${appendFile}", ${text}}`);
    const appendFile = join(examples, 'append-file', 'append-file-sink.ts');
    const missing = pipeline('"pipeline": {"publications": ["not_there"]}');
    expect(await refused([missing, '--url', server.url])).toMatchObject({ exitCode: 2 });
    const hostile = pipeline(`"pipeline": {"publications": ["p"], "slot": "x'; DROP TABLE t; --"}`);
    const { stderr, exitCode } = await refused([hostile, '--url', server.url]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('slot');
    expect(stderr).not.toContain('DROP');
  });
});

test('Ctrl-C: exit 130, and of ours nothing is left, of others everything', async () => {
  await using session = await openSession({ url: server.url, signal });
  await session.query('CREATE PUBLICATION theirs FOR ALL TABLES');
  await session.query(`SELECT pg_create_logical_replication_slot('their_slot', 'pgoutput')`);
  const args = ['sink', fileSink, '--histories', '200', '--url', server.url];
  const { process, said, ended } = startTidemark(args, {}, 60_000);
  await expect.poll(said, { timeout: 40_000 }).toMatch(/library/);
  process.kill('SIGINT');
  expect((await ended).exitCode).toBe(130);
  expect((await leftovers()).map(({ name }) => name).sort()).toEqual(['their_slot', 'theirs']);
  await session.query(`SELECT pg_drop_replication_slot('their_slot')`);
  await session.query('DROP PUBLICATION theirs');
});
