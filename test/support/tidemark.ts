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
