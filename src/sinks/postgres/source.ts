import type { Lsn } from '../../model/history/index.ts';
import { PostgresError, refusal } from './error.ts';
import { parseLsn } from './lsn.ts';
import { checkName } from './names.ts';
import { closeClient, connect, openSession, type Session } from './session.ts';

/** What a source is, as it said itself. A checkpoint belongs to one of them (law §10). */
export interface SourceFacts {
  readonly systemIdentifier: string;
  readonly timeline: string;
  /** `180004`; the first two digits are the major version. */
  readonly version: number;
  /** Where its log ends, at the least. */
  readonly flushed: Lsn;
}

export interface SourceOptions {
  readonly url: string;
  readonly publications: readonly string[];
  /** A slot that is there already, of somebody else's; it is used and never dropped. */
  readonly slot?: string;
  readonly signal: AbortSignal;
}

/**
 * Refuses a source that cannot be captured before anything is made on it.
 *
 * @throws PostgresError `bad-name` before a connection is tried; `unreachable`, `not-logical`, `no-publication`,
 * `no-slot`, `no-replication-right`.
 */
export async function checkSource({ url, publications, slot, signal }: SourceOptions): Promise<SourceFacts> {
  for (const name of publications) checkName(name, 'publication');
  if (slot !== undefined) checkName(slot, 'slot');
  await using session = await openSession({ url, signal });
  const [level] = await session.query('SHOW wal_level', undefined, 'tell its log level');
  if (level?.wal_level !== 'logical') {
    throw new PostgresError(
      'not-logical',
      'the server writes no logical log: it takes wal_level = logical and a restart',
    );
  }
  await checkPublications(session, publications);
  if (slot !== undefined) await checkSlot(session, slot);
  const [version] = await session.query('SHOW server_version_num', undefined, 'tell its version');
  const system = await identify(url, signal);
  return { ...system, version: Number(version?.server_version_num) };
}

async function checkPublications(session: Session, publications: readonly string[]): Promise<void> {
  if (publications.length === 0) {
    throw new PostgresError('no-publication', 'no publication is named: without one nothing is captured');
  }
  const rows = await session.query(
    'SELECT pubname FROM pg_catalog.pg_publication WHERE pubname = ANY ($1::text[])',
    [`{${publications.join(',')}}`],
    'list its publications',
  );
  const there = new Set(rows.map(({ pubname }) => pubname));
  const missing = publications.findIndex((name) => !there.has(name));
  // A server before 18 finds out at the first change, a later one only warns.
  if (missing >= 0) {
    throw new PostgresError(
      'no-publication',
      `publication ${missing + 1} of ${publications.length} that were named is not in the database`,
    );
  }
}

async function checkSlot(session: Session, slot: string): Promise<void> {
  const [found] = await session.query(
    `SELECT plugin, database = current_database() AS here FROM pg_catalog.pg_replication_slots WHERE slot_name = $1`,
    [slot],
    'list its slots',
  );
  if (found === undefined) throw new PostgresError('no-slot', 'the slot that was named is not on the server');
  if (found.plugin !== 'pgoutput' || found.here !== 't') {
    throw new PostgresError('no-slot', 'the slot that was named is not one of pgoutput for this database');
  }
}

/** Asks on a connection for replication: whether one may is known only then. */
async function identify(url: string, signal: AbortSignal) {
  const client = await connect({ url, signal }, true);
  try {
    const { rows } = await client.query('IDENTIFY_SYSTEM');
    const { systemid, timeline, xlogpos } = rows[0] as Record<string, string>;
    return { systemIdentifier: systemid ?? '', timeline: timeline ?? '', flushed: parseLsn(xlogpos) };
  } catch (error) {
    throw refusal(error, 'identify itself');
  } finally {
    await closeClient(client);
  }
}
