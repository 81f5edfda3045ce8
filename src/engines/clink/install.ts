import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { cacheDirectory } from '../../streams/cache.ts';
import { sha256OfFile } from '../../streams/file-hash.ts';
import { EngineError } from '../engine.ts';

/** The release of pyclink, and of the libclink it holds, that the adapter was measured on. */
export const CLINK_VERSION = '0.12.2';

/** SHA-256 of pyclink's wheels by the platform that Node names. */
const WHEELS: Readonly<Record<string, string>> = {
  'linux-x64': '7c3fdf8527bcb41f7e84ebf3229fa8cffe947566c55cef6bf6b83fda06cf5e68',
  'linux-arm64': '25c16eecc516687ad37a912dc9e2f96badb1721d28c23681ca08c80babfeffab',
  'darwin-arm64': 'd1e4d5590288755b8d5ea0a210be1240e068c0cc5b83c93218e416ac5a740de8',
};

const OLDEST_PYTHON = [3, 9] as const;

/** Where an installation stands. `marker` is written last: without it there is no installation. */
export function installation(): {
  readonly directory: string;
  readonly python: string;
  readonly marker: string;
} {
  const directory = join(cacheDirectory(), 'clink', CLINK_VERSION);
  return {
    directory,
    python: join(directory, 'venv', 'bin', 'python'),
    marker: join(directory, 'installed.json'),
  };
}

/** True once {@link installClink} went through. */
export async function isInstalled(): Promise<boolean> {
  try {
    await readFile(installation().marker);
    return true;
  } catch {
    return false;
  }
}

/** Why Clink cannot be had on this machine, whatever is installed; undefined where it can. */
export function unsupportedPlatform(): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  return platform in WHEELS
    ? undefined
    : `pyclink ${CLINK_VERSION} exists for ${Object.keys(WHEELS).join(', ')}, and this is ${platform}`;
}

/**
 * The Python to make the environment with: `$TIDEMARK_PYTHON`, else `python3`.
 *
 * @throws EngineError when there is none, or it is too old.
 */
export async function findPython(): Promise<string> {
  const python = process.env.TIDEMARK_PYTHON || 'python3';
  const asked = await execa(python, ['-c', 'import sys; print(*sys.version_info[:2])'], { reject: false });
  const oldest = OLDEST_PYTHON.join('.');
  if (asked.failed) {
    throw new EngineError(
      'missing-python',
      `clink needs Python ${oldest} or newer and ${python} does not run: install it, or set TIDEMARK_PYTHON to one`,
    );
  }
  const [major = 0, minor = 0] = asked.stdout.split(' ').map(Number);
  if (major < OLDEST_PYTHON[0] || (major === OLDEST_PYTHON[0] && minor < OLDEST_PYTHON[1])) {
    throw new EngineError(
      'missing-python',
      `clink needs Python ${oldest} or newer and ${python} is ${major}.${minor}: set TIDEMARK_PYTHON to a newer one`,
    );
  }
  return python;
}

/** How an installation is told about and ended. */
export interface InstallOptions {
  readonly onProgress: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Makes a virtual environment in the cache and installs pyclink into it. The wheel is checked against its
 * pinned SHA-256 before anything of it runs; what else came with it is recorded in the marker.
 *
 * @throws EngineError naming what is missing and what to do.
 */
export async function installClink({ onProgress, signal }: InstallOptions): Promise<void> {
  const platform = unsupportedPlatform();
  if (platform !== undefined) throw new EngineError('install-failed', platform);
  if (await isInstalled()) return;
  const { directory, python, marker } = installation();
  const base = await findPython();
  await mkdir(directory, { recursive: true });
  const unlock = await lock(join(directory, 'lock'), onProgress, signal);
  try {
    if (await isInstalled()) return;
    const step = (file: string, args: readonly string[], what: string) => run(file, args, what, signal);
    onProgress('clink: making a Python environment');
    // An environment knows its own path, so it cannot be made elsewhere and moved: the marker makes it whole.
    await rm(join(directory, 'venv'), { recursive: true, force: true });
    await step(
      base,
      ['-m', 'venv', join(directory, 'venv')],
      'python -m venv (is the venv module installed?)',
    );
    const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input'];
    const wheels = join(directory, 'wheels');
    await rm(wheels, { recursive: true, force: true });
    onProgress(`clink: downloading pyclink ${CLINK_VERSION} (about 20 MB)`);
    const download = [
      'download',
      '--no-deps',
      '--only-binary',
      ':all:',
      '--dest',
      wheels,
      `pyclink==${CLINK_VERSION}`,
    ];
    await step(python, [...pip, ...download], 'pip download');
    const wheel = join(wheels, (await readdir(wheels))[0]!);
    const sha256 = await sha256OfFile(wheel);
    if (sha256 !== WHEELS[`${process.platform}-${process.arch}`]) {
      throw new EngineError(
        'install-failed',
        `the wheel of pyclink ${CLINK_VERSION} is not the one that is pinned: its SHA-256 is ${sha256}`,
      );
    }
    onProgress('clink: installing it with pyarrow (about 50 MB)');
    await step(python, [...pip, 'install', '--only-binary', ':all:', wheel], 'pip install');
    const packages = await step(python, [...pip, 'list', '--format', 'json'], 'pip list');
    await rm(wheels, { recursive: true, force: true });
    await writeFile(marker, `${JSON.stringify({ sha256, packages: JSON.parse(packages) }, null, 2)}\n`);
    onProgress(`clink: ${CLINK_VERSION} is installed`);
  } finally {
    await unlock();
  }
}

async function run(
  file: string,
  args: readonly string[],
  what: string,
  signal: AbortSignal,
): Promise<string> {
  const done = await execa(file, args, { reject: false, cancelSignal: signal, all: true });
  if (done.isCanceled) throw new EngineError('install-failed', 'the installation was ended');
  if (done.failed) throw new EngineError('install-failed', `${what} failed\n${lastWords(done.all ?? '')}`);
  return done.stdout;
}

/** The last lines of a tool's output, without the addresses it talked to. */
function lastWords(output: string): string {
  const lines = output.trim().split('\n').slice(-5);
  return lines
    .map(
      (line) => `  ${line.replaceAll(/\bhttps?:\/\/\S+/g, '<url>').replaceAll(/host='[^']*'/g, "host='…'")}`,
    )
    .join('\n');
}

const LOCK_POLL_MS = 500;

/** Takes a lock file that holds its owner's process id; the lock of a process that is gone is taken over. */
async function lock(
  path: string,
  onProgress: (line: string) => void,
  signal: AbortSignal,
): Promise<() => Promise<void>> {
  for (let waited = false; ; waited = true) {
    try {
      const handle = await open(path, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw new EngineError(
          'install-failed',
          `cannot write in the cache (${(error as NodeJS.ErrnoException).code})`,
        );
      }
    }
    const owner = Number(await readFile(path, 'utf8').catch(() => ''));
    if (owner > 0 && !isRunning(owner)) {
      await rm(path, { force: true });
      continue;
    }
    if (!waited) onProgress('clink: another process is installing it; waiting');
    if (signal.aborted) throw new EngineError('install-failed', 'the installation was ended');
    await sleep(LOCK_POLL_MS);
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
