import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  type Capture,
  type CaptureOptions,
  type Delivered,
  openCapture,
  openLease,
  openSession,
  type ProtocolVersion,
  parseLsn,
} from '../../../src/sinks/postgres/index.ts';
import { signal, useDatabase, useServer } from './support.ts';

const server = useServer();
const PROTOCOLS: readonly ProtocolVersion[] = [1, 2, 4];

/** A database with a table of two columns, a publication and a slot of it. */
async function useSource() {
  const { url, session } = await useDatabase(server());
  await session.query('CREATE TABLE t (id int PRIMARY KEY, v text)');
  const lease = await openLease({ url, signal });
  const publication = await lease.createPublication('all');
  const slot = await lease.createSlot();
  const open = (more: Partial<CaptureOptions> = {}) =>
    openCapture({ url, slot: slot.name, publications: [publication], protocol: 1, ...more, signal });
  const confirmed = async () => {
    const [row] = await session.query(
      'SELECT confirmed_flush_lsn AS lsn FROM pg_replication_slots WHERE slot_name = $1',
      [slot.name],
    );
    return parseLsn(row?.lsn);
  };
  const dispose = async () => {
    await lease.close();
    await session.close();
  };
  return { url, session, slot, open, confirmed, [Symbol.asyncDispose]: dispose };
}

async function ids(capture: Capture, count: number): Promise<readonly (string | null | undefined)[]> {
  const found = [];
  while (found.length < count) found.push(firstId(await capture.next()));
  return found;
}

function firstId(delivered: Delivered): string | null | undefined {
  if (delivered.kind !== 'transaction') throw new Error(`a ${delivered.kind} came`);
  return delivered.transaction.changes[0]?.record?.id;
}

describe('acknowledging', () => {
  test('tells exactly what it is given: of nothing, all comes again; of an end, what comes after it', async () => {
    await using source = await useSource();
    for (const id of ['1', '2', '3']) await source.session.query('INSERT INTO t VALUES ($1)', [id]);
    const before = await source.confirmed();

    const first = await source.open();
    const one = await first.next();
    const two = await first.next();
    expect(await ids(first, 1)).toEqual(['3']);
    first.cut();
    expect(await source.confirmed()).toBe(before);

    const second = await source.open();
    expect(await ids(second, 3)).toEqual(['1', '2', '3']);
    second.ack(endOf(one));
    await second.close();
    expect(await source.confirmed()).toBe(endOf(one));

    const third = await source.open();
    expect(await ids(third, 2)).toEqual(['2', '3']);
    // The start of a commit record has its transaction sent again.
    third.ack(commitOf(two));
    await third.close();
    expect(await source.confirmed()).toBe(commitOf(two));

    const fourth = await source.open();
    expect(await ids(fourth, 2)).toEqual(['2', '3']);
    fourth.ack(endOf(two));
    await fourth.close();
    const fifth = await source.open();
    expect(await ids(fifth, 1)).toEqual(['3']);
    await fifth.close();
  });

  test('never moves by itself, not by time and not by what was read', async () => {
    await using source = await useSource();
    const before = await source.confirmed();
    const capture = await source.open({ settings: { wal_sender_timeout: '300ms' } });
    await source.session.query('INSERT INTO t VALUES (1)');
    await ids(capture, 1);
    await sleep(1_000);
    expect(await source.confirmed()).toBe(before);
    await capture.close();
    expect(await source.confirmed()).toBe(before);
  });

  test('a message may end where the next commit record starts: acknowledging it loses nothing', async () => {
    await using source = await useSource();
    await source.session.query(
      `BEGIN; INSERT INTO t VALUES (1); SELECT pg_logical_emit_message(false, 'p', 'm'); COMMIT`,
    );
    const first = await source.open();
    const message = await first.next();
    const transaction = await first.next();
    if (message.kind !== 'message') throw new Error('no message came');
    expect(message.message).toMatchObject({ ordinal: 0, prefix: 'p', content: 'bQ==' });
    expect(message.message.lsn).toBe(commitOf(transaction));
    first.ack(message.message.lsn);
    await first.close();
    const second = await source.open();
    expect(commitOf(await second.next())).toBe(commitOf(transaction));
    await second.close();
  });
});

describe('the connection', () => {
  test('lives on while nothing happens and while nothing is read, longer than the server has patience', async () => {
    await using source = await useSource();
    const capture = await source.open({ settings: { wal_sender_timeout: '600ms' } });
    await sleep(1_500);
    // 20 MB: more than the queue and the socket take.
    await source.session.query(
      `INSERT INTO t SELECT n, repeat('x', 10000) FROM generate_series(1, 2000) AS g (n)`,
    );
    const started = await capture.next();
    expect(started.kind).toBe('spilled');
    await source.session.query(
      `INSERT INTO t SELECT n, repeat('x', 10000) FROM generate_series(2001, 4000) AS g (n)`,
    );
    await sleep(1_500);
    expect((await capture.next()).kind).toBe('spilled');
    await capture.close();
  });

  test('that the server ends is said, and another goes on from what was acknowledged', async () => {
    await using source = await useSource();
    const capture = await source.open();
    await source.session.query('INSERT INTO t VALUES (1)');
    const one = await capture.next();
    const next = capture.next();
    const ended = expect(next).rejects.toMatchObject({ code: 'disconnected' });
    await source.session.query('SELECT pg_terminate_backend($1::int)', [`${capture.processId}`]);
    await ended;
    await expect(capture.next()).rejects.toMatchObject({ code: 'disconnected' });
    await capture.close();
    const again = await source.open();
    expect(commitOf(await again.next())).toBe(commitOf(one));
    await again.close();
  });

  test('waits for a reader that was cut off, and says so when somebody stays', async () => {
    await using source = await useSource();
    await source.session.query('INSERT INTO t VALUES (1)');
    const first = await source.open();
    await ids(first, 1);
    first.cut();
    const second = await source.open();
    expect(await ids(second, 1)).toEqual(['1']);
    await expect(source.open({ slotWaitMs: 300 })).rejects.toMatchObject({ code: 'slot-in-use' });
    await second.close();
  });

  test('ends at once when it is told to', async () => {
    await using source = await useSource();
    const ending = new AbortController();
    const capture = await openCapture({
      url: source.url,
      slot: source.slot.name,
      publications: ['any'],
      protocol: 1,
      signal: ending.signal,
    });
    const next = expect(capture.next()).rejects.toMatchObject({ code: 'aborted' });
    ending.abort();
    await next;
    await capture.close();
  });

  test('refuses a slot that is not there and names that are none', async () => {
    await using source = await useSource();
    const options = { url: source.url, publications: ['p'], protocol: 1, signal } as const;
    await expect(openCapture({ ...options, slot: 'absent' })).rejects.toMatchObject({ code: 'no-slot' });
    const hostile = 'x LOGICAL 0/0; DROP TABLE t';
    await expect(openCapture({ ...options, slot: hostile })).rejects.toMatchObject({
      code: 'bad-name',
      message: expect.not.stringContaining('DROP'),
    });
    await expect(openCapture({ ...options, slot: 's', publications: ['"'] })).rejects.toMatchObject({
      code: 'bad-name',
    });
  });
});

describe.each(PROTOCOLS)('protocol %i', (protocol) => {
  const streaming = { protocol, settings: { logical_decoding_work_mem: '64kB' } };

  test('leaves out what a savepoint of a large transaction rolled back, and keeps its order', async () => {
    await using source = await useSource();
    await source.session.query(
      `BEGIN;
       INSERT INTO t SELECT n, repeat('a', 100) FROM generate_series(1, 1000) AS g (n);
       SAVEPOINT a;
       INSERT INTO t SELECT n, repeat('b', 100) FROM generate_series(1001, 2000) AS g (n);
       SAVEPOINT b;
       INSERT INTO t SELECT n, repeat('c', 100) FROM generate_series(2001, 3000) AS g (n);
       ROLLBACK TO a;
       SELECT pg_logical_emit_message(true, 'p', 'after');
       INSERT INTO t SELECT n, repeat('d', 100) FROM generate_series(3001, 4000) AS g (n);
       COMMIT`,
    );
    await using capture = await source.open(streaming);
    const delivered = await capture.next();
    if (delivered.kind !== 'transaction') throw new Error('no transaction came');
    const { changes, messages } = delivered.transaction;
    const expected = [...sequence(1, 1_000), ...sequence(3_001, 4_000)];
    expect(changes.map(({ record }) => Number(record?.id))).toEqual(expected);
    expect(changes.map(({ ordinal }) => ordinal)).toEqual([...sequence(0, 999), ...sequence(1_001, 2_000)]);
    expect(messages).toMatchObject([{ ordinal: 1_000, prefix: 'p' }]);
  });

  test('takes back what it was told of a savepoint before that was rolled back', async () => {
    await using source = await useSource();
    await using writer = await openSession({ url: source.url, signal });
    await using capture = await source.open(streaming);
    await writer.query(`BEGIN; INSERT INTO t VALUES (0); SAVEPOINT a;
      INSERT INTO t SELECT n, repeat('x', 100) FROM generate_series(1, 3000) AS g (n)`);
    // A commit has all before it written out and sent.
    await source.session.query('SELECT pg_current_xact_id()');
    await sleep(500);
    await writer.query('ROLLBACK TO a; INSERT INTO t VALUES (5000); COMMIT');
    const delivered = await capture.next();
    if (delivered.kind !== 'transaction') throw new Error('no transaction came');
    expect(delivered.transaction.changes.map(({ record, ordinal }) => [record?.id, ordinal])).toEqual([
      ['0', 0],
      ['5000', 1],
    ]);
  });

  test('does not deliver a message of a savepoint that was rolled back, nor anything twice for it', async () => {
    await using source = await useSource();
    await using writer = await openSession({ url: source.url, signal });
    await using capture = await source.open(streaming);
    await source.session.query(`INSERT INTO t VALUES (-1)`);
    await source.session.query(`BEGIN; SELECT pg_logical_emit_message(false, 'p', 'm'); COMMIT`);
    // The server tags the second message as if it were no savepoint's.
    await writer.query(`BEGIN; SELECT pg_logical_emit_message(true, 'p', 'first'); SAVEPOINT a;
      INSERT INTO t SELECT n, repeat('x', 100) FROM generate_series(1, 3000) AS g (n);
      SELECT pg_logical_emit_message(true, 'p', 'second')`);
    await source.session.query('SELECT pg_current_xact_id()');
    await sleep(500);
    await writer.query('ROLLBACK TO a; INSERT INTO t VALUES (5000); COMMIT');
    await source.session.query(`INSERT INTO t VALUES (5001)`);
    expect(firstId(await capture.next())).toBe('-1');
    expect(await capture.next()).toMatchObject({ kind: 'message' });
    expect(await capture.next()).toMatchObject({
      transaction: {
        messages: [{ ordinal: 0, content: Buffer.from('first').toString('base64') }],
        changes: [{ ordinal: 1, record: { id: '5000' } }],
      },
    });
    expect(firstId(await capture.next())).toBe('5001');
  });

  test('tells large transactions that are open at the same time apart, and drops one that is rolled back', async () => {
    await using source = await useSource();
    const left = await openSession({ url: source.url, signal });
    const right = await openSession({ url: source.url, signal });
    const gone = await openSession({ url: source.url, signal });
    await using capture = await source.open(streaming);
    for (const each of [left, right, gone]) await each.query('BEGIN');
    for (let round = 0; round < 3; round++) {
      for (const [index, each] of [left, right, gone].entries()) {
        const from = index * 10_000 + round * 1_000;
        await each.query(
          `INSERT INTO t SELECT n, repeat('x', 100) FROM generate_series(${from}, ${from + 999}) AS g (n)`,
        );
      }
    }
    await gone.query('ROLLBACK');
    await right.query('COMMIT');
    await left.query('COMMIT');
    await source.session.query('INSERT INTO t VALUES (99999)');
    const all = [await capture.next(), await capture.next(), await capture.next()];
    expect(all.map(firstId)).toEqual(['10000', '0', '99999']);
    expect(all.map((each) => each.kind === 'transaction' && each.transaction.changes.length)).toEqual([
      3_000, 3_000, 1,
    ]);
    for (const each of [left, right, gone]) await each.close();
  });
});

function sequence(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function commitOf(delivered: Delivered): bigint {
  if (delivered.kind === 'message') throw new Error('a message came');
  return delivered.transaction.commit_lsn;
}

function endOf(delivered: Delivered): bigint {
  if (delivered.kind === 'message') throw new Error('a message came');
  return delivered.endLsn;
}
