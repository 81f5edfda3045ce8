import { describe, expect, test } from 'vitest';
import { historyArbitrary, historyOf, historyProfiles } from '../../../generators/histories/index.ts';
import { historyTruth } from '../../../oracles/history/truth.ts';
import {
  type Change,
  type CommittedState,
  type History,
  keyText,
  type PgRecord,
} from '../../../src/model/history/index.ts';
import {
  createHistoryTables,
  type Delivered,
  type Lease,
  openCapture,
  openIncrementalSnapshot,
  openInitialSnapshot,
  openLease,
  openSession,
  type Session,
  type Slot,
  type SnapshotTable,
  writeHistory,
} from '../../../src/sinks/postgres/index.ts';
import { eventually, signal, useDatabase, useServer } from './support.ts';
import { createWrittenTable, runWriters } from './writers.ts';

/** `TIDEMARK_SNAPSHOTS=100` for as many of each. */
const COUNT = Number(process.env.TIDEMARK_SNAPSHOTS ?? 25);
const server = useServer();
const END = 'the end of the history';

/** A sink that upserts by key, and says where it could not have been told everything. */
class Fold {
  readonly #tables = new Map<
    string,
    { readonly table: SnapshotTable; readonly rows: Map<string, PgRecord> }
  >();

  constructor(tables: readonly SnapshotTable[]) {
    for (const table of tables) this.#tables.set(table.label, { table, rows: new Map() });
  }

  apply({ op, table: label, record, old, unchanged }: Change): void {
    const { table, rows } = this.#tables.get(label)!;
    if (op === 'truncate') {
      rows.clear();
      return;
    }
    const from = keyText(old ?? record ?? {}, table.key);
    const before = rows.get(from) ?? {};
    rows.delete(from);
    if (record === null) return;
    const kept = unchanged.flatMap((name) => (name in before ? [[name, before[name]!] as const] : []));
    rows.set(keyText(record, table.key), { ...record, ...Object.fromEntries(kept) });
  }

  /** Rows of each table, in one order. */
  state(): Readonly<Record<string, readonly PgRecord[]>> {
    return stateOf([...this.#tables].map(([label, { rows }]) => [label, [...rows.values()]]));
  }
}

function stateOf(tables: readonly (readonly [string, readonly PgRecord[]])[]) {
  const sorted = (rows: readonly PgRecord[]) =>
    rows
      .map((row) =>
        JSON.stringify(Object.entries(row).toSorted(([left], [right]) => (left < right ? -1 : 1))),
      )
      .toSorted();
  return Object.fromEntries(tables.map(([label, rows]) => [label, sorted(rows)])) as never;
}

function expectedState({ published }: CommittedState, tables: readonly SnapshotTable[]) {
  return stateOf(tables.map(({ label }) => [label, [...(published.get(label)?.rows.values() ?? [])]]));
}

/** Histories whose tables stay as they are and are published whole. */
function* plainHistories(): Generator<readonly [number, History]> {
  const all = historyArbitrary(historyProfiles);
  for (let index = 0, found = 0; found < COUNT; index++) {
    const history = historyOf(all, 3, index);
    const published = history.publications.filter(({ name }) => history.subscribed.includes(name));
    const whole = published.every(({ publish }) => publish.length === 4);
    const alters = history.steps.some(({ do: what }) => /column|identity/.test(what));
    if (!whole || alters || history.steps.length < 4) continue;
    found += 1;
    yield [index, history];
  }
}

function isEnd(delivered: Delivered): boolean {
  return delivered.kind === 'transaction' && delivered.transaction.messages[0]?.prefix === END;
}

async function emitEnd(url: string): Promise<void> {
  await using session = await openSession({ url, signal });
  await session.query(`SELECT pg_logical_emit_message(true, $1, '')`, [END]);
}

interface BesideOptions {
  readonly url: string;
  readonly slot: Slot;
  readonly publications: readonly string[];
  readonly chunkRows: number;
}

/** An incremental snapshot beside the capture of a slot. */
async function openBeside({ slot, ...options }: BesideOptions) {
  const capture = await openCapture({ ...options, slot: slot.name, protocol: 1, signal });
  const snapshot = await openIncrementalSnapshot(capture, { ...options, signal });
  const dispose = async () => {
    await snapshot.close();
    await capture.close();
  };
  return { snapshot, [Symbol.asyncDispose]: dispose };
}

test(`an initial snapshot taken anywhere in a history goes over into the stream, ${COUNT} of ${COUNT}`, async () => {
  const { url, session } = await useDatabase(server());
  for (const [index, history] of plainHistories()) {
    await using lease = await openLease({ url, signal });
    await createHistoryTables(session, history);
    const { subscribed: publications } = history;
    const place = quietStep(history, index);
    let fold: Fold | undefined;
    let tables: readonly SnapshotTable[] = [];
    let slotName = '';
    let reading: Promise<void> = Promise.resolve();
    await writeHistory({
      url,
      history,
      signal,
      async afterStep(step) {
        if (step !== place) return;
        const slot = await lease.createSlotWithSnapshot();
        slotName = slot.name;
        const snapshot = await openInitialSnapshot({ url, slot, publications, chunkRows: 2, signal });
        tables = snapshot.tables;
        const image = new Fold(tables);
        fold = image;
        const read = async () => {
          for await (const { changes } of snapshot.chunks())
            for (const change of changes) image.apply(change);
          await snapshot.close();
          const { start } = historyTruth(history, { snapshotBefore: place + 1 });
          expect(image.state(), `history ${index} at step ${place}`).toEqual(expectedState(start, tables));
        };
        reading = read();
        reading.catch(() => {});
      },
    });
    await emitEnd(url);
    await reading;
    await using capture = await openCapture({ url, slot: slotName, publications, protocol: 2, signal });
    for (let next = await capture.next(); !isEnd(next); next = await capture.next()) {
      if (next.kind === 'transaction') for (const change of next.transaction.changes) fold!.apply(change);
    }
    const truth = historyTruth(history, { snapshotBefore: place + 1 });
    const last = truth.commits.at(-1) ?? truth.start;
    expect(fold!.state(), `history ${index} from step ${place}`).toEqual(expectedState(last, tables));
  }
  await session.close();
}, 120_000);

/** A step after which no transaction is open: a slot is not made while one is that may be waited for. */
function quietStep({ steps }: History, index: number): number {
  const open = new Set<number>();
  const quiet: number[] = [];
  for (const [number, step] of steps.entries()) {
    if (step.do === 'begin') open.add(step.connection);
    if (step.do === 'commit' || step.do === 'rollback') open.delete(step.connection);
    if (open.size === 0) quiet.push(number);
  }
  return quiet[(index * 7) % quiet.length]!;
}

test('the transaction after a snapshot may carry exactly its position: it is not in it and comes', async () => {
  const { url, session } = await useDatabase(server());
  await session.query('CREATE TABLE t (id int PRIMARY KEY)');
  await using lease = await openLease({ url, signal });
  const publications = [await lease.createPublication('all')];
  const open = async () => openSession({ url, signal });
  const [one, two, three] = [await open(), await open(), await open()];
  let exact = 0;
  for (let id = 0; id < 30 && exact === 0; id += 3) {
    await one.query(`BEGIN; INSERT INTO t VALUES (${id})`);
    const making = lease.createSlotWithSnapshot();
    // A slot waits for who writes when it begins, then for who writes then; it does not wait for the third.
    await waitsFor(session);
    await two.query(`BEGIN; INSERT INTO t VALUES (${id + 1})`);
    await one.query('COMMIT');
    await waitsFor(session);
    await three.query(`BEGIN; INSERT INTO t VALUES (${id + 2})`);
    await two.query('COMMIT');
    const slot = await making;
    await three.query('COMMIT');
    await using snapshot = await openInitialSnapshot({ url, slot, publications, chunkRows: 100, signal });
    const ids: (string | null | undefined)[] = [];
    for await (const { changes } of snapshot.chunks()) ids.push(...changes.map(({ record }) => record?.id));
    expect(ids).not.toContain(`${id + 2}`);
    await using capture = await openCapture({ url, slot: slot.name, publications, protocol: 1, signal });
    const next = await capture.next();
    if (next.kind !== 'transaction') throw new Error('no transaction came');
    const { commit_lsn, changes } = next.transaction;
    expect(changes.map(({ record }) => record?.id)).toEqual([`${id + 2}`]);
    expect(commit_lsn).toBeGreaterThanOrEqual(slot.consistentPoint);
    if (commit_lsn === slot.consistentPoint) exact += 1;
  }
  expect(exact).toBe(1);
  for (const each of [one, two, three, session]) await each.close();
});

/** Waits until a slot that is being made waits for a transaction. */
async function waitsFor(session: Session): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const rows = await session.query(
      `SELECT pid FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted`,
    );
    if (rows.length > 0) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error('nobody waits');
}

describe('an incremental snapshot', () => {
  test(`beside a history leaves what the history leaves, ${COUNT} of ${COUNT}`, async () => {
    const { url, session } = await useDatabase(server());
    let chunks = 0;
    for (const [index, history] of plainHistories()) {
      await using lease = await openLease({ url, signal });
      await createHistoryTables(session, history);
      const { subscribed: publications } = history;
      const place = quietStep(history, index);
      const rest: History = history;
      let running: Promise<void> = Promise.resolve();
      let fold: Fold | undefined;
      let tables: readonly SnapshotTable[] = [];
      await writeHistory({
        url,
        history: rest,
        signal,
        async afterStep(step) {
          if (step !== place) return;
          const slot = await lease.createSlot();
          const beside = await openBeside({ url, slot, publications, chunkRows: 2 });
          const { snapshot } = beside;
          const run = async () => {
            let ended = false;
            while (!ended || !snapshot.done()) {
              const next = await snapshot.next();
              fold ??= new Fold(snapshot.tables);
              tables = snapshot.tables;
              if (next.kind === 'chunk') {
                chunks += 1;
                for (const change of next.chunk.changes) fold.apply(change);
              } else if (next.kind === 'transaction') {
                if (isEnd(next)) ended = true;
                else for (const change of next.transaction.changes) fold.apply(change);
              }
            }
            await beside[Symbol.asyncDispose]();
          };
          running = run();
          running.catch(() => {});
        },
      });
      await emitEnd(url);
      await running;
      const truth = historyTruth(history, { snapshotBefore: place + 1 });
      const last = truth.commits.at(-1) ?? truth.start;
      expect(fold!.state(), `history ${index} from step ${place}`).toEqual(expectedState(last, tables));
    }
    expect(chunks).toBeGreaterThan(COUNT);
    await session.close();
  }, 120_000);
});

describe('a chunk', () => {
  test('is completed by another one when a row not yet read moves to where it was read already', async () => {
    const { url, session } = await useDatabase(server());
    await createWrittenTable(session, 20);
    await using lease = await openLease({ url, signal });
    const publications = [await lease.createPublication('all')];
    const slot = await lease.createSlot();
    await using beside = await openBeside({ url, slot, publications, chunkRows: 5 });
    const { snapshot } = beside;
    const fold = new Fold(snapshot.tables);
    const first = await snapshot.next();
    expect(first).toMatchObject({ kind: 'chunk', chunk: { first: true, complete: false, progress: ['5'] } });
    if (first.kind === 'chunk') for (const change of first.chunk.changes) fold.apply(change);
    // Its long text is not told.
    await session.query('UPDATE t SET id = 0 WHERE id = 20');
    while (!snapshot.done()) {
      const next = await snapshot.next();
      const changes =
        next.kind === 'chunk'
          ? next.chunk.changes
          : next.kind === 'transaction'
            ? next.transaction.changes
            : [];
      for (const change of changes) fold.apply(change);
    }
    expect(fold.state()).toEqual(stateOf([['t', await session.query('SELECT * FROM t')]]));
    await session.close();
  });

  test('waits for a transaction that was delivered and that others do not see yet', async () => {
    const { url, session } = await useDatabase(server());
    await createWrittenTable(session, 4);
    await using lease = await openLease({ url, signal });
    const publications = [await lease.createPublication('all')];
    const slot = await lease.createSlot();
    await session.query('SET synchronous_commit = local');
    await using writer = await openSession({ url, signal });
    const [{ pid }] = (await writer.query('SELECT pg_backend_pid() AS pid')) as [{ pid: string }];
    // Its commit is written and sent to us, and then waits for a standby that never comes.
    await using standbys = await waitForStandby(session, 'absent');
    const held = async (query: string) => (await session.query(query)).length > 0;
    expect(
      await eventually(async () => {
        const [row] = await writer.query('SHOW synchronous_standby_names');
        return row?.synchronous_standby_names === 'absent';
      }),
    ).toBe(true);
    const writing = writer.query(`UPDATE t SET token = 'newer' WHERE id = 3`);
    writing.catch(() => {});
    expect(
      await eventually(() =>
        held(`SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND pid = ${pid}`),
      ),
    ).toBe(true);
    expect(await session.query('SELECT token FROM t WHERE id = 3')).toEqual([{ token: 'first 3' }]);
    await using beside = await openBeside({ url, slot, publications, chunkRows: 2 });
    const { snapshot } = beside;
    const fold = new Fold(snapshot.tables);
    const update = await snapshot.next();
    if (update.kind !== 'transaction') throw new Error('no transaction came');
    for (const change of update.transaction.changes) fold.apply(change);
    const first = await snapshot.next();
    if (first.kind !== 'chunk') throw new Error('no chunk came');
    for (const change of first.chunk.changes) fold.apply(change);
    // The second has the row that was updated.
    const next = snapshot.next();
    await Promise.race([next, new Promise((done) => setTimeout(done, 300))]);
    await standbys[Symbol.asyncDispose]();
    await writing;
    const second = await next;
    if (second.kind !== 'chunk') throw new Error('no chunk came');
    for (const change of second.chunk.changes) fold.apply(change);
    expect(fold.state()).toEqual(stateOf([['t', await session.query('SELECT * FROM t')]]));
    await session.close();
  });
});

/** Commits of the server wait for a standby until this is disposed of: a failed test must not hold up the next. */
async function waitForStandby(session: Session, standby: string): Promise<AsyncDisposable> {
  const set = async (names: string) => {
    await session.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
    await session.query('SELECT pg_reload_conf()');
  };
  await set(standby);
  let ended: Promise<void> | undefined;
  return {
    [Symbol.asyncDispose]: () => {
      ended ??= set('');
      return ended;
    },
  };
}

const ROWS = 60;
const TRANSACTIONS = 40;

describe.each(['initial', 'incremental'] as const)('with writers running, an %s snapshot', (kind) => {
  test(`loses and repeats nothing, ${COUNT} of ${COUNT}`, async () => {
    const { url, session } = await useDatabase(server());
    for (let round = 0; round < COUNT; round++) {
      await createWrittenTable(session, ROWS);
      await using lease = await openLease({ url, signal });
      const publications = [await lease.createPublication('all')];
      const writing = runWriters(url, `${kind} ${round}`, ROWS, TRANSACTIONS).then(() => emitEnd(url));
      const fold = await (kind === 'initial'
        ? byInitial(url, lease, publications)
        : byIncremental(url, lease, publications));
      await writing;
      const rows = await session.query('SELECT * FROM t');
      expect(fold.state(), `round ${round}`).toEqual(stateOf([['t', rows]]));
    }
    await session.close();

    async function byInitial(url: string, lease: Lease, publications: readonly string[]): Promise<Fold> {
      const slot = await lease.createSlotWithSnapshot();
      await using snapshot = await openInitialSnapshot({ url, slot, publications, chunkRows: 7, signal });
      const fold = new Fold(snapshot.tables);
      for await (const { changes, snapshot_lsn } of snapshot.chunks()) {
        expect(snapshot_lsn).toBe(slot.consistentPoint);
        for (const change of changes) fold.apply(change);
      }
      await using capture = await openCapture({ url, slot: slot.name, publications, protocol: 1, signal });
      for (let next = await capture.next(); !isEnd(next); next = await capture.next()) {
        if (next.kind !== 'transaction') continue;
        expect(next.transaction.commit_lsn).toBeGreaterThanOrEqual(slot.consistentPoint);
        for (const change of next.transaction.changes) fold.apply(change);
      }
      return fold;
    }

    async function byIncremental(url: string, lease: Lease, publications: readonly string[]): Promise<Fold> {
      const slot = await lease.createSlot();
      await using beside = await openBeside({ url, slot, publications, chunkRows: 7 });
      const { snapshot } = beside;
      const fold = new Fold(snapshot.tables);
      for (let ended = false; !ended || !snapshot.done(); ) {
        const next = await snapshot.next();
        if (next.kind === 'chunk') for (const change of next.chunk.changes) fold.apply(change);
        else if (isEnd(next as Delivered)) ended = true;
        else if (next.kind === 'transaction')
          for (const change of next.transaction.changes) fold.apply(change);
      }
      return fold;
    }
  }, 200_000);
});
