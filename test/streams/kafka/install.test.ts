import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cacheDirectory } from '../../../src/streams/cache.ts';
import { brokerClassPath, kafkaBroker } from '../../../src/streams/kafka/install.ts';
import { kafkaRuns, temporaryDirectory } from './support.ts';

const { signal } = new AbortController();

/** The jars of the machine's own installation, for a Maven that is none. */
const jars = kafkaRuns ? (await brokerClassPath()).replace(/\*$/, '') : '';

describe('the installation of the broker', () => {
  let directory: ReturnType<typeof temporaryDirectory>;
  const lines: string[] = [];
  const install = () => kafkaBroker.install({ onProgress: (line) => lines.push(line), signal });

  beforeEach(() => {
    directory = temporaryDirectory();
    lines.length = 0;
    vi.stubEnv('TIDEMARK_CACHE', join(directory.path, 'cache'));
  });

  afterEach(() => {
    vi.unstubAllEnvs();
    directory.remove();
  });

  /** Puts a program called mvn before all others. It is given its arguments; `$lib` is where jars have to go. */
  function maven(script: string): void {
    const bin = join(directory.path, 'bin');
    mkdirSync(bin);
    const find =
      'for a; do case $a in -DoutputDirectory=*) lib=$(echo "$a" | cut -d= -f2);; -version) exit 0;; esac; done';
    writeFileSync(join(bin, 'mvn'), `#!/bin/sh\n${find}\nmkdir -p "$lib"\n${script}\n`);
    chmodSync(join(bin, 'mvn'), 0o755);
    vi.stubEnv('PATH', `${bin}${delimiter}${process.env.PATH}`);
  }

  test('lies where engines lie', async () => {
    maven('exit 1');
    await expect(install()).rejects.toThrow('mvn failed');
    expect(readdirSync(join(cacheDirectory(), 'kafka'))).toEqual([]);
  });

  test('needs Maven and says so', async () => {
    maven('');
    writeFileSync(join(directory.path, 'bin', 'mvn'), '#!/bin/sh\nexit 127\n');
    await expect(install()).rejects.toMatchObject({ code: 'missing-maven' });
    expect(await kafkaBroker.status()).toMatchObject({ kind: 'unavailable' });
  });

  test('tells Maven’s errors without the addresses', async () => {
    maven('echo "[ERROR] could not reach https://user:pass@repo.example/maven2 now"; exit 1');
    await expect(install()).rejects.toMatchObject({
      code: 'install-failed',
      message: 'mvn failed\n  [ERROR] could not reach <url> now',
    });
  });

  test.each([
    ['changed', 'echo x > "$lib/argparse4j-0.7.0.jar"', 'argparse4j-0.7.0.jar is not the one that is pinned'],
    ['missing', '', 'Maven did not bring argparse4j-0.7.0.jar'],
  ])('lets no jar in that is %s', async (_, script, message) => {
    maven(script);
    await expect(install()).rejects.toThrow(message);
    expect(await kafkaBroker.status()).toMatchObject({ kind: 'installable' });
    expect(readdirSync(join(cacheDirectory(), 'kafka'))).toEqual([]);
  });

  test.skipIf(!kafkaRuns)('is made once, by whoever comes first', async () => {
    maven(`cp ${jars}*.jar "$lib"`);
    const leftover = join(cacheDirectory(), 'kafka', '.incoming-999999999-x');
    mkdirSync(leftover, { recursive: true });
    await Promise.all([install(), install()]);
    expect(await kafkaBroker.status()).toMatchObject({ kind: 'ready', version: '3.9.2' });
    expect(readdirSync(join(cacheDirectory(), 'kafka'))).toEqual(['3.9.2']);
    expect(existsSync(leftover)).toBe(false);
    lines.length = 0;
    await install();
    expect(lines).toEqual([]);
  });

  test.skipIf(!kafkaRuns)('lets no jar in that nobody pinned', async () => {
    maven(`cp ${jars}*.jar "$lib"; echo x > "$lib/extra.jar"`);
    await expect(install()).rejects.toThrow('extra.jar, which is not pinned');
  });
});
