import { type ChildProcess, spawn } from 'node:child_process';
import { execa } from 'execa';

const main = new URL('../../dist/src/cli/main.js', import.meta.url).pathname;

/** What a command printed and how it ended. */
export interface Ended {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line as a user does, in a process of its own that ends by itself or at the limit. */
export async function tidemark(
  args: readonly string[],
  env: Record<string, string> = {},
  limitMs = 120_000,
): Promise<Ended> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main, ...args], {
    reject: false,
    timeout: limitMs,
    env: { NO_COLOR: '1', ...env },
  });
  return { exitCode, stdout, stderr };
}

/** A command line that runs beside the test. */
export interface Started {
  readonly process: ChildProcess;
  /** What it has said on stderr so far. */
  readonly said: () => string;
  readonly ended: Promise<Ended>;
}

/** Starts the command line; it is killed at the limit. */
export function startTidemark(
  args: readonly string[],
  env: Record<string, string>,
  limitMs: number,
): Started {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ exitCode: code ?? undefined, ...text }));
  });
  return { process: child, said: () => text.stderr, ended };
}
