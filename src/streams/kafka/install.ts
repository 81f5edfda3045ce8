import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cacheDirectory } from '../cache.ts';
import { sha256OfFile } from '../file-hash.ts';
import { BROKER_JARS, COORDINATES, KAFKA_VERSION } from './broker-jars.ts';
import { findJava } from './java.ts';
import { KafkaError } from './run-topics.ts';

const MARKER = 'installed.json';

function installation(): { readonly parent: string; readonly directory: string } {
  const parent = join(cacheDirectory(), 'kafka');
  return { parent, directory: join(parent, KAFKA_VERSION) };
}

/** The broker's jars as a class path. @throws KafkaError `not-installed` */
export async function brokerClassPath(): Promise<string> {
  if (!(await isInstalled())) {
    throw new KafkaError(
      'not-installed',
      'the Kafka broker is not installed: run `tidemark engines install kafka`, or name brokers of yours by --brokers',
    );
  }
  return join(installation().directory, 'lib', '*');
}

async function isInstalled(): Promise<boolean> {
  try {
    await readFile(join(installation().directory, MARKER));
    return true;
  } catch {
    return false;
  }
}

/** What `tidemark engines` needs to list and install something. */
export interface Installable {
  readonly name: string;
  readonly description: string;
  status(): Promise<InstallableStatus>;
  install(options: InstallOptions): Promise<void>;
}

export interface InstallOptions {
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

export type InstallableStatus =
  | { readonly kind: 'ready'; readonly version: string }
  | { readonly kind: 'installable'; readonly version: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The Kafka broker of our own, for runs over Kafka that name no brokers. */
export const kafkaBroker: Installable = {
  name: 'kafka',
  description: 'the Kafka broker that runs over Kafka use unless --brokers names another',
  async status() {
    try {
      await findJava();
      if (await isInstalled()) return { kind: 'ready', version: KAFKA_VERSION };
      await findMaven();
      return { kind: 'installable', version: KAFKA_VERSION };
    } catch (error) {
      if (error instanceof KafkaError) return { kind: 'unavailable', reason: error.message };
      throw error;
    }
  },
  install: installKafka,
};

/**
 * Brings the broker's jars into the cache by Maven, from wherever Maven is set up to look. They appear there all at
 * once, each with its pinned SHA-256, whoever else installs at the same time.
 *
 * @throws KafkaError naming what is missing and what to do.
 */
export async function installKafka({ onProgress, signal }: InstallOptions): Promise<void> {
  await findJava();
  if (await isInstalled()) return;
  const maven = await findMaven();
  const { parent, directory } = installation();
  const incoming = await inCache(async () => {
    await mkdir(parent, { recursive: true });
    await removeLeftovers(parent);
    return mkdtemp(join(parent, `.incoming-${process.pid}-`));
  });
  try {
    const lib = join(incoming, 'lib');
    onProgress(`kafka: downloading Kafka ${KAFKA_VERSION} with what it needs, by Maven (about 46 MB)`);
    await copyJars(maven, lib, signal);
    onProgress('kafka: checking the jars');
    await checkJars(lib);
    await inCache(async () => {
      const marker = { version: KAFKA_VERSION, coordinates: COORDINATES };
      await writeFile(join(incoming, MARKER), `${JSON.stringify(marker, null, 2)}\n`);
      await moveIntoPlace(incoming, directory);
    });
    onProgress(`kafka: ${KAFKA_VERSION} is installed`);
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

async function findMaven(): Promise<string> {
  const asked = await execa('mvn', ['-version'], { reject: false, timeout: 30_000 });
  if (!asked.failed) return 'mvn';
  throw new KafkaError(
    'missing-maven',
    'Kafka is installed by Maven, and mvn does not run: install Maven 3.6 or newer (Debian: maven), or name brokers of yours by --brokers',
  );
}

async function copyJars(maven: string, lib: string, signal: AbortSignal): Promise<void> {
  const project = await mkdtemp(join(tmpdir(), 'tidemark-kafka-'));
  try {
    await writeFile(join(project, 'pom.xml'), pom());
    const args = [
      '-B',
      '-q',
      'dependency:copy-dependencies',
      '-DincludeScope=runtime',
      `-DoutputDirectory=${lib}`,
    ];
    const done = await execa(maven, args, { cwd: project, reject: false, all: true, cancelSignal: signal });
    if (done.isCanceled) throw new KafkaError('aborted', 'the installation was ended');
    if (done.failed) throw new KafkaError('install-failed', `mvn failed\n${lastWords(done.all ?? '')}`);
  } finally {
    await rm(project, { recursive: true, force: true });
  }
}

function pom(): string {
  const dependencies = COORDINATES.map((coordinate) => {
    const [group, artifact, version] = coordinate.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion>
<groupId>tidemark</groupId><artifactId>kafka-broker</artifactId><version>1</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>\n`;
}

/** The last errors of Maven, without the addresses it talked to. */
function lastWords(output: string): string {
  const lines = output.split('\n').filter((line) => line.includes('ERROR') || line.includes('Exception'));
  return lines
    .slice(0, 5)
    .map((line) => `  ${line.replaceAll(/\bhttps?:\/\/[^\s)]+/g, '<url>')}`)
    .join('\n');
}

async function checkJars(lib: string): Promise<void> {
  const found = new Set(await readdir(lib));
  for (const [jar, sha256] of Object.entries(BROKER_JARS)) {
    if (!found.delete(jar)) throw new KafkaError('install-failed', `Maven did not bring ${jar}`);
    const actual = await sha256OfFile(join(lib, jar));
    if (actual !== sha256) {
      throw new KafkaError(
        'install-failed',
        `${jar} is not the one that is pinned: its SHA-256 is ${actual}`,
      );
    }
  }
  for (const jar of found)
    throw new KafkaError('install-failed', `Maven brought ${jar}, which is not pinned`);
}

/** Whoever comes first wins; the others' copies are the same and go. */
async function moveIntoPlace(incoming: string, directory: string): Promise<void> {
  try {
    await rename(incoming, directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== 'ENOTEMPTY' && code !== 'EEXIST') || !(await isInstalled())) throw error;
  }
}

/** What an installation that was killed left behind. */
async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^\.incoming-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) {
      await rm(join(parent, name), { recursive: true, force: true });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function inCache<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code !== 'string') throw error;
    throw new KafkaError('install-failed', `cannot write in the cache (${code})`);
  }
}
