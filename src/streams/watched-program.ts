import { readFile } from 'node:fs/promises';
import { execa } from 'execa';
import { atMost, bounded, once } from './bounded.ts';
import { WATCHED } from './watched.ts';

const ASK_MS = 5_000;
const KILL_MS = 5_000;
const LOG_TAIL_LINES = 15;

/** A program that runs no longer than we do, however we end. */
export interface WatchedProgram {
  readonly pid: number;
  /** Whether it is gone, by itself or not. */
  ended(): boolean;
  /** Once it is gone: as a shell tells it, 128 and the signal's number where it was killed. */
  exitCode(): number | undefined;
  /** The last lines of what it said. */
  tail(): Promise<string>;
  /** Ends it: with each signal it has a while, then it is killed. Once is enough, twice does no harm. */
  stop(...signals: readonly NodeJS.Signals[]): Promise<void>;
}

export interface WatchedOptions {
  /** Its part here, as errors name it. */
  readonly role: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** Beside our own. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** Where it runs, default where we do. */
  readonly cwd?: string | undefined;
  /** Removed when we end without stopping it. */
  readonly home: string;
  readonly logFile: string;
  /** Whom it runs as, default as we do. */
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
  /** How long each signal has. */
  readonly stopMs: number;
  readonly signal: AbortSignal;
  /** The errors of whoever starts it: that it does not start, and that this was ended. */
  readonly failure: (message: string) => Error;
  readonly aborted: () => Error;
}

/**
 * Starts a program in a process group of its own, so that Ctrl-C in a terminal reaches us and not what we are using.
 *
 * @throws what `failure` or `aborted` make.
 */
export async function startWatched(options: WatchedOptions): Promise<WatchedProgram> {
  const { role, program, home, logFile, environment, cwd, owner, stopMs, signal, failure } = options;
  const shell = execa('sh', ['-c', WATCHED, 'sh', home, logFile, program, ...options.arguments], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'ignore',
    buffer: false,
    reject: false,
    detached: true,
    cleanup: false,
    ...(cwd === undefined ? {} : { cwd }),
    ...(environment === undefined ? {} : { env: environment }),
    ...owner,
  });
  let ended = false;
  let code: number | undefined;
  const exit = shell.then(({ exitCode }) => {
    ended = true;
    code = exitCode;
  });
  shell.stdin.on('error', () => {});
  // Whoever forgets to stop it can still end.
  shell.unref();
  let pid = 0;
  let asked: readonly NodeJS.Signals[] = [];
  const stop = once(async () => {
    for (const name of asked) {
      if (ended || pid === 0) break;
      kill(pid, name);
      await atMost(stopMs, exit);
    }
    if (!ended && pid > 0) kill(pid, 'SIGKILL');
    // The shell takes this for our end: whatever is left, it ends.
    shell.stdin.end();
    await atMost(KILL_MS, exit);
  });
  try {
    const atLimit = () => failure(`the shell that runs the ${role} did not answer`);
    pid = await bounded(firstNumber(shell.stdout), { limitMs: ASK_MS, signal, atLimit }, options.aborted);
    if (Number.isNaN(pid)) throw failure(`the shell that runs the ${role} did not run`);
  } catch (error) {
    pid = 0;
    await stop();
    throw error;
  }
  return {
    pid,
    ended: () => ended,
    exitCode: () => code,
    tail: async () => tailOf(await readFile(logFile, 'utf8').catch(() => '')),
    stop(...signals) {
      asked = signals;
      return stop();
    },
  };
}

/** The end of a log, indented. */
export function tailOf(log: string): string {
  const lines = log.trimEnd().split('\n').slice(-LOG_TAIL_LINES);
  return lines.map((line) => `  ${line}`).join('\n');
}

async function firstNumber(lines: NodeJS.ReadableStream): Promise<number> {
  let text = '';
  for await (const chunk of lines) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return Number.parseInt(text, 10);
}

function kill(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It is gone already.
  }
}
