import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fuzzSummarySchema } from '../../src/campaign/fuzz/summary.ts';
import { tidemark } from '../support/tidemark.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function fuzz(name: string, ...args: string[]) {
  const out = join(directory, name);
  const { exitCode, stdout, stderr } = await tidemark(['fuzz', '--json', '--out', out, ...args]);
  const summary = stdout === '' ? undefined : fuzzSummarySchema.parse(JSON.parse(stdout));
  return { exitCode, stderr, summary, out };
}

describe('tidemark fuzz', () => {
  test('exits with 0 where the property held', async () => {
    const { exitCode, summary } = await fuzz(
      'healthy',
      ...['--engines', 'specimen', '--cases', '1500', '--property', 'agrees-with-truth'],
    );
    expect(summary).toMatchObject({ verdict: 'agree', failures: [], cases: 1500 });
    expect(exitCode).toBe(0);
  });

  test('exits with 3 where too few cases were run', async () => {
    const { exitCode, summary } = await fuzz('few', '--engines', 'specimen', '--cases', '20');
    expect(summary!.verdict).toBe('inconclusive');
    expect(exitCode).toBe(3);
  });

  test('keeps a repro of what fails, which replays by itself, and passes where the fault is not', async () => {
    const { exitCode, summary, stderr, out } = await fuzz(
      'faulty',
      ...['--engines', 'specimen@division-floors', '--cases', '300', '--profile', 'arithmetic'],
    );
    expect(exitCode).toBe(1);
    expect(summary!.verdict).toBe('diverge');
    const [failure] = summary!.failures;
    expect(readdirSync(out).sort()).toEqual(
      ['fuzz.json', ...summary!.failures.map(({ repro }) => repro)].sort(),
    );
    const file = join(out, failure!.repro);
    expect(stderr).toContain('seed: 1\n');
    expect(stderr).toContain(`replay: tidemark replay ${file}`);

    const again = await tidemark(['replay', file, '--times', '5'], { COLUMNS: '140' });
    expect(again.exitCode).toBe(1);
    expect(again.stdout).toMatch(/5 of 5 runs fail/);
    expect(again.stdout).toContain(failure!.signature);
    const healthy = await tidemark(['replay', file, '--engine', 'specimen']);
    expect(healthy.exitCode).toBe(0);
    expect(healthy.stdout).toMatch(/0 of 1 runs fail/);
  });

  test.each([
    [
      'a property that is none',
      ['--property', 'is-right'],
      /no property is-right; there are agrees-with-truth/,
    ],
    ['a profile that is none', ['--profile', 'odd'], /no profile odd; there are everyday/],
    ['a shard beyond the last', ['--shard', '3/2'], /expected a shard like 1\/8/],
    ['a time that is none', ['--for', '10'], /expected a time like 30s, 10m or 2h/],
    ['both cases and a time', ['--cases', '1', '--for', '1s'], /cannot be used with/],
  ])('refuses %s', async (_, args, message) => {
    const { exitCode, stderr } = await tidemark(['fuzz', '--engines', 'specimen', ...args]);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('refuses an engine that reads no files, and a directory that holds some', async () => {
    const deaf = await tidemark(['fuzz', '--engines', 'flink', '--cases', '1']);
    expect(deaf).toMatchObject({ exitCode: 2 });
    expect(deaf.stderr).toMatch(/--engines.*flink reads no files/s);
    writeFileSync(join(directory, 'mine'), '');
    const full = await tidemark(['fuzz', '--engines', 'specimen', '--cases', '1', '--out', directory]);
    expect(full).toMatchObject({ exitCode: 2 });
  });
});

describe('tidemark replay', () => {
  test('names file and field of what is no repro', async () => {
    const { out, summary } = await fuzz(
      'broken',
      ...['--engines', 'specimen@else-lost', '--cases', '300', '--profile', 'nulls'],
    );
    const file = join(out, summary!.failures[0]!.repro);
    const repro = JSON.parse(readFileSync(file, 'utf8'));
    const broken = join(directory, 'broken.json');
    writeFileSync(broken, JSON.stringify({ ...repro, property: 'is-right' }));
    expect(await tidemark(['replay', broken])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/field property: there is no property is-right/),
    });
    delete repro.case.query.plan;
    writeFileSync(broken, JSON.stringify(repro));
    expect(await tidemark(['replay', broken])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/broken\.json.*field case\.query\.plan/),
    });
  });
});
