import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { execa, execaSync } from 'execa';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { openSession, startPostgres } from '../../../src/sinks/postgres/index.ts';
import { eventually, isRunning, signal } from './support.ts';

const directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
// Whoever the server runs as has to get there.
chmodSync(directory, 0o755);
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe('a server of ours', () => {
  test('writes a logical log, is not root, asks for its password, and leaves nothing', async () => {
    const server = await startPostgres({ directory, signal });
    const { pid } = server;
    if (pid === undefined) throw new Error('it has no process');
    expect(server.version).toMatch(/^18\./);
    if (process.platform === 'linux') expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    const [home] = readdirSync(directory);
    expect(statSync(join(directory, home!)).mode & 0o077).toBe(0);
    {
      await using session = await openSession({ url: server.url, signal });
      expect(await session.query('SHOW wal_level')).toEqual([{ wal_level: 'logical' }]);
      await session.query('CREATE TABLE t (secret text UNIQUE)');
      await session.query(`INSERT INTO t VALUES ('hunter2')`);
      const again = session.query(`INSERT INTO t VALUES ('hunter2')`, undefined, 'write again');
      await expect(again).rejects.toMatchObject({
        code: 'refused',
        sqlState: '23505',
        message: 'the server refused to write again (SQLSTATE 23505)',
      });
    }
    // Where the server's own message would have quoted the row.
    expect(readFileSync(join(directory, home!, 'log'), 'utf8')).not.toContain('hunter2');
    const stranger = new URL(server.url);
    stranger.password = 'guessed';
    await expect(openSession({ url: stranger.href, signal })).rejects.toMatchObject({
      code: 'unreachable',
      sqlState: '28P01',
    });
    await Promise.all([server.stop(), server.stop()]);
    expect(isRunning(pid)).toBe(false);
    expect(readdirSync(directory)).toEqual([]);
  });

  test.each(['SIGKILL', 'SIGINT'] as const)('ends when we end by %s', async (name) => {
    const program = join(import.meta.dirname, 'start-and-wait.ts');
    const child = execa(process.execPath, ['--import', 'tsx', program, directory], {
      reject: false,
      buffer: false,
    });
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('\n')) break;
    }
    const { pid } = JSON.parse(said);
    expect(isRunning(pid)).toBe(true);
    child.kill(name);
    await child;
    expect(await eventually(() => !isRunning(pid))).toBe(true);
    expect(await eventually(() => readdirSync(directory).every((home) => isEmpty(home)))).toBe(true);
    for (const home of readdirSync(directory)) rmSync(join(directory, home), { recursive: true });
  });

  test('that is told to end before it has started leaves nothing', async () => {
    const ending = new AbortController();
    const starting = startPostgres({ directory, signal: ending.signal });
    setTimeout(() => ending.abort(), 150);
    await expect(starting).rejects.toMatchObject({ code: 'aborted' });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('that cannot start says what it says, and leaves nothing', async () => {
    const starting = startPostgres({ directory, settings: { wal_level: 'nonsense' }, signal });
    await expect(starting).rejects.toMatchObject({
      code: 'start-failed',
      message: expect.stringContaining('wal_level'),
    });
    expect(readdirSync(directory)).toEqual([]);
  });
});

/** A server that is somebody else's may keep the directory itself when we are killed as root. */
function isEmpty(home: string): boolean {
  return readdirSync(join(directory, home)).length === 0;
}

describe('another PostgreSQL', () => {
  const installed = versionOnPath();

  test.skipIf(installed === undefined)('of the PATH is started like ours', async () => {
    await using server = await startPostgres({ binaries: 'path', directory, signal });
    expect(server.version).toBe(installed);
    await using session = await openSession({ url: server.url, signal });
    expect(await session.query('SELECT 1 AS one')).toEqual([{ one: '1' }]);
  });

  test('that is not there is said', async () => {
    const path = process.env.PATH ?? '';
    vi.stubEnv('PATH', withoutPostgres(path));
    const starting = startPostgres({ binaries: 'path', directory, signal });
    await expect(starting).rejects.toMatchObject({ code: 'not-installed' });
    vi.stubEnv('PATH', path);
    const named = startPostgres({ binaries: { directory: '/nowhere' }, directory, signal });
    await expect(named).rejects.toMatchObject({ code: 'not-installed' });
    expect(readdirSync(directory)).toEqual([]);
  });

  test('of the user, by its URL, is used and goes on when we stop', async () => {
    await using ours = await startPostgres({ directory, signal });
    const server = await startPostgres({ url: ours.url, signal });
    expect(server).toMatchObject({ pid: undefined, url: ours.url, version: ours.version });
    await server.stop();
    await using session = await openSession({ url: ours.url, signal });
    expect(await session.query('SELECT 1 AS one')).toEqual([{ one: '1' }]);
  });

  test('that nobody answers for, or whose URL is none, is said without its password', async () => {
    const url = 'postgres://user:hunter2@127.0.0.1:1/postgres';
    await expect(startPostgres({ url, signal })).rejects.toMatchObject({
      code: 'unreachable',
      message: 'the server does not answer: ECONNREFUSED',
    });
    await expect(startPostgres({ url: 'postgres://a:hunter2@[', signal })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.not.stringContaining('hunter2'),
    });
  });
});

/** The version of the PostgreSQL on the PATH, if there is one. */
function versionOnPath(): string | undefined {
  const { stdout } = execaSync('postgres', ['--version'], { reject: false });
  return /\(PostgreSQL\) (\d+(?:\.\d+)*)/.exec(`${stdout}`)?.[1];
}

function withoutPostgres(path: string): string {
  const has = (directory: string) => existsSync(join(directory, 'postgres'));
  return path
    .split(delimiter)
    .filter((directory) => !has(directory))
    .join(delimiter);
}
