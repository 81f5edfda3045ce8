import { access, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Case } from '../../model/case.ts';
import type { Capture, Outcome } from '../../model/outcome.ts';
import { dialects } from '../../sql/index.ts';
import type { RunTopics } from '../../streams/kafka/run-topics.ts';
import { fileCapture } from '../file-capture.ts';
import { aborted, atStep, failed, StepFailed } from '../step-failed.ts';
import type { Child, NoLine, Until } from './child.ts';
import {
  type Answer,
  answerSchemaOf,
  type Done,
  type Hello,
  oneLine,
  parseMessage,
  problemOf,
} from './messages.ts';

/** Between two looks at a sink. */
const POLL_MS = 100;

/** Lines that follow an answer are written in pieces of about this size. */
const WRITE_BYTES = 1 << 20;

const NEWLINE = Buffer.from('\n');

/** Where a case's rows are and its output goes: fields of the run message. */
export type Input =
  | { readonly dataset: object; readonly output: string }
  | {
      readonly dataset: object;
      readonly kafka: { readonly brokers: string; readonly properties: object; readonly sink: string };
    };

export interface CommandRun {
  readonly id: number;
  readonly testCase: Case;
  readonly input: Input;
  /** The file that takes the output. */
  readonly output: string;
  readonly topics: RunTopics | undefined;
  readonly hello: Hello;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs one case. Unless it ends with an answer of the protocol, the process is gone afterwards.
 *
 * @throws StepFailed
 */
export async function runOn(child: Child, run: CommandRun): Promise<Outcome> {
  try {
    return await new Exchange(child, run).outcome();
  } catch (error) {
    await child.kill();
    throw error;
  }
}

/** One case and what is said about it. */
class Exchange {
  readonly #child: Child;
  readonly #run: CommandRun;
  readonly #started = performance.now();
  readonly #until: Until;

  constructor(child: Child, run: CommandRun) {
    this.#child = child;
    this.#run = run;
    this.#until = { deadlineMs: this.#started + run.limitMs, signal: run.signal };
  }

  async outcome(): Promise<Outcome> {
    const { input, topics } = this.#run;
    this.#child.send(this.#message());
    if (topics === undefined || !('kafka' in input)) return this.#overFiles();
    return this.#overKafka(topics, input.kafka.sink);
  }

  #message(): object {
    const { id, testCase, input, hello, limitMs } = this.#run;
    const { query, schedule } = testCase;
    const sql = hello.dialects.map((name) => {
      const rendered = dialects.get(name)!.select(query);
      return [name, rendered.kind === 'sql' ? rendered.sql : null];
    });
    return {
      id,
      m: 'run',
      query: query.definition,
      columns: query.columns,
      ...(sql.length === 0 ? {} : { sql: Object.fromEntries(sql) }),
      ...input,
      schedule,
      limitMs,
    };
  }

  async #overFiles(): Promise<Outcome> {
    const { output } = this.#run;
    const answer = await this.#answer();
    if ('settled' in answer) throw this.#notOfTheProtocol('settled, over files');
    if (!isDone(answer)) return told(answer);
    const { file = output, lines } = answer;
    const path = lines === undefined ? file : output;
    if (lines !== undefined) await this.#copyLines(lines, path);
    if (!(await exists(path))) return failed('run', 'no-output', 'the file of the output is not there');
    return this.#output(answer, fileCapture(answer.format, path));
  }

  async #overKafka(topics: RunTopics, sink: string): Promise<Outcome> {
    const { id, testCase, output, signal } = this.#run;
    const { stop } = testCase.schedule;
    let end: bigint | undefined;
    if (stop === 'settle-cancel') {
      const first = await this.#answer();
      if (isDone(first)) throw this.#notOfTheProtocol('done before it was stopped');
      if (!('settled' in first)) return told(first);
      // Before the stop: what comes after it is no part of a settled output.
      end = await atStep('drain', () => topics.endOffset(sink));
      this.#child.send({ id, m: 'stop' });
    } else if (stop === 'cancel') {
      await this.#firstRecords(topics, sink);
      this.#child.send({ id, m: 'stop' });
    }
    let answer = await this.#answer();
    // It may have settled before the stop of a run that is cut short could reach it.
    if ('settled' in answer && stop === 'cancel') answer = await this.#answer();
    if ('settled' in answer) throw this.#notOfTheProtocol('settled, where nobody waits for it');
    if (!isDone(answer)) return told(answer);
    if (answer.format !== 'records' || answer.lines !== undefined || answer.file !== undefined) {
      throw this.#notOfTheProtocol('the output is not in the sink');
    }
    const drainTo = end ?? (await atStep('drain', () => topics.endOffset(sink)));
    return this.#output(answer, await atStep('drain', () => topics.drain(sink, drainTo, output, signal)));
  }

  /** Waits until the sink holds the records after which the run is cut short. */
  async #firstRecords(topics: RunTopics, sink: string): Promise<void> {
    const { cancelAfterOutput = 1 } = this.#run.testCase.schedule;
    const { deadlineMs, signal } = this.#until;
    while (this.#child.running && performance.now() < deadlineMs && !signal.aborted) {
      if ((await atStep('run', () => topics.endOffset(sink))) >= BigInt(cancelAfterOutput)) return;
      await sleep(POLL_MS);
    }
  }

  async #answer(): Promise<Answer> {
    const message = parseMessage(await this.#line());
    if (message === undefined) throw this.#notOfTheProtocol('no JSON object in UTF-8');
    const read = answerSchemaOf(message).safeParse(message);
    if (!read.success) throw this.#notOfTheProtocol(problemOf(read.error));
    if (read.data.id !== this.#run.id) throw this.#notOfTheProtocol('field id: not that of the case');
    return read.data;
  }

  /** The lines that follow an answer, verbatim, as a file. */
  async #copyLines(count: number, path: string): Promise<void> {
    await using file = await openForWriting(path);
    let held: Uint8Array[] = [];
    let heldBytes = 0;
    for (let read = 0; read < count; read++) {
      const line = await this.#line();
      held.push(line, NEWLINE);
      heldBytes += line.length + NEWLINE.length;
      if (heldBytes < WRITE_BYTES) continue;
      await file.write(Buffer.concat(held));
      held = [];
      heldBytes = 0;
    }
    await file.write(Buffer.concat(held));
  }

  async #line(): Promise<Uint8Array> {
    const line = await this.#child.nextLine(this.#until);
    if (typeof line === 'string') throw this.#noLine(line);
    return line;
  }

  #output(answer: Done, capture: Capture): Outcome {
    const { hello } = this.#run;
    return {
      kind: 'output',
      capture,
      evidence: {
        engine: hello.name,
        version: hello.version,
        sql: answer.sql ?? `-- ${hello.name} ran the plan of the definition`,
        seconds: (performance.now() - this.#started) / 1000,
        cpuSeconds: answer.cpuSeconds,
      },
    };
  }

  #noLine(why: NoLine): StepFailed {
    switch (why) {
      case 'exited':
        return new StepFailed(
          failed('run', 'engine-crashed', 'the process of the engine ended while it ran the case'),
        );
      case 'timeout':
        return new StepFailed(
          failed('run', 'timeout', `the case was still running after ${this.#run.limitMs / 1000} s`),
        );
      case 'aborted':
        return new StepFailed(aborted());
      case 'too-long':
        return this.#notOfTheProtocol('longer than a line may be');
    }
  }

  #notOfTheProtocol(problem: string): StepFailed {
    const line = `line ${this.#child.line} of the engine's stdout`;
    return new StepFailed(failed('decode', 'bad-answer', `${line} is not of the protocol: ${problem}`));
  }
}

function isDone(answer: Answer): answer is Done {
  return 'ok' in answer && answer.ok;
}

function told(answer: Exclude<Answer, Done | { settled: true }>): Outcome {
  if ('unsupported' in answer) return { kind: 'unsupported', reason: oneLine(answer.unsupported) };
  const { step, code, message, valueFree } = answer;
  const said = valueFree && message !== undefined ? `: ${oneLine(message)}` : '';
  return failed(step, code, `the engine says ${code}${said}`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

async function openForWriting(path: string) {
  const handle = await open(path, 'w');
  return {
    write: (bytes: Uint8Array) => handle.writeFile(bytes),
    [Symbol.asyncDispose]: () => handle.close(),
  };
}
