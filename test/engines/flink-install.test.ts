import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { flink } from '../../src/engines/flink/engine.ts';
import { findJava } from '../../src/engines/flink/java.ts';
import { never, temporaryDirectory } from './cases.ts';

const directory = temporaryDirectory();
afterAll(() => {
  vi.unstubAllEnvs();
  directory.remove();
});

let tools: string;
let cache: string;
let number = 0;

/** A program of that name that does this. */
function tool(name: string, body: string): void {
  writeFileSync(join(tools, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
}

const install = (lines: string[] = [], variant?: string) =>
  flink.install({ variant, onProgress: (line) => lines.push(line), signal: never });

beforeEach(() => {
  number += 1;
  tools = join(directory.path, `tools-${number}`);
  cache = join(directory.path, `cache-${number}`);
  mkdirSync(tools);
  tool('java', 'echo \'openjdk version "17.0.1"\' >&2');
  tool('python3', 'exit 0');
  tool('mvn', 'exit 0');
  vi.stubEnv('TIDEMARK_CACHE', cache);
  vi.stubEnv('JAVA_HOME', '');
  vi.stubEnv('TIDEMARK_PYTHON', '');
  vi.stubEnv('PATH', tools);
});

describe('having flink', () => {
  it.each([
    ['java', 'flink needs Java 17 or newer'],
    ['python3', 'flink is installed by pip'],
    ['mvn', 'flink is installed by Maven'],
  ])('says what to do where there is no %s', async (missing, message) => {
    rmSync(join(tools, missing));
    await expect(install()).rejects.toThrow(message);
    expect(await flink.status()).toEqual({ kind: 'unavailable', reason: expect.stringContaining(message) });
  });

  it('can be installed where all tools are', async () => {
    expect(await flink.status()).toEqual({ kind: 'installable', version: '2.2.1' });
    expect(await flink.status('1.20')).toEqual({ kind: 'installable', version: '1.20.3' });
  });

  it('says that Java is too old', async () => {
    mkdirSync(join(tools, 'bin'));
    tool('bin/java', 'echo \'openjdk version "11.0.2"\' >&2');
    vi.stubEnv('JAVA_HOME', tools);
    await expect(findJava()).rejects.toThrow(/flink needs Java 17 or newer and .* is 11/);
  });

  it.each([
    ['flink', undefined],
    ['flink@1.20', '1.20'],
    ['flink@1.20', '1.20.3'],
  ])('says what to do when %s is not installed', async (name, variant) => {
    const open = flink.open({ directory: directory.path, variant, signal: never });
    await expect(open).rejects.toMatchObject({
      name: 'EngineError',
      code: 'not-installed',
      message: `${name} is not installed: run \`tidemark engines install ${name}\``,
    });
  });

  it('refuses another version', async () => {
    const refusal = 'flink 1.9 is not supported: there is flink@2.2, flink@1.20';
    const open = flink.open({ directory: directory.path, variant: '1.9', signal: never });
    await expect(open).rejects.toThrow(refusal);
    await expect(install([], '1.9')).rejects.toThrow(refusal);
    await expect(flink.status('1.9')).rejects.toThrow(refusal);
  });
});

describe('installing flink', () => {
  beforeEach(() => {
    vi.stubEnv('PATH', `${tools}:/usr/bin:/bin`);
  });

  it('shows the last lines of a step that failed, without addresses, and leaves nothing', async () => {
    tool('python3', 'case "$*" in *--version*) exit 0;; esac; echo no way to https://host.example/x; exit 1');
    const lines: string[] = [];
    await expect(install(lines)).rejects.toThrow(/^pip download failed\n {2}no way to <url>$/);
    expect(lines).toEqual([
      'flink: downloading apache-flink-libraries 2.2.1 by pip (about 313 MB, which takes minutes)',
    ]);
    expect(readdirSync(join(cache, 'flink'))).toEqual([]);
  });

  it('refuses an archive that is not the pinned one', async () => {
    // The last argument is where the archive goes.
    tool(
      'python3',
      'case "$*" in *--version*) exit 0;; esac; for to; do :; done; mkdir "$to"; echo other > "$to/a.tar.gz"',
    );
    await expect(install()).rejects.toMatchObject({
      name: 'EngineError',
      code: 'install-failed',
      message: expect.stringMatching(
        /^apache-flink-libraries==2\.2\.1 is not the one that is pinned: its SHA-256 is [0-9a-f]{64}$/,
      ),
    });
    expect(readdirSync(join(cache, 'flink'))).toEqual([]);
  });

  it('gives pip the hash that the archive must have', async () => {
    tool(
      'python3',
      'case "$*" in *--version*) exit 0;; esac; while [ "$1" != --requirement ]; do shift; done; cat "$2"; exit 1',
    );
    await expect(install()).rejects.toThrow(/apache-flink-libraries==2\.2\.1 --hash=sha256:[0-9a-f]{64}$/);
    await expect(install([], '1.20')).rejects.toThrow(
      /apache-flink-libraries==1\.20\.3 --hash=sha256:[0-9a-f]{64}$/,
    );
  });

  it('ends when it is told to', async () => {
    tool('python3', 'case "$*" in *--version*) exit 0;; esac; exec sleep 60');
    const abort = new AbortController();
    const installing = flink.install({ onProgress: () => abort.abort(), signal: abort.signal });
    await expect(installing).rejects.toThrow('the installation was ended');
    expect(readdirSync(join(cache, 'flink'))).toEqual([]);
  });

  it('removes what an installation that was killed left behind', async () => {
    tool('python3', 'case "$*" in *--version*) exit 0;; esac; exit 1');
    mkdirSync(join(cache, 'flink', '.incoming-4194305-x'), { recursive: true });
    await expect(install()).rejects.toThrow('pip download failed');
    expect(readdirSync(join(cache, 'flink'))).toEqual([]);
  });
});
