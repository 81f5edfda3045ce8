import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Case } from '../../model/case.ts';
import { type Dataset, rowCount } from '../../model/dataset.ts';
import { InputError } from '../../model/errors.ts';
import type { Capture, Failed, Outcome } from '../../model/outcome.ts';
import type { CheckedQuery } from '../../model/query.ts';
import type { Column, StreamSchema } from '../../model/schema.ts';
import { decimalOf, type Type } from '../../model/type.ts';
import { duckdb as dialect } from '../../sql/duckdb.ts';
import { postgresIdentifier } from '../../sql/postgres.ts';
import { sqlOf } from '../../sql/unsupported.ts';
import { EngineError, type Session } from '../engine.ts';
import { fileCapture } from '../file-capture.ts';
import { memoryBytes } from '../memory-bytes.ts';
import { Staging } from '../staging.ts';
import { duckdbTraits } from './traits.ts';

const MOST_THREADS = 2;

/** Up to here one thread is the faster: work that is shared out has to be waited for. */
const ROWS_OF_ONE_THREAD = 20_000;

const OPTIONS = {
  threads: String(MOST_THREADS),
  memory_limit: '2GB',
  // Nothing is fetched from the network, however the SQL of a case may read.
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/** Starts an embedded database in memory. */
export async function openDuckdb(directory: string, version: string): Promise<Session> {
  await mkdir(directory, { recursive: true });
  try {
    const instance = await DuckDBInstance.create(':memory:', {
      ...OPTIONS,
      temp_directory: join(directory, 'spill'),
    });
    return new DuckdbSession(directory, version, instance, await instance.connect());
  } catch (error) {
    throw new EngineError('start-failed', `duckdb does not start: ${kindOf(error)}`);
  }
}

/** Runs one case at a time: the tables are those of one dataset. */
class DuckdbSession implements Session {
  readonly name: string;
  readonly version: string;
  readonly traits = duckdbTraits;
  readonly #directory: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #staging: Staging;
  #loaded: Dataset | undefined;
  #schemas: readonly StreamSchema[] = [];
  #threads = MOST_THREADS;
  #runs = 0;

  constructor(directory: string, version: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    this.name = `duckdb ${version}`;
    this.version = version;
    this.#directory = directory;
    this.#instance = instance;
    this.#connection = connection;
    this.#staging = new Staging(directory);
  }

  sqlOf(query: CheckedQuery): string | undefined {
    return sqlOf(dialect.select(query));
  }

  async run({ query, dataset, schedule }: Case, signal: AbortSignal): Promise<Outcome> {
    if (!this.traits.stops.includes(schedule.stop)) {
      return {
        kind: 'unsupported',
        reason: `a batch engine reads to the end: it has no stop ${schedule.stop}`,
      };
    }
    const rendered = dialect.select(query);
    if (rendered.kind === 'unsupported') return rendered;
    const { sql } = rendered;
    const notLoaded = await this.#interruptible('produce', signal, () => this.#load(dataset));
    if (notLoaded !== undefined) return notLoaded;
    const started = performance.now();
    const cpu = process.cpuUsage();
    let capture: Capture | undefined;
    const notRun = await this.#interruptible('run', signal, async () => {
      capture = await this.#answer(exact(sql, query.columns));
    });
    if (notRun !== undefined) return notRun;
    const { user, system } = process.cpuUsage(cpu);
    return {
      kind: 'output',
      capture: capture!,
      evidence: {
        engine: 'duckdb',
        version: this.version,
        sql,
        seconds: (performance.now() - started) / 1000,
        cpuSeconds: (user + system) / 1e6,
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  /** Runs a step until it is done or the signal interrupts it. Undefined when it went through. */
  async #interruptible(
    step: 'produce' | 'run',
    signal: AbortSignal,
    work: () => Promise<unknown>,
  ): Promise<Failed | undefined> {
    if (signal.aborted) return aborted(step);
    const interrupt = () => this.#connection.interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    try {
      await work();
      return undefined;
    } catch (error) {
      return signal.aborted ? aborted(step) : failed(step, error);
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }

  /**
   * Runs a query. A small answer stays in memory, which takes half the time of a file; a great one would not fit.
   *
   * It is planned anew each time: a plan that DuckDB 1.5 keeps has dropped the conditions that held for the rows of
   * its day, and answers wrongly once the table holds others.
   */
  async #answer(select: string): Promise<Capture> {
    if (this.#threads === 1) {
      const answer = await this.#connection.runAndReadAll(`SELECT to_json(t) FROM (${select}) AS t`);
      const lines = answer.getRows().map(([row]) => `${row}\n`);
      return { format: 'rows', bytes: memoryBytes(lines.join('')) };
    }
    this.#runs += 1;
    const path = join(this.#directory, `output-${this.#runs}.ndjson`);
    await this.#connection.run(`COPY (${select}) TO ${quoted(path)} (FORMAT json)`);
    return fileCapture('rows', path);
  }

  /** Makes the dataset's streams the tables of the database, unless they are already. */
  async #load(dataset: Dataset): Promise<void> {
    if (this.#loaded === dataset) return;
    const { files } = await this.#staging.stage(dataset);
    this.#loaded = undefined;
    const schemas = dataset.streams.map(({ schema }) => schema);
    if (!isDeepStrictEqual(schemas, this.#schemas)) await this.#createTables(schemas);
    const statements = schemas.flatMap(({ name, columns }) => {
      const table = postgresIdentifier(name);
      return [`DELETE FROM ${table}`, `INSERT INTO ${table} FROM ${storedRows(columns, files.get(name)!)}`];
    });
    await this.#connection.run(statements.join(';'));
    const rows = dataset.streams.reduce((sum, stream) => sum + rowCount(stream), 0);
    await this.#setThreads(rows > ROWS_OF_ONE_THREAD ? MOST_THREADS : 1);
    this.#loaded = dataset;
  }

  /** Tables stay while the schemas do. */
  async #createTables(schemas: readonly StreamSchema[]): Promise<void> {
    const drops = this.#schemas.map(({ name }) => `DROP TABLE IF EXISTS ${postgresIdentifier(name)}`);
    this.#schemas = schemas;
    await this.#connection.run([...drops, ...schemas.map(createTable)].join(';'));
  }

  async #setThreads(threads: number): Promise<void> {
    if (threads === this.#threads) return;
    await this.#connection.run(`SET threads = ${threads}`);
    this.#threads = threads;
  }
}

function createTable({ name, columns }: StreamSchema): string {
  const declared = columns.map((column) => `${postgresIdentifier(column.name)} ${storedType(column.type)}`);
  return `CREATE TABLE ${postgresIdentifier(name)} (${declared.join(', ')})`;
}

/** Declared columns, never inferred: a type guessed from a sample would lose digits. */
function storedRows(columns: readonly Column[], path: string): string {
  const declared = columns
    .map((column) => `${quoted(column.name)}: ${quoted(storedType(column.type))}`)
    .join(', ');
  return `read_json(${quoted(path)}, format = 'newline_delimited', columns = {${declared}})`;
}

function storedType(type: Type): string {
  switch (type) {
    case 'TIMESTAMP(3)':
      return 'BIGINT';
    case 'STRING':
      return 'VARCHAR';
    default:
      return type;
  }
}

/** The SELECT with the values that DuckDB's JSON has no exact form for written as text. */
function exact(sql: string, columns: readonly Column[]): string {
  if (!columns.some(({ type }) => type === 'DOUBLE' || decimalOf(type) !== null)) return sql;
  const items = columns.map(({ name, type }) => {
    const column = postgresIdentifier(name);
    if (type === 'DOUBLE') return `${doubleAsJson(column)} AS ${column}`;
    return decimalOf(type) === null ? column : `CAST(${column} AS VARCHAR) AS ${column}`;
  });
  return `SELECT ${items.join(', ')} FROM (${sql})`;
}

function doubleAsJson(column: string): string {
  return (
    `CASE WHEN isnan(${column}) THEN JSON '"NaN"' ` +
    `WHEN isinf(${column}) AND ${column} > 0 THEN JSON '"Infinity"' ` +
    `WHEN isinf(${column}) THEN JSON '"-Infinity"' ELSE to_json(${column}) END`
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** DuckDB's messages quote values, so only the kind of the error goes on. */
function kindOf(error: unknown): string {
  const kind =
    error instanceof Error
      ? /^([A-Z][A-Za-z]*(?: [A-Z]?[a-z]+)* Error):/.exec(error.message)?.[1]
      : undefined;
  return kind ?? 'unknown error';
}

function failed(step: 'produce' | 'run', error: unknown): Failed {
  if (error instanceof InputError)
    return { kind: 'failed', step, code: 'input-error', message: error.message };
  const kind = kindOf(error);
  if (step === 'run' && ['Parser Error', 'Binder Error', 'Catalog Error'].includes(kind)) {
    return {
      kind: 'failed',
      step: 'submit',
      code: 'engine-refused',
      message: `DuckDB refused the query: ${kind}`,
    };
  }
  return { kind: 'failed', step, code: 'engine-error', message: `DuckDB failed: ${kind}` };
}

function aborted(step: 'produce' | 'run'): Failed {
  return { kind: 'failed', step, code: 'aborted', message: 'the run was aborted' };
}
