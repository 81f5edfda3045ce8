import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Case, Schedule } from '../../model/case.ts';
import { rowsOf } from '../../model/dataset.ts';
import { InputError } from '../../model/errors.ts';
import type { Evidence, Failed, Outcome, Step } from '../../model/outcome.ts';
import { streamsOf } from '../../model/plan/index.ts';
import type { CheckedQuery } from '../../model/query.ts';
import { flink as dialect } from '../../sql/flink.ts';
import { sqlOf, UnsupportedForm } from '../../sql/unsupported.ts';
import { KafkaError, type RunTopics } from '../../streams/kafka/run-topics.ts';
import { EngineError, type Session } from '../engine.ts';
import { type Cluster, SLOTS } from './cluster.ts';
import { producedOf, rowsRead } from './expectation.ts';
import { GatewaySession, Refused } from './gateway.ts';
import { HttpError } from './http.ts';
import { Job, type JobState, type JobStatus, runningJobs } from './job.ts';
import { settle } from './settle.ts';
import { connectionOf, outputTable, sourceTable } from './tables.ts';
import { flinkTraits } from './traits.ts';
import type { FlinkVersion } from './versions.ts';

const DEFAULT_SETTLE_LIMIT_MS = 180_000;
const STOP_LIMIT_MS = 120_000;
const COMMIT_LIMIT_MS = 60_000;
const CLEANUP_LIMIT_MS = 15_000;
const POLL_MS = 50;
const END_SEEN_MS = 2_000;
/** Shorter settings are words like `SSL`. */
const LEAST_SECRET = 6;

export interface FlinkOptions {
  readonly flink: FlinkVersion;
  readonly directory: string;
  readonly topics: RunTopics;
  /** Starts a cluster: at the beginning, and again after one that ended. @throws EngineError */
  readonly start: (signal: AbortSignal) => Promise<Cluster>;
  /** Default 180 s. */
  readonly settleLimitMs?: number | undefined;
}

/** What a run on Flink says of itself besides. */
export interface FlinkEvidence extends Evidence {
  /** Rows that the sources had read when the job ended, by Flink's count. */
  readonly sourceRows: number;
  /** Digits of the output's end, up to which it was read. */
  readonly endOffset: string;
}

/** @throws EngineError when the cluster does not start. */
export async function openFlink(options: FlinkOptions, signal: AbortSignal): Promise<FlinkSession> {
  return new FlinkSession(options, await options.start(signal));
}

/** Runs each case as a job of its own on the session's cluster; several may run at once. */
export class FlinkSession implements Session {
  readonly name: string;
  readonly version: string;
  readonly traits = flinkTraits;
  readonly #options: FlinkOptions;
  readonly #end = new AbortController();
  #cluster: Cluster;
  #restarting: Promise<void> | undefined;
  #runs = 0;

  constructor(options: FlinkOptions, cluster: Cluster) {
    this.version = options.flink.release;
    this.name = `flink ${options.flink.release}`;
    this.#options = options;
    this.#cluster = cluster;
  }

  /** The processes of the cluster; others once it had to be started again. */
  get pids(): readonly number[] {
    return this.#cluster.processes.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  sqlOf(query: CheckedQuery): string | undefined {
    return sqlOf(dialect.select(query));
  }

  async run(testCase: Case, signal: AbortSignal): Promise<Outcome> {
    const { query, schedule } = testCase;
    if (!this.traits.stops.includes(schedule.stop)) {
      return { kind: 'unsupported', reason: `a run on flink has no stop ${schedule.stop}` };
    }
    if (isExactlyOnce(schedule) && schedule.stop === 'cancel') {
      return {
        kind: 'unsupported',
        reason: 'a sink that commits at checkpoints shows nothing of a run cut short',
      };
    }
    if (schedule.parallelism > SLOTS) {
      return { kind: 'unsupported', reason: `the cluster has ${SLOTS} slots: parallelism ${SLOTS} at most` };
    }
    const rendered = dialect.select(query);
    if (rendered.kind === 'unsupported') return rendered;
    const ending = AbortSignal.any([signal, this.#end.signal]);
    const progress: { step: Step } = { step: 'open' };
    try {
      await this.#liveCluster(ending);
      return await this.#runCase(testCase, rendered.sql, progress, ending);
    } catch (error) {
      return await this.#outcomeOf(error, progress.step, ending);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#restarting?.catch(() => {});
    await this.#cluster[Symbol.asyncDispose]();
  }

  async #runCase(
    { query, dataset, schedule }: Case,
    sql: string,
    progress: { step: Step },
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { flink, topics, directory } = this.#options;
    const cluster = this.#cluster;
    const { name, declaration } = query.definition;
    const file = join(directory, `output-${++this.#runs}.ndjson`);
    progress.step = 'produce';
    const inputs = await topics.produce(dataset, signal);
    const output = await topics.createSink(`flink-${name}`);
    progress.step = 'submit';
    const gateway = await GatewaySession.open(
      cluster.gateway,
      {
        'execution.runtime-mode': 'streaming',
        'parallelism.default': String(schedule.parallelism),
        'pipeline.name': output,
        'table.local-time-zone': 'UTC',
        // Without any interval no transaction is ever committed; the one checkpoint of the run is asked for.
        ...(isExactlyOnce(schedule) ? { 'execution.checkpointing.interval': '1 d' } : {}),
      },
      signal,
    );
    try {
      const reads = streamsOf(query.plan);
      const connection = connectionOf(topics, flink);
      for (const { schema } of dataset.streams) {
        if (!reads.includes(schema.name)) continue;
        const topic = inputs.get(schema.name)!;
        await gateway.execute(
          sourceTable(schema, topic, `${output}-reader`, dataset.lagMs, connection),
          signal,
        );
      }
      const keys = declaration.class === 'materialised' ? declaration.keys : undefined;
      const sink = { topic: output, delivery: schedule.delivery ?? 'at-least-once' };
      const { create, insert } = outputTable(sql, query.columns, keys, sink, connection);
      await gateway.execute(create, signal);
      const cpuBefore = await cpuSecondsOf(cluster);
      const started = performance.now();
      const id = await gateway.execute(insert, signal);
      if (id === undefined) throw new CaseFailure('submit', 'engine-error', 'flink started no job');
      const job = new Job(cluster.jobs, id, flink);
      progress.step = 'run';
      const stopped = await this.#stop({ job, cluster, output, signal }, schedule, {
        produced: producedOf(dataset, schedule.parallelism),
        rows: rowsOf(dataset, reads),
      });
      const seconds = (performance.now() - started) / 1_000;
      const cpuAfter = await cpuSecondsOf(cluster);
      progress.step = 'drain';
      const capture = await topics.drain(output, stopped.endOffset, file, signal);
      if (isExactlyOnce(schedule)) requireTransactions(capture.records, stopped.endOffset);
      const evidence: FlinkEvidence = {
        engine: 'flink',
        version: this.version,
        sql,
        seconds,
        cpuSeconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
        sourceRows: stopped.rowsRead,
        endOffset: String(stopped.endOffset),
        notes: notesOf(stopped),
      };
      return { kind: 'output', capture, evidence };
    } finally {
      await cleanUp(cluster, gateway, output, flink);
    }
  }

  /** Runs a job to its scheduled stop, and stops it. */
  async #stop(
    running: Running,
    schedule: Schedule,
    input: { readonly produced: ReturnType<typeof producedOf>; readonly rows: number },
  ): Promise<Stopped> {
    const { job, cluster, signal } = running;
    switch (schedule.stop) {
      case 'settle-cancel': {
        const settled = await this.#settle(running, input.produced);
        const committed = isExactlyOnce(schedule) ? { endOffset: await this.#committedEnd(running) } : {};
        await job.cancel(signal);
        await ended(running, ['CANCELED'], 'run');
        return { ...settled, ...committed };
      }
      case 'drain': {
        const settled = await this.#settle(running, input.produced);
        await job.drain(cluster.savepoints, signal);
        await ended(running, ['FINISHED'], 'run');
        return { ...settled, endOffset: await this.#endOffset(running) };
      }
      default: {
        await this.#cancelPoint(running, schedule.cancelAfterRows, input.rows);
        await job.cancel(signal);
        await ended(running, ['CANCELED'], 'run');
        const state = await stateOf(running, { watermarks: false });
        return {
          rowsRead: rowsRead(state),
          atLeast: this.#options.flink.endsCountedAt !== 'vertex',
          endOffset: await this.#endOffset(running),
        };
      }
    }
  }

  async #settle(running: Running, produced: ReturnType<typeof producedOf>): Promise<Stopped> {
    const limitMs = this.#options.settleLimitMs ?? DEFAULT_SETTLE_LIMIT_MS;
    const state = () => stateOf(running, { watermarks: true });
    const endOffset = () => this.#endOffset(running);
    const settled = await settle({ state, produced, endOffset, limitMs });
    if (settled === 'ended') throw await jobFailure(running, 'run');
    if (settled === 'timeout') {
      throw new CaseFailure('settle', 'settle-timeout', `the job had not settled after ${limitMs / 1_000} s`);
    }
    return settled;
  }

  /** Has the sink commit what it has written. Returns the output's end thereafter. */
  async #committedEnd(running: Running): Promise<bigint> {
    const { job, output, signal } = running;
    if (!(await job.checkpoint(COMMIT_LIMIT_MS, signal))) {
      throw new CaseFailure('settle', 'checkpoint-failed', 'the job took no checkpoint once it had settled');
    }
    const deadline = performance.now() + COMMIT_LIMIT_MS;
    for (;;) {
      const end = await this.#endOffset(running);
      if ((await this.#options.topics.committedEnd(output)) === end) return end;
      if (performance.now() > deadline) {
        const message = `what the job had written was not committed ${COMMIT_LIMIT_MS / 1_000} s after its checkpoint`;
        throw new CaseFailure('settle', 'not-committed', message);
      }
      await sleep(POLL_MS);
    }
  }

  /** Waits until so many rows were read and one was written, or all there is was read. */
  async #cancelPoint(running: Running, after: number | undefined, all: number): Promise<void> {
    const limitMs = this.#options.settleLimitMs ?? DEFAULT_SETTLE_LIMIT_MS;
    const deadline = performance.now() + limitMs;
    for (;;) {
      const state = await stateOf(running, { watermarks: false });
      if (state.status !== 'RUNNING' && state.status !== 'OTHER') throw await jobFailure(running, 'run');
      const read = rowsRead(state);
      if (read >= all) return;
      // A run that has given nothing yet could not be told from one that never would.
      if (read >= (after ?? 0) && (await this.#endOffset(running)) > 0n) return;
      if (performance.now() > deadline) {
        throw new CaseFailure('run', 'timeout', `the job had not come so far after ${limitMs / 1_000} s`);
      }
      await sleep(POLL_MS);
    }
  }

  #endOffset({ output }: Running): Promise<bigint> {
    return this.#options.topics.endOffset(output);
  }

  /** Replaces a cluster of which a process has ended. */
  async #liveCluster(signal: AbortSignal): Promise<void> {
    if (this.#cluster.running) return;
    this.#restarting ??= (async () => {
      await this.#cluster[Symbol.asyncDispose]();
      this.#cluster = await this.#options.start(signal);
    })();
    try {
      await this.#restarting;
    } finally {
      this.#restarting = undefined;
    }
  }

  async #outcomeOf(error: unknown, step: Step, signal: AbortSignal): Promise<Outcome> {
    if (signal.aborted) return failed(step, 'aborted', 'the run was aborted');
    if (error instanceof CaseFailure) return error.outcome;
    if (error instanceof UnsupportedForm) return { kind: 'unsupported', reason: error.message };
    if (error instanceof EngineError) return failed('open', error.code, error.message);
    if (error instanceof KafkaError) return failed(step, error.code, error.message);
    if (error instanceof InputError) return failed(step, 'input-error', error.message);
    if (isOfFetch(error)) await ending(this.#cluster);
    // First, since a gateway without its JobManager takes no statement either.
    if (!this.#cluster.running) return crashed(step, this.#cluster).outcome;
    if (error instanceof Refused)
      return failed('submit', 'engine-refused', this.#withoutSecrets(error.message));
    if (error instanceof HttpError) return failed(step, 'engine-error', error.message);
    if (isOfFetch(error)) return failed(step, 'engine-error', 'flink did not answer');
    throw error;
  }

  #withoutSecrets(message: string): string {
    return Object.values(this.#options.topics.clientProperties).reduce(
      (text, value) => (value.length < LEAST_SECRET ? text : text.replaceAll(value, '…')),
      message,
    );
  }
}

/** A job that was submitted, and where its output goes. */
interface Running {
  readonly job: Job;
  readonly cluster: Cluster;
  readonly output: string;
  readonly signal: AbortSignal;
}

interface Stopped {
  readonly rowsRead: number;
  /** Where the count was not final when the job ended. */
  readonly atLeast?: boolean;
  readonly endOffset: bigint;
  readonly watermark?: 'expected' | 'other';
}

/** Ends a case early, with what is to be said of it. */
class CaseFailure extends Error {
  override readonly name = 'CaseFailure';
  readonly outcome: Failed;

  constructor(step: Step, code: string, message: string) {
    super(code);
    this.outcome = failed(step, code, message);
  }
}

function isExactlyOnce({ delivery }: Schedule): boolean {
  return delivery === 'exactly-once';
}

/** A sink that writes outside of transactions would show the same rows, and promise nothing. */
function requireTransactions(records: number, endOffset: bigint): void {
  if (endOffset === 0n || BigInt(records) < endOffset) return;
  const message = 'the sink wrote its rows outside of transactions: exactly once was not exercised';
  throw new CaseFailure('drain', 'not-transactional', message);
}

function failed(step: Step, code: string, message: string): Failed {
  return { kind: 'failed', step, code, message };
}

/** What the job is doing. A job does not tell of a process that has ended, or only minutes later. */
async function stateOf(
  { job, cluster, signal }: Running,
  which: { readonly watermarks: boolean },
): Promise<JobState> {
  if (!cluster.running) throw crashed('run', cluster);
  return job.state(signal, which);
}

/** Connections to a process that ends break a moment before it is seen to have ended. */
async function ending(cluster: Cluster): Promise<void> {
  const deadline = performance.now() + END_SEEN_MS;
  while (cluster.running && performance.now() < deadline) await sleep(POLL_MS);
}

function crashed(step: Step, { processes }: Cluster): CaseFailure {
  const gone = processes.find(({ running }) => !running);
  const what = `the ${gone?.name} of flink ended with exit code ${gone?.exitCode} while it ran the case`;
  return new CaseFailure(step, 'engine-crashed', what);
}

/** What a reader of the report should know besides the output. */
function notesOf({ rowsRead: rows, atLeast, endOffset, watermark }: Stopped): readonly string[] {
  const ended = `its sources had read ${atLeast ? 'at least ' : ''}${rows} rows, and the output ended at offset ${endOffset}`;
  return watermark === 'other'
    ? [ended, 'a subtask came to rest at another watermark than the data call for']
    : [ended];
}

/** Waits until a job that was stopped has ended as it should. */
async function ended(running: Running, wanted: readonly JobStatus[], step: Step): Promise<void> {
  const status = await running.job.end(STOP_LIMIT_MS, running.signal);
  if (status === undefined) {
    throw new CaseFailure(
      step,
      'stop-timeout',
      `the job had not ended ${STOP_LIMIT_MS / 1_000} s after its stop`,
    );
  }
  if (!wanted.includes(status)) throw await jobFailure(running, step);
}

async function jobFailure({ job, signal }: Running, step: Step): Promise<CaseFailure> {
  const why = await job.failure(signal);
  return why === ''
    ? new CaseFailure(step, 'job-ended', 'the job ended by itself')
    : new CaseFailure(step, 'job-failed', `the job failed with ${why}`);
}

/** Leaves no session and no job of that name behind, whatever became of the case, and where it was aborted. */
async function cleanUp(
  cluster: Cluster,
  gateway: GatewaySession,
  name: string,
  flink: FlinkVersion,
): Promise<void> {
  const signal = AbortSignal.timeout(CLEANUP_LIMIT_MS);
  try {
    // First, since a statement that is still at work may start the job.
    await gateway.close(signal);
    for (const job of await runningJobs(cluster.jobs, name, flink, signal)) {
      await job.cancel(signal);
      await job.end(CLEANUP_LIMIT_MS, signal);
    }
  } catch {
    // The cluster is gone, and with it all of its jobs; or the next case finds out.
  }
}

async function cpuSecondsOf({ processes }: Cluster): Promise<number | undefined> {
  let sum = 0;
  for (const process of processes) {
    const seconds = await process.cpuSeconds();
    if (seconds === undefined) return undefined;
    sum += seconds;
  }
  return sum;
}

/** `fetch` throws a TypeError where there is no connection, and the reason of a signal at a limit. */
function isOfFetch(error: unknown): boolean {
  return (
    (error instanceof TypeError && error.cause !== undefined) ||
    (error instanceof DOMException && (error.name === 'TimeoutError' || error.name === 'AbortError'))
  );
}
