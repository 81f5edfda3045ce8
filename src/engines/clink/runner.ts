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

/** A case over input that does not end: it runs until it is told to stop. */
export interface EndlessCase {
  readonly endless: true;
  readonly parallelism: number;
  readonly statements: readonly string[];
  /** How long the engine may take to end once it is cancelled. */
  readonly cancel_ms: number;
}

/** What `runner.py` says of a case that ended well. `cancel_raised`: the class of what cancelling raised. */
export interface RunnerDone {
  readonly seconds: number;
  readonly cpu_seconds: number;
  readonly cancel_raised?: string;
}

/** What `runner.py` says of a case that failed. */
export interface RunnerFailed {
  readonly failed: 'refused' | 'error';
  readonly detail: string;
}

/** Why a process says nothing more: it has ended, or was ended. */
export type NoReply = 'exited' | 'timeout' | 'aborted';

/** How a case ended: with a reply, or with the end of the process. */
export type RunnerEnd = RunnerDone | RunnerFailed | NoReply;

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
  #reply: Promise<object | 'exited'> | undefined;
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
    this.#say(job);
    const end = await this.#next(job.limit_ms, signal);
    if (typeof end === 'string') await this.kill();
    return end as RunnerEnd;
  }

  /** Submits a case whose input does not end. Undefined once it runs. */
  async submit(
    job: EndlessCase,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<RunnerFailed | NoReply | undefined> {
    this.#cases += 1;
    this.#say(job);
    const reply = await this.#next(limitMs, signal);
    if (typeof reply === 'string') return reply;
    return 'started' in reply ? undefined : (reply as RunnerFailed);
  }

  /** Waits for a case that runs to say something, which it does only when it fails. `timeout`: all is well. */
  async watch(forMs: number, signal: AbortSignal): Promise<RunnerFailed | NoReply> {
    return (await this.#next(forMs, signal)) as RunnerFailed | NoReply;
  }

  /** Cancels the case that runs, and waits for its end. */
  async stop(limitMs: number, signal: AbortSignal): Promise<RunnerEnd> {
    this.#say({ stop: true });
    return (await this.#next(limitMs, signal)) as RunnerEnd;
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

  #say(message: object): void {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** What the process says next. What did not come in time is kept for the next call. */
  async #next(limitMs: number, signal: AbortSignal): Promise<object | NoReply> {
    if (signal.aborted) return 'aborted';
    this.#reply ??= this.#lines
      .next()
      .then(({ done, value }): object | 'exited' => (done ? 'exited' : JSON.parse(value)));
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
      const reply = await Promise.race([this.#reply, stopped]);
      if (reply !== 'timeout' && reply !== 'aborted') this.#reply = undefined;
      return reply;
    } finally {
      stop();
    }
  }
}
