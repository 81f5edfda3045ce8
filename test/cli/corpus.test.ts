import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingFile } from '../campaign/findings.ts';
import { tidemark } from '../support/tidemark.ts';

describe('tidemark corpus', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidemark-corpus-cli-'));
    const file = findingFile();
    file.signature.engine = 'duckdb';
    mkdirSync(join(directory, 'mine'));
    writeFileSync(join(directory, 'mine', `${file.name}.json`), JSON.stringify(file));
    mkdirSync(join(directory, 'bad'));
    writeFileSync(join(directory, 'bad', 'x.json'), '{"version":2}');
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  it('lists the findings that come with tidemark', async () => {
    const { exitCode, stdout } = await tidemark(['corpus', 'list', '--json']);
    expect(exitCode).toBe(0);
    const { sha256, findings } = JSON.parse(stdout);
    expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(findings).toContainEqual(
      expect.objectContaining({
        name: 'clink-char-length-in-bytes',
        signature: expect.objectContaining({ engine: 'clink', versions: '0.12.2', kind: 'altered' }),
      }),
    );
  });

  it('exits with 1 where a finding no longer fails', async () => {
    const { exitCode, stdout } = await tidemark(['corpus', 'replay', '--corpus', join(directory, 'mine')]);
    expect(stdout).toMatch(/^great-values +duckdb \S+ +no longer fails$/m);
    expect(stdout).toContain('0 still fail, 1 no longer fail, 0 differ, 0 not gated, 0 skipped');
    expect(exitCode).toBe(1);
  });

  it('skips what is not here for all to see, and exits with 3 where nothing was replayed', async () => {
    const { exitCode, stdout } = await tidemark(['corpus', 'replay', '--json'], {
      TIDEMARK_CACHE: join(directory, 'empty'),
      TIDEMARK_PYTHON: '/nowhere/python',
    });
    const all = JSON.parse(stdout) as { kind: string; reason: string }[];
    expect(all.length).toBeGreaterThan(10);
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['skipped']));
    expect(all[0]!.reason).toContain('clink');
    expect(exitCode).toBe(3);
  });

  it.each([
    ['a finding that is not there', ['replay', 'nothing'], 'no finding nothing; there are clink-'],
    ['an engine that is not there', ['replay', '--engines', 'nothing'], 'unknown engine "nothing"'],
    [
      'a directory that is not there',
      ['list', '--corpus', '/nowhere'],
      '/nowhere: cannot read the directory',
    ],
  ])('refuses %s', async (_, args, message) => {
    const { exitCode, stderr } = await tidemark(['corpus', ...args]);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('refuses a file of a newer version by its place', async () => {
    const { exitCode, stderr } = await tidemark(['corpus', 'list', '--corpus', join(directory, 'bad')]);
    expect(stderr).toContain(`${join(directory, 'bad', 'x.json')}: field version: version 2 is newer`);
    expect(exitCode).toBe(2);
  });
});
