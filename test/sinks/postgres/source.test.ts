import { describe, expect, test } from 'vitest';
import {
  checkSource,
  openCapture,
  openLease,
  openSession,
  type Session,
  startPostgres,
} from '../../../src/sinks/postgres/index.ts';
import { eventually, signal, useDatabase, useServer } from './support.ts';

const server = useServer();

async function names(session: Session, sql: string): Promise<readonly (string | null | undefined)[]> {
  return (await session.query(sql)).map(({ name }) => name);
}

const SLOTS = 'SELECT slot_name AS name FROM pg_replication_slots WHERE database = current_database()';
const PUBLICATIONS = 'SELECT pubname AS name FROM pg_publication';

describe('a source', () => {
  test('that can be captured says what it is', async () => {
    const { url, session } = await useDatabase(server());
    await session.query('CREATE PUBLICATION theirs FOR ALL TABLES');
    const facts = await checkSource({ url, publications: ['theirs'], signal });
    expect(facts.systemIdentifier).toMatch(/^\d{15,}$/);
    expect(facts.timeline).toBe('1');
    expect(Math.floor(facts.version / 10_000)).toBe(18);
    await session.close();
  });

  test('without its publication, or with a slot that is not there or of something else, is refused', async () => {
    const { url, session } = await useDatabase(server());
    await session.query('CREATE PUBLICATION theirs');
    await expect(checkSource({ url, publications: ['theirs', 'absent'], signal })).rejects.toMatchObject({
      code: 'no-publication',
      message: 'publication 2 of 2 that were named is not in the database',
    });
    await expect(checkSource({ url, publications: [], signal })).rejects.toMatchObject({
      code: 'no-publication',
    });
    await expect(
      checkSource({ url, publications: ['theirs'], slot: 'absent', signal }),
    ).rejects.toMatchObject({ code: 'no-slot' });
    await session.query(`SELECT pg_create_physical_replication_slot('physical')`);
    await expect(
      checkSource({ url, publications: ['theirs'], slot: 'physical', signal }),
    ).rejects.toMatchObject({ code: 'no-slot' });
    await session.query(`SELECT pg_drop_replication_slot('physical')`);
    await session.close();
  });

  test.each(['Upper', '1st', '', 'a-b', 'a b', `a'; DROP TABLE t; --`, 'a"b', 'ü', 'a'.repeat(64), 'a\n'])(
    'is not even asked about %j',
    async (name) => {
      const nowhere = { url: 'postgres://127.0.0.1:1/x', signal };
      const refused = { code: 'bad-name', message: expect.not.stringMatching(/DROP|Upper|1st/) };
      await expect(checkSource({ ...nowhere, publications: [name] })).rejects.toMatchObject(refused);
      await expect(checkSource({ ...nowhere, publications: ['p'], slot: name })).rejects.toMatchObject(
        refused,
      );
    },
  );

  test('whose user may not replicate is refused', async () => {
    const { url, session } = await useDatabase(server());
    await session.query(`CREATE PUBLICATION theirs; CREATE ROLE reader LOGIN PASSWORD 'hunter2'`);
    const reader = new URL(url);
    reader.username = 'reader';
    reader.password = 'hunter2';
    await expect(checkSource({ url: reader.href, publications: ['theirs'], signal })).rejects.toMatchObject({
      code: 'no-replication-right',
      message: expect.not.stringContaining('hunter2'),
    });
    await session.close();
  });

  test('without a logical log is refused', async () => {
    await using plain = await startPostgres({ settings: { wal_level: 'replica' }, signal });
    await using session = await openSession({ url: plain.url, signal });
    await session.query('CREATE PUBLICATION theirs');
    await expect(checkSource({ url: plain.url, publications: ['theirs'], signal })).rejects.toMatchObject({
      code: 'not-logical',
    });
  });
});

describe('a lease', () => {
  test('drops what it made, also what is read from or was ended, and nothing else', async () => {
    const { url, session } = await useDatabase(server());
    for (const name of ['theirs', 'tidemark_theirs']) {
      await session.query(`CREATE PUBLICATION ${name}`);
      await session.query(`SELECT pg_create_logical_replication_slot('${name}', 'pgoutput')`);
    }
    const lease = await openLease({ url, signal });
    const publication = await lease.createPublication('all');
    const slot = await lease.createSlot();
    const withSnapshot = await lease.createSlotWithSnapshot();
    expect(publication).toMatch(/^tidemark_[0-9a-f]{16}$/);
    expect(await names(session, SLOTS)).toHaveLength(4);
    const capture = await openCapture({
      url,
      slot: slot.name,
      publications: [publication],
      protocol: 1,
      signal,
    });
    await lease.close();
    expect(await names(session, SLOTS)).toEqual(['theirs', 'tidemark_theirs']);
    expect(await names(session, PUBLICATIONS)).toEqual(['theirs', 'tidemark_theirs']);
    await expect(capture.next()).rejects.toMatchObject({ code: 'disconnected' });
    await capture.close();
    await withSnapshot.release();
    for (const name of ['theirs', 'tidemark_theirs']) {
      await session.query('SELECT pg_drop_replication_slot($1)', [name]);
    }
    await session.close();
  });

  test('drops what one before it left that was killed, and leaves one that lives alone', async () => {
    const { url, session } = await useDatabase(server());
    const killed = await openLease({ url, signal });
    await killed.createSlot();
    await killed.createPublication('all');
    const living = await openLease({ url, signal });
    const slot = await living.createSlot();
    const publication = await living.createPublication('all');
    expect(await names(session, SLOTS)).toHaveLength(2);
    await session.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND ((classid::bigint << 32) | objid::bigint) <> hashtextextended($1, 0)
         AND ((classid::bigint << 32) | objid::bigint) <> hashtextextended($2, 0)`,
      [slot.name, publication],
    );
    const sweeps = async () => {
      await (await openLease({ url, signal })).close();
      return (await names(session, SLOTS)).length === 1;
    };
    expect(await eventually(sweeps)).toBe(true);
    expect(await names(session, SLOTS)).toEqual([slot.name]);
    expect(await names(session, PUBLICATIONS)).toEqual([publication]);
    await living.close();
    await killed.close().catch(() => {});
    await session.close();
  });
});
