import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import seedrandom from 'seedrandom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Summary, summarySchema } from '../../src/campaign/summary.ts';
import { startTidemark, tidemark } from '../support/tidemark.ts';

const LIMIT_MS = 60_000;
/** Twenty are within a few minutes; a quiet machine needs five seconds for each. */
const KILLS = Number(process.env.TIDEMARK_KILLS ?? 6);

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

const summaryIn = (path: string): Summary =>
  summarySchema.parse(JSON.parse(readFileSync(join(path, 'summary.json'), 'utf8')));

/** What a run found, without how long it took. */
function findings({ verdict, complete, counts, queries }: Summary) {
  return {
    verdict,
    complete,
    counts,
    queries: queries.map((query) => ({
      ...query,
      seconds: 0,
      engines: query.engines.map((engine) => ({ ...engine, seconds: 0, cpuSeconds: 0 })),
    })),
  };
}

const QUERIES = ['q0', 'q1', 'q2', 'q12', 'q11', 'q7', 'hop', 'q18'];
const ask = ['--engines', 'duckdb', '--queries', QUERIES.join(), '--events', '4000', '--seed', '7'];

describe('a run that was killed', () => {
  test(`at any of ${KILLS} moments is resumed to the verdicts of one that was not`, {
    timeout: KILLS * 30_000,
  }, async () => {
    const whole = join(directory, 'whole');
    const started = performance.now();
    expect(await tidemark(['run', ...ask, '--out', whole])).toMatchObject({ exitCode: 0 });
    const wholeMs = performance.now() - started;
    const expected = findings(summaryIn(whole));
    const random = seedrandom.alea('moments');
    const reached = new Set<string>();
    for (let kill = 0; kill < KILLS; kill++) {
      const out = join(directory, `killed-${kill}`);
      const run = startTidemark(['run', ...ask, '--out', out], {}, LIMIT_MS);
      // Before its first file there is nothing to resume.
      while (!existsSync(join(out, 'request.json'))) await sleep(5);
      // Spread over the run by what it has done: by time alone, on a busy machine, all may come at one point.
      const after = Math.floor((kill * (QUERIES.length - 1)) / KILLS);
      while (queriesDone(out) < after) await sleep(5);
      if (after > 0) await sleep((random() * wholeMs) / QUERIES.length);
      run.process.kill('SIGKILL');
      await run.ended;
      reached.add(stateOf(out));

      const { exitCode, stderr } = await tidemark(['run', '--resume', out]);
      expect(exitCode, stderr).toBe(0);
      expect(findings(summaryIn(out))).toEqual(expected);
      expect(readdirSync(out)).not.toContain('lock');
    }
    // They were not all killed at the same point.
    expect([...reached]).toEqual(expect.arrayContaining(['some queries run']));
    expect(reached.size).toBeGreaterThan(1);
  });

  function queriesDone(out: string): number {
    return existsSync(join(out, 'summary.json')) ? summaryIn(out).queries.length : 0;
  }

  function stateOf(out: string): string {
    if (!existsSync(join(out, 'manifest.json'))) return 'no manifest';
    if (!existsSync(join(out, 'summary.json'))) return 'no query run';
    return summaryIn(out).complete ? 'all queries run' : 'some queries run';
  }
});

describe('a run is not resumed', () => {
  let out: string;
  beforeAll(async () => {
    out = join(directory, 'done');
    await tidemark(['run', '--engines', 'duckdb', '--queries', 'q0', '--events', '200', '--out', out]);
  });

  test('where there is none', async () => {
    const { exitCode, stderr } = await tidemark(['run', '--resume', join(directory, 'nowhere')]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/nowhere\/request\.json: cannot read \(ENOENT\)/);
  });

  test('beside one that is at work there', async () => {
    writeFileSync(join(out, 'lock'), String(process.pid));
    const { exitCode, stderr } = await tidemark(['run', '--resume', out]);
    rmSync(join(out, 'lock'));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`a run is at work here, process ${process.pid}`);
  });

  test('with options that it was given at first', async () => {
    const { exitCode, stderr } = await tidemark(['run', '--resume', out, '--events', '5']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("option '--resume <dir>' cannot be used with option '--events <n>'");
  });

  test.each<
    [string, (manifest: { dataset: { sha256: string }; queries: { declarationSha256: string }[] }) => void]
  >([
    ['dataset', (manifest) => (manifest.dataset.sha256 = '0'.repeat(64))],
    ['queries', (manifest) => (manifest.queries[0]!.declarationSha256 = '0'.repeat(64))],
  ])('where its manifest was edited: %s', async (field, edit) => {
    const file = join(out, 'manifest.json');
    const before = readFileSync(file, 'utf8');
    const manifest = JSON.parse(before);
    edit(manifest);
    writeFileSync(file, JSON.stringify(manifest));
    const { exitCode, stderr } = await tidemark(['run', '--resume', out]);
    writeFileSync(file, before);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`manifest.json: field ${field}: is not what the run would now be`);
    // What it had found is still there.
    expect(summaryIn(out)).toMatchObject({ verdict: 'agree', complete: true });
  });

  test('nor another started in its directory', async () => {
    const { exitCode, stderr } = await tidemark([
      'run',
      '--engines',
      'duckdb',
      '--queries',
      'q0',
      '--out',
      out,
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('the directory is not empty');
    expect(summaryIn(out)).toMatchObject({ verdict: 'agree' });
  });
});
