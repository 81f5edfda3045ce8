import { once } from '../../streams/bounded.ts';
import { isOurs, nameOfOurs, quoteName } from '../postgres/names.ts';
import { openSession, type Session } from '../postgres/session.ts';

/** A database of ours on somebody's server, gone when it is closed. */
export interface ScratchDatabase extends AsyncDisposable {
  /** As the server's, but for the database. */
  readonly url: string;
  close(): Promise<void>;
}

const LOCK = 'hashtextextended($1, 0)';

/**
 * Makes a database of ours, and drops those that a run of ours left which ended without being closed: whose connection
 * is gone. Nobody else's is touched. @throws PostgresError
 */
export async function openScratchDatabase(url: string, signal: AbortSignal): Promise<ScratchDatabase> {
  // It has to drop after the signal, so it does not hear it.
  const session = await openSession({ url, signal: new AbortController().signal });
  const name = nameOfOurs();
  const close = once(async () => {
    try {
      await drop(session, url, name);
    } finally {
      await session.close();
    }
  });
  try {
    signal.throwIfAborted();
    await sweep(session, url);
    await session.query(`SELECT pg_advisory_lock(${LOCK})`, [name], 'take a lock');
    // Of template0: the user's template may hold what our names meet, and not every text.
    const how = `TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'`;
    await session.query(`CREATE DATABASE ${name} ${how}`, undefined, 'make a database of ours');
  } catch (error) {
    await session.close();
    throw error;
  }
  return { url: withDatabase(url, name), close, [Symbol.asyncDispose]: close };
}

function withDatabase(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

/** A logical slot is dropped from within its database, and a database that has one is not. */
async function drop(session: Session, url: string, name: string): Promise<void> {
  await using inside = await openSession({
    url: withDatabase(url, name),
    signal: new AbortController().signal,
  });
  const slots = await inside.query(
    'SELECT slot_name FROM pg_replication_slots WHERE database = current_database()',
    undefined,
    'list our slots',
  );
  for (const { slot_name } of slots) {
    if (typeof slot_name !== 'string' || !isOurs(slot_name)) continue;
    await inside.query('SELECT pg_drop_replication_slot($1)', [slot_name], 'drop our slot');
  }
  await inside.close();
  await session.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, undefined, 'drop our database');
}

/** Every run holds a lock for its database, which the server gives up when its connection is gone. */
async function sweep(session: Session, url: string): Promise<void> {
  const found = await session.query('SELECT datname FROM pg_database', undefined, 'list databases');
  for (const { datname } of found) {
    if (typeof datname !== 'string' || !isOurs(datname)) continue;
    const [got] = await session.query(
      `SELECT pg_try_advisory_lock(${LOCK}) AS got`,
      [datname],
      'take a lock',
    );
    if (got?.got !== 't') continue;
    try {
      await drop(session, url, datname);
    } catch {
      // Another role's, or somebody is at it: it is not in our way.
    } finally {
      await session.query(`SELECT pg_advisory_unlock(${LOCK})`, [datname], 'give a lock back');
    }
  }
}

/** Drops whatever is in a database of ours, and ends whoever is still connected to it. */
export async function emptyDatabase(url: string, signal: AbortSignal): Promise<void> {
  await using session = await openSession({ url, signal });
  await session.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    undefined,
    'end what is left of a sink',
  );
  const schemas = await session.query(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`,
    undefined,
    'list schemas',
  );
  for (const { name } of schemas) {
    await session.query(`DROP SCHEMA ${quoteName(name ?? '')} CASCADE`, undefined, 'empty our database');
  }
  await session.query('CREATE SCHEMA public', undefined, 'empty our database');
}
