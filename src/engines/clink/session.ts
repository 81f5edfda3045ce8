import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from '../../model/case.ts';
import type { Dataset } from '../../model/dataset.ts';
import { InputError } from '../../model/errors.ts';
import type { Failed, Outcome } from '../../model/outcome.ts';
import type { CheckedQuery } from '../../model/query.ts';
import type { StreamSchema } from '../../model/schema.ts';
import { clink as dialect } from '../../sql/clink.ts';
import { sqlOf } from '../../sql/unsupported.ts';
import { EngineError, type Session } from '../engine.ts';
import { fileCapture } from '../file-capture.ts';
import { Staging } from '../staging.ts';
import { aborted, failed } from '../step-failed.ts';
import { failureOf } from './ends.ts';
import { Runner } from './runner.ts';
import { createTable, RESULT, resultTable } from './tables.ts';
import { clinkTraits } from './traits.ts';
import type { ClinkVariant } from './variant.ts';

/** Wall time that a case may take. */
const DEFAULT_LIMIT_MS = 300_000;

/** The library keeps about 0.1 MB of each engine that was closed, so the process is replaced now and then. */
const CASES_OF_A_PROCESS = 1_000;

/** The column that Clink adds to a changelog. */
const ROW_KIND = 'row_kind';

export interface ClinkOptions {
  readonly directory: string;
  readonly python: string;
  readonly variant: ClinkVariant;
  readonly signal: AbortSignal;
  /** Default 300 s. */
  readonly limitMs?: number | undefined;
}

/** @throws EngineError when the process does not start. */
export async function openClink(options: ClinkOptions): Promise<ClinkSession> {
  await mkdir(options.directory, { recursive: true });
  const library = options.variant.kind === 'local' ? options.variant.library : '';
  const start = (signal: AbortSignal) => Runner.start(options.python, library, signal);
  return new ClinkSession(options, start, await start(options.signal));
}

/** Runs one case at a time, each on an engine of its own in the one resident process. */
export class ClinkSession implements Session {
  readonly name: string;
  readonly version: string;
  readonly sha256?: string;
  readonly traits = clinkTraits;
  readonly #directory: string;
  readonly #limitMs: number;
  readonly #staging: Staging;
  readonly #start: (signal: AbortSignal) => Promise<Runner>;
  #runner: Runner;
  #runs = 0;

  constructor(
    { directory, variant, limitMs = DEFAULT_LIMIT_MS }: ClinkOptions,
    start: (signal: AbortSignal) => Promise<Runner>,
    runner: Runner,
  ) {
    this.version = runner.version;
    this.name =
      variant.kind === 'local' ? `clink ${runner.version} (local build)` : `clink ${runner.version}`;
    if (variant.kind === 'local') this.sha256 = variant.sha256;
    this.#directory = directory;
    this.#limitMs = limitMs;
    this.#staging = new Staging(directory);
    this.#start = start;
    this.#runner = runner;
  }

  /** The resident process; another one after each that ended. */
  get pid(): number | undefined {
    return this.#runner.pid;
  }

  sqlOf(query: CheckedQuery): string | undefined {
    return sqlOf(dialect.select(query));
  }

  async run({ query, dataset, schedule }: Case, signal: AbortSignal): Promise<Outcome> {
    if (!this.traits.stops.includes(schedule.stop)) {
      return {
        kind: 'unsupported',
        reason: `a file ends, so that a run over files has no stop ${schedule.stop}`,
      };
    }
    if (schedule.parallelism !== 1) {
      return {
        kind: 'unsupported',
        reason: 'every subtask of a file source reads the whole file: parallelism 1 only',
      };
    }
    const rendered = dialect.select(query);
    if (rendered.kind === 'unsupported') return rendered;
    const { sql } = rendered;
    const changelog = query.definition.declaration.class === 'materialised';
    if (changelog && query.columns.some(({ name }) => name === ROW_KIND)) {
      return { kind: 'unsupported', reason: `a changelog has a column ${ROW_KIND} of its own` };
    }
    let files: ReadonlyMap<string, string>;
    try {
      ({ files } = await this.#staging.stage(dataset));
      await this.#freshRunner(signal);
    } catch (error) {
      return signal.aborted ? aborted() : notStarted(error);
    }
    this.#runs += 1;
    const output = join(this.#directory, `output-${this.#runs}.ndjson`);
    const end = await this.#runner.run(
      {
        parallelism: schedule.parallelism,
        statements: [
          ...sources(dataset, files),
          resultTable(query.columns, {
            connector: 'collect',
            format: 'json',
            ...(changelog ? { changelog: 'true' } : {}),
          }),
          `INSERT INTO ${RESULT} ${sql};`,
        ],
        table: RESULT,
        changelog,
        output,
        limit_ms: this.#limitMs,
      },
      signal,
    );
    if (typeof end === 'string' || 'failed' in end) return failureOf(end, this.#limitMs);
    return {
      kind: 'output',
      capture: fileCapture(changelog ? 'changelog' : 'rows', output),
      evidence: {
        engine: 'clink',
        version: this.version,
        sql,
        seconds: end.seconds,
        cpuSeconds: end.cpu_seconds,
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runner.kill();
  }

  /** Replaces a process that has ended, or has run its share of cases. */
  async #freshRunner(signal: AbortSignal): Promise<void> {
    const spent = this.#runner.cases >= CASES_OF_A_PROCESS;
    if (spent) await this.#runner.kill();
    if (spent || !this.#runner.running) this.#runner = await this.#start(signal);
  }
}

function notStarted(error: unknown): Failed {
  if (error instanceof EngineError) return failed('open', error.code, error.message);
  if (error instanceof InputError) return failed('produce', 'input-error', error.message);
  throw error;
}

function sources(dataset: Dataset, files: ReadonlyMap<string, string>): string[] {
  return dataset.streams.map(({ schema }) => source(schema, files.get(schema.name)!, dataset.lagMs));
}

function source({ name, columns, eventTime }: StreamSchema, path: string, lagMs: number): string {
  return createTable(name, columns, {
    connector: 'file',
    format: 'json',
    path,
    event_time_column: eventTime,
    watermark_lag_ms: String(lagMs),
  });
}
