import { setTimeout as sleep } from 'node:timers/promises';
import { type Http, HttpError } from './http.ts';
import type { FlinkVersion } from './versions.ts';

const POLL_MS = 50;

export type JobStatus = 'FINISHED' | 'CANCELED' | 'FAILED' | 'RUNNING' | 'OTHER';

const ENDED: ReadonlySet<JobStatus> = new Set(['FINISHED', 'CANCELED', 'FAILED']);

/** One vertex of a running job: operators that are chained into one task, on several subtasks. */
export interface Vertex {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly id: string;
  readonly parallelism: number;
  /** Rows that entered: from other vertices, or for a source from its topic. */
  readonly read: number;
  /** Rows that left: to other vertices, or for a sink to its topic. */
  readonly written: number;
  /** Of each subtask, where it has inputs and tells. */
  readonly watermarks: readonly bigint[];
}

export interface JobState {
  readonly status: JobStatus;
  readonly vertices: readonly Vertex[];
}

const READ_BY_SOURCE = /^Source__.*\.numRecordsIn$/;
const SENT_BY_SINK = /__Writer\.numRecordsSend$/;

interface JobAnswer {
  readonly state: string;
  readonly vertices: readonly {
    readonly id: string;
    readonly name: string;
    readonly parallelism: number;
    readonly metrics: Readonly<Record<'read-records' | 'write-records', number>>;
  }[];
  readonly plan: {
    readonly nodes: readonly { readonly id: string; readonly inputs?: readonly { readonly id: string }[] }[];
  };
}

/** A job, seen and ended through the JobManager's REST interface. */
export class Job {
  readonly id: string;
  readonly #jobs: Http;
  readonly #path: string;
  readonly #endsCountedAt: FlinkVersion['endsCountedAt'];

  constructor(jobs: Http, id: string, { endsCountedAt }: Pick<FlinkVersion, 'endsCountedAt'>) {
    this.id = id;
    this.#jobs = jobs;
    this.#path = `/jobs/${id}`;
    this.#endsCountedAt = endsCountedAt;
  }

  /** What it is doing. Metrics are some hundred milliseconds old. */
  async state(signal: AbortSignal, { watermarks }: { readonly watermarks: boolean }): Promise<JobState> {
    const { state, vertices, plan } = (await this.#jobs.get(this.#path, signal)) as JobAnswer;
    const inputsOf = new Map(plan.nodes.map(({ id, inputs = [] }) => [id, inputs.map((input) => input.id)]));
    const feeding = new Set([...inputsOf.values()].flat());
    const atOperators = this.#endsCountedAt === 'operator';
    return {
      status: statusOf(state),
      vertices: await Promise.all(
        vertices.map(async ({ id, name, parallelism, metrics }) => {
          const inputs = inputsOf.get(id) ?? [];
          const isSource = atOperators && inputs.length === 0;
          const isSink = atOperators && !feeding.has(id);
          return {
            id,
            name,
            inputs,
            parallelism,
            read: isSource ? await this.#operatorCount(id, READ_BY_SOURCE, signal) : metrics['read-records'],
            written: isSink ? await this.#operatorCount(id, SENT_BY_SINK, signal) : metrics['write-records'],
            watermarks: inputs.length === 0 || !watermarks ? [] : await this.#watermarks(id, signal),
          };
        }),
      ),
    };
  }

  /**
   * Asked where its metrics are, which the JobManager gives from a copy: a status of its own would be ahead of them, and
   * the metrics of a job that has ended would still be those before.
   */
  async status(signal: AbortSignal): Promise<JobStatus> {
    const { state } = (await this.#jobs.get(this.#path, signal)) as JobAnswer;
    return statusOf(state);
  }

  /**
   * The classes of the exception that failed it, outermost and innermost. Their messages may quote rows.
   */
  async failure(signal: AbortSignal): Promise<string> {
    const { exceptionHistory } = (await this.#jobs.get(
      `${this.#path}/exceptions?maxExceptions=1`,
      signal,
    )) as {
      exceptionHistory?: { entries?: readonly { exceptionName?: string; stacktrace?: string }[] };
    };
    const [entry] = exceptionHistory?.entries ?? [];
    const causes = [...(entry?.stacktrace ?? '').matchAll(/^Caused by: ((?:\w+\.)*[A-Z][\w$]*)/gm)];
    const names = [entry?.exceptionName, causes.at(-1)?.[1]].filter((name) => name !== undefined);
    return [...new Set(names)].map((name) => name.slice(name.lastIndexOf('.') + 1)).join(', caused by ');
  }

  /** Asks it to end at once. Nothing that waits fires. */
  async cancel(signal: AbortSignal): Promise<void> {
    await this.#tolerant(() => this.#jobs.patch(`${this.#path}?mode=cancel`, signal));
  }

  /** Asks it to take its input for ended: everything that waits fires, and it finishes. */
  async drain(savepoints: string, signal: AbortSignal): Promise<void> {
    await this.#jobs.post(
      `${this.#path}/stop`,
      { drain: true, targetDirectory: `file://${savepoints}` },
      signal,
    );
  }

  /** Has it take a checkpoint. False where that failed, or took longer than the limit. */
  async checkpoint(limitMs: number, signal: AbortSignal): Promise<boolean> {
    const deadline = performance.now() + limitMs;
    const path = `${this.#path}/checkpoints`;
    const { 'request-id': id } = (await this.#jobs.post(path, { checkpointType: 'FULL' }, signal)) as {
      'request-id': string;
    };
    for (;;) {
      const { status, operation } = (await this.#jobs.get(`${path}/${id}`, signal)) as {
        status: { id: string };
        operation?: { checkpointId?: number };
      };
      if (status.id === 'COMPLETED') return operation?.checkpointId !== undefined;
      if (performance.now() > deadline) return false;
      await sleep(POLL_MS);
    }
  }

  /** Waits until it has ended; the status it then has, or undefined at the limit. */
  async end(limitMs: number, signal: AbortSignal): Promise<JobStatus | undefined> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const status = await this.status(signal);
      if (ENDED.has(status)) return status;
      if (performance.now() > deadline) return undefined;
      await sleep(POLL_MS);
    }
  }

  /** What an operator of a vertex counts, over all subtasks; 0 as long as none tells. */
  async #operatorCount(vertex: string, metric: RegExp, signal: AbortSignal): Promise<number> {
    const path = `${this.#path}/vertices/${vertex}/subtasks/metrics`;
    const known = (await this.#jobs.get(path, signal)) as readonly { id: string }[];
    const name = known.find(({ id }) => metric.test(id))?.id;
    if (name === undefined) return 0;
    const asked = `${path}?agg=sum&get=${encodeURIComponent(name)}`;
    const [answer] = (await this.#jobs.get(asked, signal)) as readonly { sum: number }[];
    return answer?.sum ?? 0;
  }

  async #watermarks(vertex: string, signal: AbortSignal): Promise<readonly bigint[]> {
    const answer = (await this.#jobs.get(`${this.#path}/vertices/${vertex}/watermarks`, signal)) as readonly {
      value: string;
    }[];
    return answer.map(({ value }) => BigInt(value));
  }

  /** A job that has ended in between refuses to be ended. */
  async #tolerant(request: () => Promise<unknown>): Promise<void> {
    try {
      await request();
    } catch (error) {
      if (!(error instanceof HttpError && (error.status === 409 || error.status === 404))) throw error;
    }
  }
}

/** The jobs of a name that have not ended. */
export async function runningJobs(
  jobs: Http,
  name: string,
  version: FlinkVersion,
  signal: AbortSignal,
): Promise<readonly Job[]> {
  const { jobs: all } = (await jobs.get('/jobs/overview', signal)) as {
    jobs: readonly { jid: string; name: string; state: string }[];
  };
  return all
    .filter((job) => job.name === name && !ENDED.has(statusOf(job.state)))
    .map(({ jid }) => new Job(jobs, jid, version));
}

function statusOf(state: string): JobStatus {
  switch (state) {
    case 'FINISHED':
    case 'CANCELED':
    case 'FAILED':
    case 'RUNNING':
      return state;
    default:
      return 'OTHER';
  }
}
