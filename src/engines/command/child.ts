import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { byteLines, LineTooLong } from './byte-lines.ts';
import type { CommandConfig } from './config.ts';

/** A line beyond this is no message and no row. */
const MOST_LINE_BYTES = 16 << 20;

/** What of stderr is kept, until the engine has said hello. */
const LAST_WORDS = 2_000;

/** How long an engine has to end by itself once its stdin has ended. */
const GRACE_MS = 3_000;

/** Why no line came. */
export type NoLine = 'exited' | 'timeout' | 'aborted' | 'too-long';

/** When to stop waiting for a line. */
export interface Until {
  /** By `performance.now()`. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** The process of an engine behind the protocol: lines in, lines out. */
export class Child {
  readonly #process: ReturnType<typeof spawn>;
  readonly #lines: AsyncIterator<Uint8Array>;
  #next: Promise<Uint8Array | 'exited' | 'too-long'> | undefined;
  #lastWords: string | undefined = '';
  #running = true;
  #line = 0;
  /** The process has ended, and what it left running was killed. */
  readonly #ended: Promise<void>;

  constructor(config: CommandConfig) {
    this.#process = spawn(config);
    this.#lines = byteLines(this.#process.stdout, MOST_LINE_BYTES);
    // A process that is gone takes no more; that it is gone shows at its stdout.
    this.#process.stdin.on('error', () => {});
    this.#process.stderr.setEncoding('utf8').on('data', (text: string) => {
      // What the engine writes once it has rows may quote them: it is drained and dropped.
      if (this.#lastWords !== undefined) this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    this.#ended = this.#process.then(() => {
      this.#running = false;
      this.#killGroup();
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** False once the process has ended. */
  get running(): boolean {
    return this.#running;
  }

  /** Number of the line read last, from 1. */
  get line(): number {
    return this.#line;
  }

  /** The last line that it wrote to stderr; from now on nothing is kept. */
  takeLastWords(): string {
    const last = this.#lastWords?.trim().split('\n').at(-1) ?? '';
    this.#lastWords = undefined;
    return last;
  }

  send(message: object): void {
    this.#process.stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** The next line of stdout. One that did not come in time is kept for the next call. */
  async nextLine({ deadlineMs, signal }: Until): Promise<Uint8Array | NoLine> {
    if (signal.aborted) return 'aborted';
    this.#next ??= this.#read();
    let stop: () => void = () => {};
    const stopped = new Promise<'timeout' | 'aborted'>((resolve) => {
      const timer = setTimeout(() => resolve('timeout'), Math.max(0, deadlineMs - performance.now()));
      const abort = () => resolve('aborted');
      signal.addEventListener('abort', abort, { once: true });
      stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
    });
    try {
      const line = await Promise.race([this.#next, stopped]);
      if (line !== 'timeout' && line !== 'aborted') this.#next = undefined;
      return line;
    } finally {
      stop();
    }
  }

  async #read(): Promise<Uint8Array | 'exited' | 'too-long'> {
    try {
      const { done, value } = await this.#lines.next();
      if (done) return 'exited';
      this.#line += 1;
      return value;
    } catch (error) {
      return error instanceof LineTooLong ? 'too-long' : 'exited';
    }
  }

  /** Kills the process and all it started, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#running) this.#killGroup();
    await this.#ended;
  }

  /** Ends its stdin, and kills what has not ended by then. */
  async end(): Promise<void> {
    this.#process.stdin.end();
    const waiting = new AbortController();
    const grace = sleep(GRACE_MS, undefined, { signal: waiting.signal }).catch(() => {});
    await Promise.race([this.#ended, grace]);
    waiting.abort();
    await this.kill();
  }

  #killGroup(): void {
    const { pid } = this.#process;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // None of it runs any more.
    }
  }
}

function spawn({ command: [file, ...args], cwd, env }: CommandConfig) {
  return execa(file!, args, {
    cwd,
    env,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    buffer: false,
    reject: false,
    // A group of its own, so that all of it can be killed. When this process dies, the end of stdin tells it.
    detached: true,
    cleanup: false,
    encoding: 'buffer',
  });
}
