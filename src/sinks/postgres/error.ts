/**
 * The source or the server could not be used. The message names the step and what to do, never a row value, a message's
 * content or a name that was given: a server's own messages quote them, so only its SQLSTATE is kept.
 */
export class PostgresError extends Error {
  override readonly name = 'PostgresError';
  readonly code: PostgresErrorCode;
  /** What the server calls it, five characters, where it was the server that refused. */
  readonly sqlState: string | undefined;

  constructor(code: PostgresErrorCode, message: string, sqlState?: string) {
    super(message);
    this.code = code;
    this.sqlState = sqlState;
  }
}

export type PostgresErrorCode =
  | 'unreachable'
  | 'not-logical'
  | 'no-replication-right'
  | 'no-publication'
  | 'no-slot'
  | 'slot-in-use'
  | 'bad-name'
  | 'unsupported'
  /** The server refused a statement. */
  | 'refused'
  | 'disconnected'
  /** What the server sent is not pgoutput. */
  | 'malformed'
  | 'timeout'
  | 'aborted'
  // Of a server of our own:
  | 'not-installed'
  | 'start-failed';

const SQL_STATE = /^[0-9A-Z]{5}$/;

/** The SQLSTATE of an error of the driver, if it is one of the server's. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  // The system's codes, such as EPIPE, have five letters too.
  if (typeof code !== 'string' || !SQL_STATE.test(code) || /^E[A-Z]+$/.test(code)) return undefined;
  return code;
}

/** An error of the driver in words that hold no value: `doing` says what was tried. */
export function refusal(error: unknown, doing: string): PostgresError {
  if (error instanceof PostgresError) return error;
  const sqlState = sqlStateOf(error);
  if (sqlState !== undefined && !ENDED.test(sqlState)) {
    return new PostgresError('refused', `the server refused to ${doing} (SQLSTATE ${sqlState})`, sqlState);
  }
  return new PostgresError('disconnected', `the connection ended while we tried to ${doing}`, sqlState);
}

/** Connection exceptions, and the server's end. */
const ENDED = /^(08|57P0)/;
