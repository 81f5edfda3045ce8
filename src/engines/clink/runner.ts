import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { execa, type Options, type ResultPromise } from 'execa';
import { EngineError } from '../engine.ts';

/** The program that runs cases; it stands beside this file, also in the compiled package. */
const PROGRAM = fileURLToPath(new URL('runner.py', import.meta.url));

/** Starting takes a second; a machine that is busy may take more. */
const START_LIMIT_MS = 60_000;

/** One case as `runner.py` takes it. */
export interface RunnerCase {
  readonly parallelism: number;
  readonly statements: readonly string[];
  readonly table: string;
  readonly changelog: boolean;
  readonly output: string;
  readonly limit_ms: number;
}

/** What `runner.py` says of a case. */
export type RunnerReply =
  | { readonly seconds: number; readonly cpu_seconds: number }
  | { readonly failed: 'refused' | 'error'; readonly detail: string };

/** How a case ended: with a reply, or with the end of the process. */
export type RunnerEnd = RunnerReply | 'exited' | 'timeout' | 'aborted';

const OPTIONS = {
  stdin: 'pipe',
  stdout: 'pipe',
  stderr: 'pipe',
  buffer: false,
  reject: false,
  // A group of its own, so that all of it can be killed. When this process dies, the end of stdin ends it.
  detached: true,
  cleanup: false,
  env: { CLINK_LOG_LEVEL: 'off', CLINK_LIB: undefined },
} as const satisfies Options;

/** A resident Python process that runs one case at a time. */
export class Runner {
  readonly #process: ResultPromise<typeof OPTIONS>;
  readonly #lines: AsyncIterator<string>;
  #version = '';
  #cases = 0;
  #running = true;

  private constructor(process: ResultPromise<typeof OPTIONS>) {
    this.#process = process;
    this.#lines = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
    void process.then(() => {
      this.#running = false;
    });
  }

  /**
   * Starts the program. `library`: the path of a libclink, or empty for the installed one.
   *
   * @throws EngineError when it does not start, with the last line that Python wrote.
   */
  static async start(python: string, library: string, signal: AbortSignal): Promise<Runner> {
    const process = execa(python, ['-I', '-B', PROGRAM, library], OPTIONS);
    const runner = new Runner(process);
    let lastWords = '';
    process.stderr.setEncoding('utf8').on('data', (text: string) => {
      // What the engine writes once cases run may quote rows: it is drained and dropped.
      if (runner.#version === '') lastWords = (lastWords + text).slice(-2_000);
    });
    const hello = await runner.#next(START_LIMIT_MS, signal);
    if (typeof hello === 'string' || !('ready' in hello)) {
      await runner.kill();
      const last = lastWords.trim().split('\n').at(-1);
      throw new EngineError('start-failed', `clink does not start: ${last || 'its process ended'}`);
    }
    runner.#version = String(hello.ready);
    return runner;
  }

  /** What the library says of itself. */
  get version(): string {
    return this.#version;
  }

  /** How many cases were given to the process. */
  get cases(): number {
    return this.#cases;
  }

  /** The process that runs the engine. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** False once the process has ended. */
  get running(): boolean {
    return this.#running;
  }

  /** Runs one case. Unless it ends with a reply, the process is gone afterwards. */
  async run(job: RunnerCase, signal: AbortSignal): Promise<RunnerEnd> {
    this.#cases += 1;
    this.#process.stdin.write(`${JSON.stringify(job)}\n`);
    const end = await this.#next(job.limit_ms, signal);
    if (typeof end === 'string') await this.kill();
    return end as RunnerEnd;
  }

  /** Kills the process and all it started, and waits until it is gone. */
  async kill(): Promise<void> {
    const { pid } = this.#process;
    if (this.#running && pid !== undefined) {
      try {
        process.kill(-pid, 'SIGKILL');
      } catch {
        // It ended in between.
      }
    }
    await this.#process;
  }

  async #next(limitMs: number, signal: AbortSignal): Promise<object | 'exited' | 'timeout' | 'aborted'> {
    if (signal.aborted) return 'aborted';
    let stop: () => void = () => {};
    const stopped = new Promise<'timeout' | 'aborted'>((resolve) => {
      const timer = setTimeout(() => resolve('timeout'), limitMs);
      const abort = () => resolve('aborted');
      signal.addEventListener('abort', abort, { once: true });
      stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
    });
    try {
      const line = this.#lines
        .next()
        .then(({ done, value }): object | 'exited' => (done ? 'exited' : JSON.parse(value)));
      return await Promise.race([line, stopped]);
    } finally {
      stop();
    }
  }
}
