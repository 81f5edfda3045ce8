import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateNexmark } from '../../generators/nexmark/index.ts';
import { clink } from '../../src/engines/clink/engine.ts';
import { installation } from '../../src/engines/clink/install.ts';
import { type ClinkSession, openClink } from '../../src/engines/clink/session.ts';
import { call, count, from, hop, max, sum } from '../../src/model/build.ts';
import { checkQuery } from '../../src/model/query.ts';
import { queries } from '../../src/queries/index.ts';
import {
  answer,
  bytesOf,
  captureOf,
  caseOf,
  clinkRuns,
  clinkTitle,
  dataset,
  never,
  temporaryDirectory,
} from './cases.ts';

const directory = temporaryDirectory();
afterAll(directory.remove);
afterEach(() => {
  vi.unstubAllEnvs();
});

const everything = from('click').select('k', 'at', 'v', 'seq');
const few = dataset([['a', 1, 1]]);

describe.skipIf(!clinkRuns)(`a session of ${clinkTitle}`, () => {
  let opened: ClinkSession;
  beforeAll(async () => {
    opened = await openClink({
      directory: directory.path,
      python: installation().python,
      variant: { kind: 'release' },
      signal: never,
      limitMs: 60_000,
    });
  });
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]();
  });

  it('answers every declared query', async () => {
    const nexmark = generateNexmark({ seed: 'clink', events: 500 });
    const streams = nexmark.streams.map(({ schema }) => schema);
    for (const definition of queries.values()) {
      const query = checkQuery(definition, streams);
      const outcome = await opened.run(
        { query, dataset: nexmark, schedule: { parallelism: 1, stop: 'drain' } },
        never,
      );
      const materialised = definition.declaration.class === 'materialised';
      expect(captureOf(outcome).format).toBe(materialised ? 'changelog' : 'rows');
    }
  });

  it('writes one JSON line a row, int64 as digits', async () => {
    const capture = captureOf(
      await opened.run(caseOf(everything, dataset([['a', -1, 2n ** 53n + 1n]])), never),
    );
    expect((await bytesOf(capture)).toString()).toBe('{"k":"a","at":-1,"v":9007199254740993,"seq":0}\n');
  });

  it('writes a changelog as ops and rows', async () => {
    const plan = from('click').aggregate(['k'], { n: count(), total: sum('v') });
    const capture = captureOf(await opened.run(caseOf(plan, few), never));
    expect((await bytesOf(capture)).toString()).toBe('{"op":"+I","row":{"k":"a","n":1,"total":1}}\n');
  });

  it('knows the keys of a join by their names once they are grouped', async () => {
    const plan = from('click')
      .join(from('sale'), { k: 'item' })
      .aggregate(['k'], { most: max('price') })
      .project({ k: 'k', twice: call('add', 'most', 'most') });
    const data = dataset(
      [['a', 1]],
      [
        ['a', 1, 5],
        ['a', 2, 3],
      ],
    );
    expect(await answer(opened, plan, data)).toEqual([['a', 10]]);
  });

  it('tells how long it took', async () => {
    const outcome = await opened.run(caseOf(everything, few), never);
    if (outcome.kind !== 'output') throw new Error('no output');
    expect(outcome.evidence.seconds).toBeGreaterThan(0);
    expect(outcome.evidence.cpuSeconds).toBeGreaterThan(0);
  });

  it.each(['settle-cancel', 'cancel', 'kill'] as const)('has no stop %s over files', async (stop) => {
    const testCase = { ...caseOf(everything, few), schedule: { parallelism: 1, stop } };
    expect(await opened.run(testCase, never)).toMatchObject({ kind: 'unsupported' });
  });

  it('has no parallelism over files', async () => {
    const testCase = { ...caseOf(everything, few), schedule: { parallelism: 2, stop: 'drain' as const } };
    expect(await opened.run(testCase, never)).toEqual({
      kind: 'unsupported',
      reason: 'every subtask of a file source reads the whole file: parallelism 1 only',
    });
  });

  it('reports SQL that the engine refuses, in its own words', async () => {
    const { query } = caseOf(from('sale').select('item'), few);
    const withoutSales = { ...few, streams: few.streams.slice(0, 1) };
    const outcome = await opened.run(
      { query, dataset: withoutSales, schedule: { parallelism: 1, stop: 'drain' } },
      never,
    );
    expect(outcome).toMatchObject({
      kind: 'failed',
      step: 'submit',
      code: 'engine-refused',
      message: expect.stringContaining('sale'),
    });
    expect(await answer(opened, everything, few)).toEqual([['a', 1, 1, 0]]);
  });

  it('kills the process of a run that is aborted, and starts another for the next', async () => {
    const pid = opened.pid!;
    const many = dataset(Array.from({ length: 100_000 }, (_, seq) => ['a', seq, 1] as const));
    const plan = from('click').window(hop(10_000, 1)).perWindow(['k'], { n: count() });
    const abort = new AbortController();
    const running = opened.run(caseOf(plan, many), abort.signal);
    setTimeout(() => abort.abort(), 1_500);
    expect(await running).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'aborted',
      message: 'the run was aborted',
    });
    expect(isRunning(pid)).toBe(false);
    expect(await answer(opened, everything, few)).toEqual([['a', 1, 1, 0]]);
    expect(opened.pid).not.toBe(pid);
  });

  it('reports a crash, and starts another process for the next case', async () => {
    const pid = opened.pid!;
    const many = dataset(Array.from({ length: 100_000 }, (_, seq) => ['a', seq, 1] as const));
    const plan = from('click').window(hop(10_000, 1)).perWindow(['k'], { n: count() });
    const running = opened.run(caseOf(plan, many), never);
    setTimeout(() => process.kill(pid, 'SIGKILL'), 1_500);
    expect(await running).toMatchObject({ kind: 'failed', step: 'run', code: 'engine-crashed' });
    expect(await answer(opened, everything, few)).toEqual([['a', 1, 1, 0]]);
  });

  it('starts another process when the one between two cases died', async () => {
    const pid = opened.pid!;
    process.kill(pid, 'SIGKILL');
    await vi.waitUntil(() => !isRunning(pid));
    expect(await answer(opened, everything, few)).toEqual([['a', 1, 1, 0]]);
  });

  it('ends a case at its time limit', async () => {
    const hasty = await openClink({
      directory: join(directory.path, 'hasty'),
      python: installation().python,
      variant: { kind: 'release' },
      signal: never,
      limitMs: 50,
    });
    const pid = hasty.pid!;
    expect(await hasty.run(caseOf(everything, few), never)).toEqual({
      kind: 'failed',
      step: 'run',
      code: 'timeout',
      message: 'the case was still running after 0.05 s',
    });
    expect(isRunning(pid)).toBe(false);
    await hasty[Symbol.asyncDispose]();
  });

  it('runs a library that is given by its path, and tells its hash', async () => {
    const library = await libraryOfRelease();
    await using local = await clink.open({
      directory: join(directory.path, 'local'),
      variant: library,
      signal: never,
    });
    expect(local.name).toBe('clink 0.12.2 (local build)');
    expect(local.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(await answer(local, everything, few)).toEqual([['a', 1, 1, 0]]);
  });

  it('does not start on a file that is no library, and leaves no process', async () => {
    const path = join(mkdtempSync(join(directory.path, 'bad-')), 'libclink.so');
    writeFileSync(path, 'no library');
    const open = clink.open({ directory: join(directory.path, 'bad'), variant: path, signal: never });
    await expect(open).rejects.toMatchObject({ name: 'EngineError', code: 'start-failed' });
  });

  it('ends by itself when whoever started it is gone, also within a case', async () => {
    const program = fileURLToPath(new URL('../../src/engines/clink/runner.py', import.meta.url));
    const child = execa(installation().python, ['-I', program, ''], { buffer: false, reject: false });
    const said = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    expect(JSON.parse((await said.next()).value)).toEqual({ ready: '0.12.2' });
    const endless = { parallelism: 1, table: 'out', changelog: false, limit_ms: 60_000, output: '/dev/null' };
    // No INSERT feeds the table, so that the collected stream never ends.
    const statements = ["CREATE TABLE out (v BIGINT) WITH (connector='collect', format='json');"];
    child.stdin.write(`${JSON.stringify({ ...endless, statements })}\n`);
    setTimeout(() => child.stdin.end(), 300);
    expect(await child).toMatchObject({ exitCode: 0 });
  });

  it('leaves no process behind', async () => {
    const session = await clink.open({ directory: join(directory.path, 'last'), signal: never });
    const { pid } = session as ClinkSession;
    expect(isRunning(pid!)).toBe(true);
    await session[Symbol.asyncDispose]();
    expect(isRunning(pid!)).toBe(false);
  });
});

describe('having Clink', () => {
  it('says what to do when it is not installed', async () => {
    vi.stubEnv('TIDEMARK_CACHE', join(directory.path, 'empty'));
    const open = clink.open({ directory: directory.path, signal: never });
    await expect(open).rejects.toMatchObject({
      name: 'EngineError',
      code: 'not-installed',
      message: 'clink is not installed: run `tidemark engines install clink`',
    });
  });

  it('says what is missing when there is no Python', async () => {
    vi.stubEnv('TIDEMARK_CACHE', join(directory.path, 'empty'));
    vi.stubEnv('TIDEMARK_PYTHON', join(directory.path, 'nowhere'));
    const install = clink.install({ onProgress: () => {}, signal: never });
    await expect(install).rejects.toMatchObject({ name: 'EngineError', code: 'missing-python' });
    expect(await clink.status()).toMatchObject({ kind: 'unavailable' });
  });

  it('says that Python is too old', async () => {
    vi.stubEnv('TIDEMARK_CACHE', join(directory.path, 'empty'));
    const old = join(directory.path, 'old-python');
    writeFileSync(old, '#!/bin/sh\necho 3 8\n', { mode: 0o755 });
    vi.stubEnv('TIDEMARK_PYTHON', old);
    await expect(clink.install({ onProgress: () => {}, signal: never })).rejects.toThrow(
      /is 3\.8: set TIDEMARK_PYTHON/,
    );
  });

  it('shows the last lines of a step that failed', async () => {
    vi.stubEnv('TIDEMARK_CACHE', join(directory.path, 'broken'));
    const broken = join(directory.path, 'broken-python');
    writeFileSync(
      broken,
      '#!/bin/sh\n[ "$1" = -c ] && echo 3 11 && exit\necho no venv at https://host.example/x; exit 1\n',
      {
        mode: 0o755,
      },
    );
    vi.stubEnv('TIDEMARK_PYTHON', broken);
    const lines: string[] = [];
    const install = clink.install({ onProgress: (line) => lines.push(line), signal: never });
    await expect(install).rejects.toThrow(/^python -m venv .*failed\n {2}no venv at <url>$/);
    expect(lines).toEqual(['clink: making a Python environment']);
  });

  it.each(['0.11.0', '1'])('names the version it has for %s', async (variant) => {
    const open = clink.open({ directory: directory.path, variant, signal: never });
    await expect(open).rejects.toThrow(/there is 0\.12\.2, or clink@PATH/);
  });

  it.each(['nowhere', '.'])('refuses the path %s, where there is no library', async (name) => {
    const variant = join(directory.path, name);
    const open = clink.open({ directory: directory.path, variant, signal: never });
    await expect(open).rejects.toMatchObject({ name: 'EngineError', code: 'bad-variant' });
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The directory of the library that the installed release holds. */
async function libraryOfRelease(): Promise<string> {
  const code = 'import importlib.util as u; print(u.find_spec("pyclink").submodule_search_locations[0])';
  return (await execa(installation().python, ['-c', code])).stdout;
}
