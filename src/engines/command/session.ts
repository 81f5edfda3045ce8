import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from '../../model/case.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { Transport } from '../../model/traits.ts';
import type { RunTopics } from '../../streams/kafka/run-topics.ts';
import { EngineError, type Session } from '../engine.ts';
import { Staging } from '../staging.ts';
import { aborted, atStep, StepFailed } from '../step-failed.ts';
import type { CommandConfig } from './config.ts';
import type { Hello } from './messages.ts';
import { type Input, runOn } from './run.ts';
import { type Started, start } from './start.ts';

/** Wall time that a case may take. */
const DEFAULT_LIMIT_MS = 300_000;

export interface CommandOptions {
  readonly directory: string;
  readonly config: CommandConfig;
  readonly topics?: RunTopics | undefined;
  readonly signal: AbortSignal;
  /** Default 300 s. */
  readonly limitMs?: number | undefined;
}

/** @throws EngineError when the engine does not start, or does not keep to the protocol. */
export async function openCommand(options: CommandOptions): Promise<CommandSession> {
  await mkdir(options.directory, { recursive: true });
  const transport = options.topics === undefined ? 'files' : 'kafka';
  return new CommandSession(options, transport, await start(options.config, transport, options.signal));
}

/** Runs one case at a time on a resident process of the user's. */
export class CommandSession implements Session {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly traits: Hello['traits'];
  readonly #directory: string;
  readonly #config: CommandConfig;
  readonly #topics: RunTopics | undefined;
  readonly #transport: Transport;
  readonly #limitMs: number;
  readonly #staging: Staging;
  #started: Started;
  #runs = 0;

  constructor(
    { directory, config, topics, limitMs = DEFAULT_LIMIT_MS }: CommandOptions,
    transport: Transport,
    started: Started,
  ) {
    const { name, version, traits } = started.hello;
    this.name = `${name} ${version}`;
    this.version = version;
    this.sha256 = config.sha256;
    this.traits = traits;
    this.#directory = directory;
    this.#config = config;
    this.#topics = topics;
    this.#transport = transport;
    this.#limitMs = limitMs;
    this.#staging = new Staging(directory);
    this.#started = started;
  }

  /** The resident process; another one after each that ended. */
  get pid(): number | undefined {
    return this.#started.child.pid;
  }

  async run(testCase: Case, signal: AbortSignal): Promise<Outcome> {
    const { stop } = testCase.schedule;
    // There is no word for a kill in the protocol.
    if (!this.traits.stops.includes(stop) || stop === 'kill') {
      return { kind: 'unsupported', reason: `${this.name} has no stop ${stop}` };
    }
    if (signal.aborted) return aborted();
    this.#runs += 1;
    const output = join(this.#directory, `output-${this.#runs}.ndjson`);
    try {
      const input = await atStep('produce', () => this.#input(testCase, output, signal));
      await atStep('open', () => this.#restart(signal));
      const { child, hello } = this.#started;
      return await runOn(child, {
        id: this.#runs,
        testCase,
        input,
        output,
        topics: this.#topics,
        hello,
        limitMs: this.#limitMs,
        signal,
      });
    } catch (error) {
      // Whatever an aborted run was at, that it was aborted is why it failed.
      if (error instanceof StepFailed) return signal.aborted ? aborted() : error.outcome;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#started.child.end();
  }

  async #input({ dataset, query }: Case, output: string, signal: AbortSignal): Promise<Input> {
    const { lagMs } = dataset;
    const topics = this.#topics;
    if (topics === undefined) {
      const { files } = await this.#staging.stage(dataset);
      const streams = dataset.streams.map(({ schema }) => ({ schema, file: files.get(schema.name)! }));
      return { dataset: { lagMs, streams }, output };
    }
    const names = await topics.produce(dataset, signal);
    const streams = dataset.streams.map(({ schema, partitions }) => ({
      schema,
      topic: names.get(schema.name)!,
      partitions: partitions.length,
    }));
    const sink = await topics.createSink(query.definition.name);
    return {
      dataset: { lagMs, streams },
      kafka: { brokers: topics.brokers, properties: topics.clientProperties, sink },
    };
  }

  /** Replaces a process that has ended. It must be the same engine again. */
  async #restart(signal: AbortSignal): Promise<void> {
    if (this.#started.child.running) return;
    const again = await start(this.#config, this.#transport, signal);
    if (JSON.stringify(again.hello) !== JSON.stringify(this.#started.hello)) {
      await again.child.kill();
      throw new EngineError('start-failed', 'the engine says other things of itself than when it was opened');
    }
    this.#started = again;
  }
}
