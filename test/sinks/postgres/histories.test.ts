import { describe, expect, test } from 'vitest';
import { historyArbitrary, historyOf, historyProfiles } from '../../../generators/histories/index.ts';
import { historyTruth } from '../../../oracles/history/truth.ts';
import type { CapturedMessage, Change, History } from '../../../src/model/history/index.ts';
import {
  type CaptureOptions,
  createHistoryTables,
  type Delivered,
  openCapture,
  openLease,
  type ProtocolVersion,
  writeHistory,
} from '../../../src/sinks/postgres/index.ts';
import { savepointCommits, settleTies } from './message-ties.ts';
import { signal, useDatabase, useServer } from './support.ts';

/** `TIDEMARK_HISTORIES=1000` for as many; `TIDEMARK_HISTORY_SEED` for others; `TIDEMARK_POSTGRES=path` for another server. */
const COUNT = Number(process.env.TIDEMARK_HISTORIES ?? 40);
const SEED = Number(process.env.TIDEMARK_HISTORY_SEED ?? 1);
const LIMIT_MS = 30_000 + COUNT * 3_000;

const server = useServer(process.env.TIDEMARK_POSTGRES === 'path' ? { binaries: 'path' } : {});
const END = 'the end of the history';

interface Reading extends Partial<CaptureOptions> {
  readonly name: string;
  readonly protocol: ProtocolVersion;
}

/** Ways to read the same log. Everything that can be streamed before its commit is, at the latest from 64 kB on. */
function readings(version: number): readonly Reading[] {
  const eagerly = version >= 16 ? { debug_logical_replication_streaming: 'immediate' } : {};
  const small = { logical_decoding_work_mem: '64kB' };
  const all: readonly Reading[] = [
    { name: 'protocol 1', protocol: 1 },
    { name: 'protocol 2, streamed', protocol: 2, settings: { ...small, ...eagerly } },
    { name: 'protocol 2, large ones streamed', protocol: 2, settings: small },
    {
      name: 'protocol 2, streamed and spilled',
      protocol: 2,
      settings: { ...small, ...eagerly },
      spillAboveBytes: 0,
    },
    { name: 'protocol 4, streamed', protocol: 4, settings: { ...small, ...eagerly } },
  ];
  return all.filter(({ protocol }) => protocol < 4 || version >= 16);
}

describe('what is captured of a generated history', () => {
  test(`is what the history says, value for value, in ${COUNT} histories and every protocol`, {
    timeout: LIMIT_MS,
  }, async () => {
    const { url, session } = await useDatabase(server());
    await using lease = await openLease({ url, signal });
    const ways = readings(Number.parseInt(server().version, 10));
    const slots = new Map<string, { name: string; streamed: number }>();
    for (const { name } of ways) slots.set(name, { name: (await lease.createSlot()).name, streamed: 0 });
    const histories = historyArbitrary(historyProfiles);
    let transactions = 0;
    for (let index = 0; index < COUNT; index++) {
      const history = historyOf(histories, SEED, index);
      await createHistoryTables(session, history);
      const { deliveries } = historyTruth(history);
      const savepoints = savepointCommits(history);
      transactions += deliveries.length;
      const write = async () => {
        const done = await writeHistory({ url, history, signal });
        await session.query(`SELECT pg_logical_emit_message(true, $1, '')`, [END]);
        return done;
      };
      // Every other one is read while it is written.
      const before = index % 2 === 0 ? await write() : undefined;
      const [written, ...reads] = await Promise.all([
        before ?? write(),
        ...ways.map(({ name, ...way }) => readToEnd(url, history, { ...way, slot: slots.get(name)!.name })),
      ]);
      const expected = deliveries.map(({ step, ...delivery }) => {
        const at = delivery.kind === 'message' ? written.messages.get(step) : written.commits.get(step)?.xid;
        return { at, ...contentOf(delivery) };
      });
      for (const [way, read] of reads.entries()) {
        const place = `history ${index} of seed ${SEED}, ${ways[way]!.name}`;
        const settled = read.map(({ at, content }, position) => {
          const loose = savepoints.has(deliveries[position]?.step ?? -1);
          return { at, ...(loose ? settleTies(content, expected[position]!) : content) };
        });
        expect(settled, place).toEqual(expected);
        for (const { at, lsn } of read) {
          const commit = [...written.commits.values()].find(({ xid }) => xid === at);
          if (commit === undefined) continue;
          expect(lsn, place).toBeGreaterThanOrEqual(commit.before);
          expect(lsn, place).toBeLessThan(commit.after);
        }
      }
    }
    expect(transactions).toBeGreaterThan(COUNT);
    for (const { name, protocol } of ways.filter(({ name }) => name.includes('streamed'))) {
      const [row] = await session.query(
        'SELECT stream_txns FROM pg_stat_replication_slots WHERE slot_name = $1',
        [slots.get(name)!.name],
      );
      expect(Number(row?.stream_txns), `${name}: nothing was streamed (${protocol})`).toBeGreaterThan(0);
    }
    await session.close();
  });
});

test('PostgreSQL still tells a change before the message that was written just before it', async () => {
  const { url, session } = await useDatabase(server());
  await session.query('CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1), (2)');
  await using lease = await openLease({ url, signal });
  const publication = await lease.createPublication('all');
  const slot = await lease.createSlot();
  await session.query(
    `BEGIN; SELECT pg_logical_emit_message(true, 'p', 'm'); UPDATE t SET id = 3 WHERE id = 2;
     SAVEPOINT a; SELECT pg_logical_emit_message(true, 'p', 'm');
     SAVEPOINT b; DELETE FROM t WHERE id = 1; COMMIT`,
  );
  await using capture = await openCapture({
    url,
    slot: slot.name,
    publications: [publication],
    protocol: 1,
    signal,
  });
  const delivered = await capture.next();
  if (delivered.kind !== 'transaction') throw new Error('no transaction came');
  const { changes, messages } = delivered.transaction;
  expect(changes.map(({ op, ordinal }) => [op, ordinal])).toEqual([
    ['update', 1],
    ['delete', 2],
  ]);
  expect(messages.map(({ ordinal }) => ordinal)).toEqual([0, 3]);
  await session.close();
});

interface Read {
  /** The transaction's number, or a message's position. */
  readonly at: number | bigint;
  readonly lsn: bigint;
  readonly content: ReturnType<typeof contentOf>;
}

/** Reads all of a history, acknowledges it, and gives the slot back. */
async function readToEnd(
  url: string,
  { subscribed }: History,
  options: Omit<Reading, 'name'> & { readonly slot: string },
): Promise<readonly Read[]> {
  const capture = await openCapture({ url, publications: subscribed, signal, ...options });
  try {
    const all: Read[] = [];
    for (;;) {
      const delivered = await capture.next();
      const content = await contentOfDelivered(delivered);
      if (delivered.kind !== 'message' && content.messages[0]?.prefix === END) {
        capture.ack(delivered.endLsn);
        return all;
      }
      if (delivered.kind === 'message') {
        const { lsn } = delivered.message;
        all.push({ at: lsn, lsn, content });
      } else {
        const { xid, commit_lsn } = delivered.transaction;
        all.push({ at: xid, lsn: commit_lsn, content });
      }
    }
  } finally {
    await capture.close();
  }
}

async function contentOfDelivered(delivered: Delivered) {
  if (delivered.kind === 'message') return contentOf({ kind: 'message', ...delivered.message });
  if (delivered.kind === 'transaction') return contentOf({ kind: 'transaction', ...delivered.transaction });
  const changes: Change[] = [];
  const messages: CapturedMessage[] = [];
  for await (const item of delivered.transaction.items()) {
    if ('op' in item) changes.push(item);
    else messages.push(item);
  }
  return contentOf({ kind: 'transaction', changes, messages });
}

type Message = Pick<CapturedMessage, 'ordinal' | 'prefix' | 'content'>;
type Content =
  | ({ readonly kind: 'message' } & Message)
  | {
      readonly kind: 'transaction';
      readonly changes: readonly Change[];
      readonly messages: readonly Message[];
    };

/** What of a delivery the history alone determines. */
function contentOf(delivery: Content) {
  const { kind } = delivery;
  const text = ({ ordinal, prefix, content }: Message) => ({ ordinal, prefix, content });
  if (kind === 'message') return { kind, changes: [], messages: [text(delivery)] };
  return { kind, changes: delivery.changes, messages: delivery.messages.map(text) };
}
