import { setTimeout as sleep } from 'node:timers/promises';
import type { Lsn } from '../../model/history/index.ts';
import { once } from '../../streams/bounded.ts';
import { PostgresError, refusal } from './error.ts';
import { parseLsn } from './lsn.ts';
import { isOurs, nameOfOurs, quoteName, quoteTable } from './names.ts';
import { closeClient, connect, openSession, type Session } from './session.ts';

const DROP_MS = 15_000;
const POLL_MS = 50;

/** A slot of ours. */
export interface Slot {
  readonly name: string;
  /** A transaction is in the snapshot iff its `commit_lsn` is less (law §10). The next one may carry exactly this. */
  readonly consistentPoint: Lsn;
}

/** A slot that was made together with a snapshot of what was committed before it. */
export interface SlotWithSnapshot extends Slot {
  /** For `SET TRANSACTION SNAPSHOT`, until `release`. */
  readonly snapshot: string;
  release(): Promise<void>;
}

/**
 * What is ours on somebody's server, and is gone when the lease is: slots, publications. Each is named by us; whatever
 * else is there is never touched.
 */
export interface Lease extends AsyncDisposable {
  /** A publication of some tables, or of all. */
  createPublication(tables: readonly PublishedTable[] | 'all'): Promise<string>;
  createSlot(): Promise<Slot>;
  createSlotWithSnapshot(): Promise<SlotWithSnapshot>;
  /** Drops all of it. @throws PostgresError when something could not be dropped. */
  close(): Promise<void>;
}

export interface PublishedTable {
  readonly schema: string;
  readonly name: string;
}

export interface LeaseOptions {
  readonly url: string;
  readonly signal: AbortSignal;
}

/**
 * Opens a lease, and drops what leases of ours left on this database that ended without being closed: those whose
 * connection is gone. @throws PostgresError
 */
export async function openLease({ url, signal }: LeaseOptions): Promise<Lease> {
  // It has to drop after the signal, so it does not hear it.
  const session = await openSession({ url, signal: new AbortController().signal });
  try {
    await sweep(session);
  } catch (error) {
    await session.close();
    throw error;
  }
  const slots: string[] = [];
  const publications: string[] = [];
  const held: Array<() => Promise<void>> = [];

  async function makeSlot(snapshot: 'export' | 'nothing') {
    const name = nameOfOurs();
    await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name], 'take a lock');
    const client = await connect({ url, signal }, true);
    const release = once(() => closeClient(client));
    held.push(release);
    slots.push(name);
    try {
      const { rows } = await client.query(
        `CREATE_REPLICATION_SLOT ${name} LOGICAL pgoutput (SNAPSHOT '${snapshot}')`,
      );
      const made = rows[0] as Record<string, string | null>;
      return {
        name,
        consistentPoint: parseLsn(made.consistent_point),
        snapshot: made.snapshot_name,
        release,
      };
    } catch (error) {
      await release();
      throw slotRefusal(error);
    }
  }

  const close = once(async () => {
    try {
      for (const release of held) await release();
      for (const name of slots) await dropSlot(session, name);
      for (const name of publications) {
        await session.query(
          `DROP PUBLICATION IF EXISTS ${quoteName(name)}`,
          undefined,
          'drop our publication',
        );
      }
    } finally {
      await session.close();
    }
  });

  return {
    async createPublication(tables) {
      const name = nameOfOurs();
      const what =
        tables === 'all' ? 'FOR ALL TABLES' : tables.length === 0 ? '' : `FOR TABLE ${list(tables)}`;
      await session.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [name], 'take a lock');
      publications.push(name);
      await session.query(`CREATE PUBLICATION ${name} ${what}`, undefined, 'make our publication');
      return name;
    },
    async createSlot() {
      const { name, consistentPoint, release } = await makeSlot('nothing');
      await release();
      return { name, consistentPoint };
    },
    async createSlotWithSnapshot() {
      const { snapshot, ...slot } = await makeSlot('export');
      if (typeof snapshot !== 'string')
        throw new PostgresError('unsupported', 'the server exports no snapshot');
      return { ...slot, snapshot };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function list(tables: readonly PublishedTable[]): string {
  return tables.map(quoteTable).join(', ');
}

function slotRefusal(error: unknown): PostgresError {
  const failure = refusal(error, 'make our slot');
  if (failure.sqlState === '42501') {
    return new PostgresError('no-replication-right', 'the user may not make a replication slot', '42501');
  }
  return failure;
}

/** Drops a slot of ours, ending whoever still reads from it: that was us. */
async function dropSlot(session: Session, name: string): Promise<void> {
  const deadline = performance.now() + DROP_MS;
  for (;;) {
    try {
      await session.query(
        'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $1',
        [name],
        'drop our slot',
      );
      return;
    } catch (error) {
      const inUse = error instanceof PostgresError && error.sqlState === '55006';
      if (!inUse || performance.now() > deadline) throw error;
    }
    await session.query(
      'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = $1 AND active',
      [name],
      'end the reader of our slot',
    );
    await sleep(POLL_MS);
  }
}

/** A lease holds a lock for each of its names, which the server gives up when its connection is gone. */
async function sweep(session: Session): Promise<void> {
  const left = await session.query(
    `SELECT slot_name AS name, 'slot' AS kind FROM pg_replication_slots
       WHERE slot_type = 'logical' AND database = current_database() AND NOT active
     UNION ALL SELECT pubname, 'publication' FROM pg_publication`,
    undefined,
    'list what is left of ours',
  );
  for (const { name, kind } of left) {
    if (typeof name !== 'string' || !isOurs(name)) continue;
    const lock = 'hashtextextended($1, 0)';
    const [got] = await session.query(`SELECT pg_try_advisory_lock(${lock}) AS got`, [name], 'take a lock');
    if (got?.got !== 't') continue;
    try {
      if (kind === 'slot') await dropSlot(session, name);
      else await session.query(`DROP PUBLICATION IF EXISTS ${name}`, undefined, 'drop what is left of ours');
    } catch (error) {
      // It is another role's, or somebody is at it: it is not in our way.
      if (!(error instanceof PostgresError) || error.code !== 'refused') throw error;
    } finally {
      await session.query(`SELECT pg_advisory_unlock(${lock})`, [name], 'give a lock back');
    }
  }
}
