import type { History, Lsn, PgText, Statement, Step } from '../../model/history/index.ts';
import { columnText, identityStatement, storageStatement } from './history-tables.ts';
import { parseLsn } from './lsn.ts';
import { quoteName } from './names.ts';
import { openSession, type Session } from './session.ts';

/** A transaction that was committed. */
export interface WrittenCommit {
  /** Its number; undefined when it wrote nothing at all. */
  readonly xid: number | undefined;
  /** Where the log ended before COMMIT and after it: the commit record is in between. */
  readonly before: Lsn;
  readonly after: Lsn;
}

/** What the server said of a history while it was written, by the number of the step. */
export interface WrittenHistory {
  readonly commits: ReadonlyMap<number, WrittenCommit>;
  /** Messages, transactional or not: the end of their record. */
  readonly messages: ReadonlyMap<number, Lsn>;
}

export interface WriteOptions {
  readonly url: string;
  readonly history: History;
  /** Called after each step; a step waits for it. */
  readonly afterStep?: ((step: number) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Runs a history step by step, each of its connections on one of its own, on tables that `createHistoryTables` made.
 *
 * @throws PostgresError naming the step that the server refused.
 */
export async function writeHistory({
  url,
  history,
  afterStep,
  signal,
}: WriteOptions): Promise<WrittenHistory> {
  const commits = new Map<number, WrittenCommit>();
  const messages = new Map<number, Lsn>();
  const sessions = new Map<number, Session>();
  const open = new Set<number>();
  try {
    for (const [number, step] of history.steps.entries()) {
      let session = sessions.get(step.connection);
      if (session === undefined) {
        session = await openSession({ url, signal });
        sessions.set(step.connection, session);
      }
      const doing = `run step ${number} of the history`;
      if (step.do === 'begin') open.add(step.connection);
      if (step.do === 'commit' || step.do === 'rollback') open.delete(step.connection);
      if (step.do === 'commit') {
        commits.set(number, await commit(session, doing));
      } else if (open.has(step.connection) || isBoundary(step) || isStandalone(step)) {
        const lsn = await run(session, step, doing);
        if (lsn !== undefined) messages.set(number, lsn);
      } else {
        // A transaction of its own, spelt out so that its number can be asked.
        await session.query('BEGIN', undefined, doing);
        const lsn = await run(session, step, doing);
        if (lsn !== undefined) messages.set(number, lsn);
        commits.set(number, await commit(session, doing));
      }
      await afterStep?.(number);
    }
  } finally {
    for (const session of sessions.values()) await session.close();
  }
  return { commits, messages };
}

function isBoundary({ do: what }: Step): boolean {
  return ['begin', 'commit', 'rollback', 'savepoint', 'rollback-to', 'release'].includes(what);
}

function isStandalone(step: Step): boolean {
  return step.do === 'message' && !step.transactional;
}

const NUMBER_MASK = 0xffff_ffffn;

async function commit(session: Session, doing: string): Promise<WrittenCommit> {
  const [before] = await session.query(
    'SELECT pg_current_xact_id_if_assigned() AS xid, pg_current_wal_insert_lsn() AS lsn',
    undefined,
    doing,
  );
  const [after] = await session.query('COMMIT; SELECT pg_current_wal_insert_lsn() AS lsn', undefined, doing);
  const xid = before?.xid;
  return {
    // The stream tells it without its epoch.
    xid: typeof xid === 'string' ? Number(BigInt(xid) & NUMBER_MASK) : undefined,
    before: parseLsn(before?.lsn),
    after: parseLsn(after?.lsn),
  };
}

/** Runs one step; of a message, where it is. */
async function run(session: Session, step: Step, doing: string): Promise<Lsn | undefined> {
  switch (step.do) {
    case 'begin':
    case 'commit':
    case 'rollback':
      await session.query(step.do.toUpperCase(), undefined, doing);
      return undefined;
    case 'savepoint':
      await session.query(`SAVEPOINT ${quoteName(step.name)}`, undefined, doing);
      return undefined;
    case 'rollback-to':
      await session.query(`ROLLBACK TO SAVEPOINT ${quoteName(step.name)}`, undefined, doing);
      return undefined;
    case 'release':
      await session.query(`RELEASE SAVEPOINT ${quoteName(step.name)}`, undefined, doing);
      return undefined;
    case 'message': {
      const [row] = await session.query(
        `SELECT pg_logical_emit_message($1::bool, $2, decode($3, 'base64')) AS lsn`,
        [`${step.transactional}`, step.prefix, step.content],
        doing,
      );
      return parseLsn(row?.lsn);
    }
    default: {
      for (const part of inParts(step)) {
        const { sql, parameters } = statementOf(part);
        await session.query(sql, parameters, doing);
      }
      return undefined;
    }
  }
}

type TableStatement = Exclude<Statement, { do: 'message' }>;

/** The protocol counts parameters in 16 bits. */
const MOST_PARAMETERS = 60_000;

/** A step as statements that do the same one after the other. */
function inParts(step: TableStatement): readonly TableStatement[] {
  if (step.do !== 'insert') return [step];
  const size = Math.floor(MOST_PARAMETERS / Object.keys(step.rows[0] ?? {}).length);
  const count = Math.ceil(step.rows.length / size);
  return Array.from({ length: count }, (_, part) => ({
    ...step,
    rows: step.rows.slice(part * size, (part + 1) * size),
  }));
}

interface SqlStatement {
  readonly sql: string;
  readonly parameters?: readonly PgText[];
}

function statementOf(step: TableStatement): SqlStatement {
  const parameters: PgText[] = [];
  // Without a type of its own: the server takes it for the column's.
  const parameter = (value: PgText) => `$${parameters.push(value)}`;
  const assignments = (values: Readonly<Record<string, PgText>>, between: string) =>
    Object.entries(values)
      .map(([name, value]) => `${quoteName(name)} = ${parameter(value)}`)
      .join(between);
  switch (step.do) {
    case 'insert': {
      const columns = Object.keys(step.rows[0] ?? {});
      const rows = step.rows.map(
        (row) => `(${columns.map((name) => parameter(row[name] ?? null)).join(', ')})`,
      );
      const into = `${quoteName(step.table)} (${columns.map(quoteName).join(', ')})`;
      return { sql: `INSERT INTO ${into} VALUES ${rows.join(', ')}`, parameters };
    }
    case 'update': {
      const set = assignments(step.set, ', ');
      const where = assignments(step.key, ' AND ');
      return { sql: `UPDATE ${quoteName(step.table)} SET ${set} WHERE ${where}`, parameters };
    }
    case 'delete':
      return {
        sql: `DELETE FROM ${quoteName(step.table)} WHERE ${assignments(step.key, ' AND ')}`,
        parameters,
      };
    case 'truncate':
      return { sql: `TRUNCATE ${step.tables.map(quoteName).join(', ')}` };
    case 'add-column': {
      const add = `ALTER TABLE ${quoteName(step.table)} ADD COLUMN ${columnText(step.column)}`;
      return { sql: step.column.toast ? `${add}; ${storageStatement(step.table, step.column)}` : add };
    }
    case 'drop-column':
      return { sql: `ALTER TABLE ${quoteName(step.table)} DROP COLUMN ${quoteName(step.column)}` };
    case 'set-identity':
      return { sql: identityStatement(step.table, step.identity) };
  }
}
