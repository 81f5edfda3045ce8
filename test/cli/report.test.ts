import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { right, writeRun, wrong } from '../report/diverging-run.ts';
import { tidemark } from '../support/tidemark.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('report writes the page and the JUnit file of a run again, and prints the page’s path', async () => {
  const run = join(directory, 'run');
  await writeRun(run, { right, wrong });
  const { exitCode, stdout } = await tidemark(['report', run]);
  // A report of a divergence is no divergence.
  expect(exitCode).toBe(0);
  expect(stdout).toBe(join(run, 'report.html'));
  expect(readFileSync(stdout, 'utf8')).toMatch(/^<!doctype html>/);
  expect(readFileSync(join(run, 'junit.xml'), 'utf8')).toContain('message="16 lost"');
});

test('report of a directory that is no run’s names the file it lacks, and exits 2', async () => {
  const { exitCode, stdout, stderr } = await tidemark(['report', directory]);
  expect(exitCode).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(join(directory, 'manifest.json'));
});

test('report --help shows an example', async () => {
  expect((await tidemark(['report', '--help'])).stdout).toContain('tidemark report runs/');
});
