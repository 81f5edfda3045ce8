import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case, Schedule } from '../../model/case.ts';
import type { Dataset } from '../../model/dataset.ts';
import type { Outcome } from '../../model/outcome.ts';
import type { CheckedQuery } from '../../model/query.ts';
import { clink as dialect, keepsStateForever } from '../../sql/clink.ts';
import { sqlOf } from '../../sql/unsupported.ts';
import type { RunTopics } from '../../streams/kafka/run-topics.ts';
import type { Session } from '../engine.ts';
import { aborted, atStep, failed, StepFailed } from '../step-failed.ts';
import { type ClientOptions, clientOptions } from './client-options.ts';
import { cpuSecondsOf } from './cpu-time.ts';
import { failureOf } from './ends.ts';
import { Quiet } from './quiet.ts';
import { Runner, type RunnerEnd } from './runner.ts';
import { createTable, RESULT, resultTable } from './tables.ts';
import { clinkKafkaTraits } from './traits.ts';
import type { ClinkVariant } from './variant.ts';

/** How long a run may take to settle. */
const DEFAULT_SETTLE_LIMIT_MS = 180_000;

const SUBMIT_LIMIT_MS = 60_000;

/** How long the engine may take to end once it is cancelled. */
const CANCEL_LIMIT_MS = 20_000;

/** Between two looks at a sink. */
const POLL_MS = 250;

/** Between two looks where a run is to be cut short. */
const HASTY_POLL_MS = 50;

/** Each is a process with some sixty threads. */
const MOST_AT_ONCE = 6;

/** An output that pauses for so long has no more to say before it is cut short. */
const PAUSE_MS = 1_000;

export interface ClinkKafkaOptions {
  readonly directory: string;
  readonly python: string;
  readonly variant: ClinkVariant;
  readonly topics: RunTopics;
  readonly signal: AbortSignal;
  /** Default 180 s. */
  readonly settleLimitMs?: number | undefined;
}

/** @throws EngineError when the process does not start. */
export async function openClinkOverKafka(options: ClinkKafkaOptions): Promise<ClinkKafkaSession> {
  await mkdir(options.directory, { recursive: true });
  const client = await clientOptions(options.topics.clientProperties, options.directory);
  const library = options.variant.kind === 'local' ? options.variant.library : '';
  const start = (signal: AbortSignal) => Runner.start(options.python, library, signal);
  return new ClinkKafkaSession(options, client, start, await start(options.signal));
}

/**
 * Runs cases from topics to a topic, each in a process of its own: an engine holds 64 slots, and a job that was
 * cancelled can leave threads behind. Cases may run beside each other.
 */
export class ClinkKafkaSession implements Session {
  readonly name: string;
  readonly version: string;
  readonly sha256?: string;
  readonly traits = clinkKafkaTraits;
  readonly mostAtOnce = MOST_AT_ONCE;
  readonly #directory: string;
  readonly #topics: RunTopics;
  readonly #client: ClientOptions | string;
  readonly #settleLimitMs: number;
  readonly #start: (signal: AbortSignal) => Promise<Runner>;
  /** Started, and not yet given a case. */
  #waiting: Runner | undefined;
  readonly #runners = new Set<Runner>();
  #runs = 0;

  constructor(
    { directory, variant, topics, settleLimitMs = DEFAULT_SETTLE_LIMIT_MS }: ClinkKafkaOptions,
    client: ClientOptions | string,
    start: (signal: AbortSignal) => Promise<Runner>,
    runner: Runner,
  ) {
    this.version = runner.version;
    this.name =
      variant.kind === 'local' ? `clink ${runner.version} (local build)` : `clink ${runner.version}`;
    if (variant.kind === 'local') this.sha256 = variant.sha256;
    this.#directory = directory;
    this.#topics = topics;
    this.#client = client;
    this.#settleLimitMs = settleLimitMs;
    this.#start = start;
    this.#waiting = runner;
    this.#runners.add(runner);
  }

  /** The processes that run now. */
  get pids(): readonly number[] {
    return [...this.#runners].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  sqlOf(query: CheckedQuery): string | undefined {
    return sqlOf(dialect.select(query));
  }

  async run(testCase: Case, signal: AbortSignal): Promise<Outcome> {
    const { query, schedule } = testCase;
    if (!this.traits.stops.includes(schedule.stop)) {
      return {
        kind: 'unsupported',
        reason: `a topic does not end: a run over Kafka has no stop ${schedule.stop}`,
      };
    }
    const client = this.#client;
    if (typeof client === 'string') {
      return { kind: 'unsupported', reason: `Clink’s Kafka connector has no option for ${client}` };
    }
    const rendered = dialect.select(query);
    if (rendered.kind === 'unsupported') return rendered;
    if (signal.aborted) return aborted();
    try {
      return await this.#runSql(testCase, rendered.sql, client, signal);
    } catch (error) {
      // Whatever an aborted run was at, that it was aborted is why it failed.
      if (error instanceof StepFailed) return signal.aborted ? aborted() : error.outcome;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#runners].map((runner) => runner.kill()));
    this.#runners.clear();
  }

  async #runSql(
    { query, dataset, schedule }: Case,
    select: string,
    client: ClientOptions,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const topics = this.#topics;
    const names = await atStep('produce', () => topics.produce(dataset, signal));
    const sink = await atStep('produce', () => topics.createSink(query.definition.name));
    const sql = keepsStateForever(query) ? `${select}\nALLOW UNBOUNDED STATE` : select;
    const statements = [
      ...this.#sources(dataset, names, sink, client),
      this.#sink(query, sink, client),
      `INSERT INTO ${RESULT} ${sql};`,
    ];
    const runner = await this.#freshRunner(signal);
    let end: bigint | undefined;
    let stopped: RunnerEnd;
    let outputMs: number;
    const startedMs = performance.now();
    try {
      await this.#submit(runner, { statements, parallelism: schedule.parallelism, client }, signal);
      outputMs = (await this.#untilDue(runner, sink, schedule, signal)) - startedMs;
      // Before it is cancelled: what comes after that is no part of a settled output.
      if (schedule.stop === 'settle-cancel') end = await atStep('drain', () => topics.endOffset(sink));
      stopped = await runner.stop(CANCEL_LIMIT_MS + POLL_MS, signal);
      if (stopped === 'aborted') throw new StepFailed(aborted());
    } finally {
      await runner.kill();
      this.#runners.delete(runner);
    }
    const drainTo = end ?? (await atStep('drain', () => topics.endOffset(sink)));
    this.#runs += 1;
    const file = join(this.#directory, `output-${this.#runs}.ndjson`);
    const capture = await atStep('drain', () => topics.drain(sink, drainTo, file, signal));
    const done = typeof stopped === 'object' && 'seconds' in stopped ? stopped : undefined;
    return {
      kind: 'output',
      capture,
      evidence: {
        engine: 'clink',
        version: this.version,
        sql,
        seconds: done?.seconds ?? (performance.now() - startedMs) / 1000,
        cpuSeconds: done?.cpu_seconds,
        notes: [
          `the last output came ${(outputMs / 1000).toFixed(1)} s after the start`,
          ...cancelNote(stopped),
        ],
      },
    };
  }

  async #freshRunner(signal: AbortSignal): Promise<Runner> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting?.running) return waiting;
    if (waiting !== undefined) this.#runners.delete(waiting);
    const runner = await atStep('open', () => this.#start(signal));
    this.#runners.add(runner);
    return runner;
  }

  async #submit(
    runner: Runner,
    job: {
      readonly statements: readonly string[];
      readonly parallelism: number;
      readonly client: ClientOptions;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { statements, parallelism, client } = job;
    const refused = await runner.submit(
      { endless: true, parallelism, statements, cancel_ms: CANCEL_LIMIT_MS },
      SUBMIT_LIMIT_MS,
      signal,
    );
    if (refused === undefined) return;
    const failure = failureOf(refused, SUBMIT_LIMIT_MS);
    // A refusal quotes the statement, and that of a table holds what reaches the broker.
    const message = client.secrets.reduce((text, secret) => text.replaceAll(secret, '…'), failure.message);
    throw new StepFailed({ ...failure, message });
  }

  /** Waits until the run is due to be stopped. Returns when its output grew last. @throws StepFailed */
  async #untilDue(runner: Runner, sink: string, schedule: Schedule, signal: AbortSignal): Promise<number> {
    const quiet = new Quiet(performance.now());
    const deadlineMs = performance.now() + this.#settleLimitMs;
    const cutShort = schedule.stop === 'cancel';
    const enough = BigInt(Math.max(1, schedule.cancelAfterOutput ?? 1));
    for (;;) {
      const ended = await runner.watch(cutShort ? HASTY_POLL_MS : POLL_MS, signal);
      if (ended !== 'timeout') throw new StepFailed(failureOf(ended, this.#settleLimitMs));
      const records = await atStep('settle', () => this.#topics.endOffset(sink));
      quiet.see({ atMs: performance.now(), records, cpuSeconds: await cpuSecondsOf(runner.pid!) });
      // What was read cannot be seen; what came out of it stands for it.
      if (cutShort && (records >= enough || (records > 0n && quiet.quietMs >= PAUSE_MS)))
        return quiet.changedMs;
      if (quiet.state === 'settled') return quiet.changedMs;
      if (quiet.state === 'nothing-seen') {
        const message =
          'the engine is idle and has written nothing: whether it has read anything cannot be told';
        throw new StepFailed(failed('settle', 'nothing-seen', message));
      }
      if (performance.now() > deadlineMs) {
        const message = `the output was still not quiet after ${this.#settleLimitMs / 1000} s`;
        throw new StepFailed(failed('settle', 'settle-timeout', message));
      }
    }
  }

  #sources(
    { streams, lagMs }: Dataset,
    names: ReadonlyMap<string, string>,
    sink: string,
    { options }: ClientOptions,
  ): string[] {
    return streams.map(({ schema: { name, columns, eventTime } }) =>
      createTable(name, columns, {
        ...this.#topic(names.get(name)!, options),
        // No run has the sink of another.
        group_id: `${sink}-${name}`,
        auto_offset_reset: 'earliest',
        event_time_column: eventTime,
        watermark_lag_ms: String(lagMs),
      }),
    );
  }

  #sink({ columns, definition }: CheckedQuery, sink: string, { options }: ClientOptions): string {
    const { declaration } = definition;
    return resultTable(columns, {
      ...this.#topic(sink, options),
      ...(declaration.class === 'materialised'
        ? { mode: 'upsert', primary_key: declaration.keys.join(',') }
        : {}),
    });
  }

  #topic(topic: string, options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
    return { connector: 'kafka', format: 'json', brokers: this.#topics.brokers, topic, ...options };
  }
}

/** Cancelling raises a transport error after many a correct run. The output was complete by then. */
function cancelNote(end: RunnerEnd): string[] {
  if (typeof end === 'string') return [`cancelling: ${end}`];
  if ('failed' in end) return [`cancelling: the engine failed with ${end.detail}`];
  return end.cancel_raised === undefined ? [] : [`cancelling raised ${end.cancel_raised}`];
}
