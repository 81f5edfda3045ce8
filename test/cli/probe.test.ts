import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tidemark } from '../support/tidemark.ts';

/** Scans, filters and projects, and says so. */
const example = fileURLToPath(new URL('../../examples/command-engine/engine.json', import.meta.url));

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

test('an engine that is as it declares', async () => {
  const { exitCode, stdout, stderr } = await tidemark(['engines', 'probe', 'duckdb']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toMatch(/^trait +declared +measured +how it was seen\nmode +batch +batch +of late rows/);
});

test('an engine whose traits cannot all be measured', async () => {
  const { exitCode, stdout, stderr } = await tidemark(['engines', 'probe', `command@${example}`, '--json']);
  expect(exitCode).toBe(3);
  expect(stderr).toContain('mode was not measured: the engine does not run the case: the operator aggregate');
  const { traits } = JSON.parse(stdout) as { traits: { trait: string; verdict: string }[] };
  expect(traits.filter(({ verdict }) => verdict === 'as-declared').map(({ trait }) => trait)).toEqual([
    'values.integerOverflow',
    'values.stringUnit',
    'stops',
    'transports',
  ]);
});

test('an engine that is not as it declares', async () => {
  const honest = readFileSync(join(example, '../engine.py'), 'utf8');
  writeFileSync(join(directory, 'engine.py'), honest.replace('"widens"', '"wraps"'));
  writeFileSync(join(directory, 'engine.json'), readFileSync(example));
  const name = `command@${join(directory, 'engine.json')}`;
  const { exitCode, stderr } = await tidemark(['engines', 'probe', name]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('values.integerOverflow differs: declared wraps, measured widens\n');
});

test('an engine over a transport that it does not read', async () => {
  const { exitCode, stderr } = await tidemark(['engines', 'probe', 'duckdb', '--transport', 'kafka']);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('duckdb does not read kafka'),
  });
});
