import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa, type Options } from 'execa';
import { WATCHED } from '../../streams/watched.ts';
import { tailOf } from '../../streams/watched-program.ts';

const END_LIMIT_MS = 10_000;

const OPTIONS = {
  stdin: 'pipe',
  stdout: 'pipe',
  stderr: 'ignore',
  buffer: false,
  reject: false,
  // In a process group of its own, so that Ctrl-C in a terminal reaches us and not the cluster we are using.
  detached: true,
  cleanup: false,
} as const satisfies Options;

const spawnShell = (args: readonly string[], env: Readonly<Record<string, string>>) =>
  execa('sh', args, { ...OPTIONS, env });

type Shell = ReturnType<typeof spawnShell>;

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
  readonly #shell: Shell;
  readonly #log: string;
  #pid: number | undefined;
  #running = true;
  #exitCode: number | undefined;

  private constructor(name: string, log: string, shell: Shell) {
    this.name = name;
    this.#log = log;
    this.#shell = shell;
    shell.stdin.on('error', () => {});
    void shell.then(({ exitCode }) => {
      this.#running = false;
      this.#exitCode = exitCode;
    });
  }

  static async start({ name, home, java, args, env }: JvmOptions): Promise<Jvm> {
    const log = join(home, `${name}.log`);
    const shell = spawnShell(['-c', WATCHED, 'sh', home, log, java, ...args], env);
    const jvm = new Jvm(name, log, shell);
    let said = '';
    for await (const chunk of shell.stdout) {
      said += String(chunk);
      if (said.includes('\n')) break;
    }
    const pid = Number.parseInt(said, 10);
    jvm.#pid = Number.isNaN(pid) ? undefined : pid;
    return jvm;
  }

  get pid(): number | undefined {
    return this.#pid;
  }

  /** False once it has ended. */
  get running(): boolean {
    return this.#running;
  }

  /** Once it has ended: as a shell tells it, 128 and the signal's number for one that was killed. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Ends it at once, and waits until it is gone. */
  async kill(): Promise<void> {
    if (this.#running && this.#pid !== undefined) {
      try {
        process.kill(this.#pid, 'SIGKILL');
      } catch {
        // It ended in between.
      }
    }
    this.#shell.stdin.end();
    await Promise.race([this.#shell, sleep(END_LIMIT_MS, undefined, { ref: false })]);
  }

  /** The last lines it wrote. */
  async logTail(): Promise<string> {
    return tailOf(await readFile(this.#log, 'utf8').catch(() => ''));
  }

  /** Processor time it has used, in seconds; undefined where the system does not tell. */
  async cpuSeconds(): Promise<number | undefined> {
    if (this.#pid === undefined) return undefined;
    const stat = await readFile(`/proc/${this.#pid}/stat`, 'utf8').catch(() => undefined);
    // After the name in brackets, which may hold spaces: state is the third field, times are the 14th and 15th.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields === undefined ? undefined : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  }
}

/** USER_HZ, which Linux fixes for its programs. */
const TICKS_PER_SECOND = 100;
