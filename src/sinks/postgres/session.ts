import pg from 'pg';
import { atMost, once } from '../../streams/bounded.ts';
import { aborted, refuseAborted, within } from './bounds.ts';
import { PostgresError, refusal, sqlStateOf } from './error.ts';

const CONNECT_MS = 10_000;
const STATEMENT_MS = 60_000;
const CLOSE_MS = 2_000;

/** A row as PostgreSQL writes its values. */
export type TextRow = Readonly<Record<string, string | null>>;

/** One connection for SQL. Values come and go as PostgreSQL text. */
export interface Session extends AsyncDisposable {
  /** The server's process behind it. */
  readonly pid: number;
  /** Rows of the last statement. `doing` is what an error says was tried. @throws PostgresError */
  query(sql: string, parameters?: readonly (string | null)[], doing?: string): Promise<readonly TextRow[]>;
  /** Ends it. Once is enough, twice does no harm. */
  close(): Promise<void>;
}

export interface SessionOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE` */
  readonly url: string;
  readonly signal: AbortSignal;
  /** For one statement; default a minute. */
  readonly statementMs?: number;
}

/** How values are written, whatever the server's or the user's defaults are. */
const TEXT_FORM = [
  ['client_encoding', 'UTF8'],
  ['datestyle', 'ISO, MDY'],
  ['intervalstyle', 'postgres'],
  ['timezone', 'UTC'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
  ['standard_conforming_strings', 'on'],
] as const;

/** The statement that makes a connection write values in the one form; `more` are further settings of it. */
export function settingTextForm(more: Readonly<Record<string, string>> = {}): string {
  const settings = [...TEXT_FORM, ...Object.entries(more)];
  return `SELECT ${settings.map(([name, value]) => `set_config('${name}', '${value}', false)`).join(', ')}`;
}

/**
 * Connects.
 *
 * @throws PostgresError `unreachable`, or `no-replication-right` when only the replication was refused, or `aborted`.
 */
export async function connect(
  { url, signal }: { readonly url: string; readonly signal: AbortSignal },
  replication = false,
): Promise<pg.Client> {
  refuseAborted(signal);
  const client = makeClient(url, replication);
  // A connection that breaks between two statements shows at the next one.
  client.on('error', () => {});
  try {
    await within(client.connect(), {
      limitMs: CONNECT_MS,
      signal,
      atLimit: () =>
        new PostgresError('unreachable', `the server did not answer within ${CONNECT_MS / 1_000} s`),
    });
    return client;
  } catch (error) {
    socketOf(client).destroy();
    if (signal.aborted) throw aborted();
    if (error instanceof PostgresError) throw error;
    throw unreachable(error, replication);
  }
}

function makeClient(url: string, replication: boolean): pg.Client {
  try {
    const options = {
      connectionString: url,
      types: { getTypeParser: () => (text: string) => text },
      ...(replication ? { replication: 'database' } : {}),
    };
    return new pg.Client(options as pg.ClientConfig);
  } catch {
    throw new PostgresError(
      'unreachable',
      'the URL of the server cannot be read: postgres://USER:PASSWORD@HOST:PORT/DATABASE is expected',
    );
  }
}

const REFUSED_RIGHT = new Set(['42501', '28000']);

function unreachable(error: unknown, replication: boolean): PostgresError {
  const sqlState = sqlStateOf(error);
  if (sqlState === undefined) {
    const code = (error as { code?: unknown } | null)?.code;
    const reason = typeof code === 'string' && /^[A-Z_]+$/.test(code) ? `: ${code}` : '';
    return new PostgresError('unreachable', `the server does not answer${reason}`);
  }
  if (replication && REFUSED_RIGHT.has(sqlState)) {
    return new PostgresError(
      'no-replication-right',
      `the user may not replicate: it takes ALTER ROLE … REPLICATION, and pg_hba.conf has to allow it (SQLSTATE ${sqlState})`,
      sqlState,
    );
  }
  return new PostgresError(
    'unreachable',
    `the server refused the connection (SQLSTATE ${sqlState})`,
    sqlState,
  );
}

/** The socket below a client. */
export function socketOf(client: pg.Client): import('node:net').Socket {
  return (client as unknown as { connection: { stream: import('node:net').Socket } }).connection.stream;
}

/** Ends a client politely, then by force. */
export async function closeClient(client: pg.Client): Promise<void> {
  await atMost(CLOSE_MS, client.end());
  socketOf(client).destroy();
}

/** Opens a connection for SQL. @throws PostgresError as {@link connect} does */
export async function openSession({
  url,
  signal,
  statementMs = STATEMENT_MS,
}: SessionOptions): Promise<Session> {
  const client = await connect({ url, signal });
  const close = once(() => closeClient(client));
  const query: Session['query'] = async (sql, parameters, doing = 'run a statement') => {
    try {
      const work = client.query(sql, parameters === undefined ? undefined : [...parameters]);
      const result = (await within(work, {
        limitMs: statementMs,
        signal,
        atLimit: () => new PostgresError('timeout', `the server took too long to ${doing}`),
      })) as pg.QueryResult<TextRow> | pg.QueryResult<TextRow>[];
      return Array.isArray(result) ? (result.at(-1)?.rows ?? []) : result.rows;
    } catch (error) {
      const failure = refusal(error, doing);
      // The statement still runs: nothing else may be said on this connection.
      if (failure.code === 'timeout' || failure.code === 'aborted') socketOf(client).destroy();
      throw failure;
    }
  };
  try {
    await query(settingTextForm(), undefined, 'set the form of values');
  } catch (error) {
    await close();
    throw error;
  }
  const pid = (client as unknown as { processID: number }).processID;
  return { pid, query, close, [Symbol.asyncDispose]: close };
}
