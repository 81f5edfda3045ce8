import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { cacheDirectory } from '../../streams/cache.ts';
import { sha256OfFile } from '../../streams/file-hash.ts';
import { EngineError } from '../engine.ts';
import { findJava } from './java.ts';
import type { FlinkVersion } from './versions.ts';

/** Where the files of an installed Flink stand. `marker` is moved in with them: without it there is none. */
export function installation({ release }: FlinkVersion): {
  readonly parent: string;
  readonly directory: string;
  readonly lib: string;
  readonly marker: string;
} {
  const parent = join(cacheDirectory(), 'flink');
  const directory = join(parent, release);
  return { parent, directory, lib: join(directory, 'lib'), marker: join(directory, 'installed.json') };
}

/** True once {@link installFlink} went through. */
export async function isInstalled(version: FlinkVersion): Promise<boolean> {
  try {
    await readFile(installation(version).marker);
    return true;
  } catch {
    return false;
  }
}

/** @throws EngineError for the first thing that is missing to install Flink, with what to do. */
export async function checkTools(): Promise<void> {
  await findJava();
  await findPip();
  await findMaven();
}

export interface InstallOptions {
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Brings Flink's jars into the cache, by pip and by Maven from wherever these are set up to look. Each download is
 * checked against its pinned SHA-256 before anything of it runs, and the jars appear in the cache all at once.
 *
 * @throws EngineError naming what is missing and what to do.
 */
export async function installFlink(version: FlinkVersion, options: InstallOptions): Promise<void> {
  if (await isInstalled(version)) return;
  await findJava();
  const python = await findPip();
  const maven = await findMaven();
  const { parent, directory } = installation(version);
  const incoming = await inCache(async () => {
    await mkdir(parent, { recursive: true });
    await removeLeftovers(parent);
    return mkdtemp(join(parent, `.incoming-${process.pid}-`));
  });
  try {
    const lib = join(incoming, 'lib');
    await mkdir(lib);
    const work = join(incoming, 'work');
    await mkdir(work);
    await bringLibraries(version, python, work, lib, options);
    await bringJars(version, maven, work, lib, options);
    await inCache(async () => {
      await rm(work, { recursive: true });
      const { release, libraries, jars } = version;
      await writeFile(
        join(incoming, 'installed.json'),
        `${JSON.stringify({ release, libraries, jars }, null, 2)}\n`,
      );
      await moveIntoPlace(incoming, directory, version);
    });
    options.onProgress(`flink: ${version.release} is installed`);
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

/** Takes the jars out of the archive, by their bare names, and nothing else. */
const UNPACK = `
import os, shutil, sys, tarfile
with tarfile.open(sys.argv[1]) as archive:
    for member in archive:
        folder, name = os.path.split(member.name)
        if member.isfile() and folder.endswith('/deps/lib') and name.endswith('.jar'):
            with archive.extractfile(member) as jar, open(os.path.join(sys.argv[2], name), 'wb') as out:
                shutil.copyfileobj(jar, out, 1 << 20)
`;

async function bringLibraries(
  { libraries }: FlinkVersion,
  python: string,
  work: string,
  lib: string,
  { onProgress, signal }: InstallOptions,
): Promise<void> {
  const [name, release] = libraries.package.split('==');
  onProgress(
    `flink: downloading ${name} ${release} by pip (about ${libraries.megabytes} MB, which takes minutes)`,
  );
  const wanted = join(work, 'requirements.txt');
  await writeFile(wanted, `${libraries.package} --hash=sha256:${libraries.sha256}\n`);
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input', 'download', '--quiet'];
  // Only as a source is the package whole. With a hash pip refuses any other file before it looks into it.
  const which = ['--no-deps', '--no-binary', name!, '--require-hashes', '--requirement', wanted];
  const archives = join(work, 'pip');
  await run(python, [...pip, ...which, '--dest', archives], work, 'pip download', signal);
  const archive = join(archives, (await readdir(archives))[0]!);
  const sha256 = await sha256OfFile(archive);
  if (sha256 !== libraries.sha256) throw notPinned(libraries.package, sha256);
  onProgress('flink: unpacking its jars');
  await run(python, ['-c', UNPACK, archive, lib], work, 'unpacking', signal);
  await rm(archives, { recursive: true });
}

async function bringJars(
  { jars }: FlinkVersion,
  maven: string,
  work: string,
  lib: string,
  { onProgress, signal }: InstallOptions,
): Promise<void> {
  onProgress('flink: downloading the SQL gateway and the Kafka connector by Maven');
  await writeFile(join(work, 'pom.xml'), pomOf(jars.map(({ coordinate }) => coordinate)));
  const out = join(work, 'maven');
  const args = [
    '-B',
    '-q',
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${out}`,
  ];
  await run(maven, args, work, 'mvn', signal);
  for (const { file, sha256 } of jars) {
    const actual = await sha256OfFile(join(out, file)).catch(() => undefined);
    if (actual === undefined) throw new EngineError('install-failed', `Maven did not bring ${file}`);
    if (actual !== sha256) throw notPinned(file, actual);
    await copyFile(join(out, file), join(lib, file));
  }
}

/** The jars alone: what they need is in Flink's libraries, or in themselves. */
function pomOf(coordinates: readonly string[]): string {
  const dependencies = coordinates.map((coordinate) => {
    const [group, artifact, version] = coordinate.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>
<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion>
<groupId>tidemark</groupId><artifactId>flink</artifactId><version>1</version>
<dependencies>${dependencies.join('\n')}</dependencies></project>\n`;
}

function notPinned(what: string, sha256: string): EngineError {
  return new EngineError('install-failed', `${what} is not the one that is pinned: its SHA-256 is ${sha256}`);
}

/** The Python whose pip downloads: `$TIDEMARK_PYTHON`, else `python3`. */
async function findPip(): Promise<string> {
  const python = process.env.TIDEMARK_PYTHON || 'python3';
  const asked = await execa(python, ['-m', 'pip', '--version'], { reject: false });
  if (!asked.failed) return python;
  throw new EngineError(
    'missing-python',
    `flink is installed by pip, and ${python} -m pip does not run: install it (Debian: python3-pip), or set TIDEMARK_PYTHON to a Python that has it`,
  );
}

async function findMaven(): Promise<string> {
  const asked = await execa('mvn', ['-version'], { reject: false });
  if (!asked.failed) return 'mvn';
  throw new EngineError(
    'install-failed',
    'flink is installed by Maven, and mvn does not run: install Maven 3.6 or newer (Debian: maven)',
  );
}

async function run(
  file: string,
  args: readonly string[],
  cwd: string,
  what: string,
  signal: AbortSignal,
): Promise<void> {
  const done = await execa(file, args, { cwd, reject: false, cancelSignal: signal, all: true });
  if (done.isCanceled) throw new EngineError('install-failed', 'the installation was ended');
  if (done.failed) throw new EngineError('install-failed', `${what} failed\n${lastWords(done.all ?? '')}`);
}

/** The last lines of a tool's output, without the addresses it talked to. */
function lastWords(output: string): string {
  const lines = output.trim().split('\n').slice(-5);
  return lines
    .map(
      (line) =>
        `  ${line.replaceAll(/\bhttps?:\/\/[^\s)]+/g, '<url>').replaceAll(/host='[^']*'/g, "host='…'")}`,
    )
    .join('\n');
}

/** Whoever comes first wins; the others' files are the same and go. */
async function moveIntoPlace(incoming: string, directory: string, version: FlinkVersion): Promise<void> {
  try {
    await rename(incoming, directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((code !== 'ENOTEMPTY' && code !== 'EEXIST') || !(await isInstalled(version))) throw error;
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
    throw new EngineError('install-failed', `cannot write in the cache (${code})`);
  }
}
