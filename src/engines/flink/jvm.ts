import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startWatched, type WatchedProgram } from '../../streams/watched-program.ts';
import { EngineError } from '../engine.ts';

export interface JvmOptions {
  readonly name: string;
  /** Removed when this process dies without ending the JVM. */
  readonly home: string;
  readonly java: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** A Java process that ends when this one does, however that is. */
export class Jvm {
  readonly name: string;
  readonly #program: WatchedProgram;

  private constructor(name: string, program: WatchedProgram) {
    this.name = name;
    this.#program = program;
  }

  /** @throws EngineError when no process comes of it. */
  static async start({ name, home, java, args, env, signal }: JvmOptions): Promise<Jvm> {
    const program = await startWatched({
      role: `${name} of flink`,
      program: java,
      arguments: args,
      environment: env,
      home,
      logFile: join(home, `${name}.log`),
      // It is killed: there is nothing for it to save.
      stopMs: 0,
      signal,
      failure: (message) => new EngineError('start-failed', message),
      aborted: () => new EngineError('start-failed', 'the start of flink was ended'),
    });
    return new Jvm(name, program);
  }

  get pid(): number {
    return this.#program.pid;
  }

  /** False once it has ended. */
  get running(): boolean {
    return !this.#program.ended();
  }

  /** Once it has ended: as a shell tells it, 128 and the signal's number for one that was killed. */
  get exitCode(): number | undefined {
    return this.#program.exitCode();
  }

  /** Ends it at once, and waits until it is gone. */
  kill(): Promise<void> {
    return this.#program.stop();
  }

  /** The last lines it wrote. */
  logTail(): Promise<string> {
    return this.#program.tail();
  }

  /** Processor time it has used, in seconds; undefined where the system does not tell. */
  async cpuSeconds(): Promise<number | undefined> {
    const stat = await readFile(`/proc/${this.pid}/stat`, 'utf8').catch(() => undefined);
    // After the name in brackets, which may hold spaces: state is the third field, times are the 14th and 15th.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }
}

/** USER_HZ, which Linux fixes for its programs. */
const TICKS_PER_SECOND = 100;
