import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Change, PgRecord } from '../../model/history/index.ts';
import { once } from '../../streams/bounded.ts';
import type { Capture } from './capture.ts';
import { movedInPart, overlay } from './chunk-overlay.ts';
import type { Delivered } from './delivered.ts';
import { PostgresError, refusal } from './error.ts';
import { checkName } from './names.ts';
import { openSession, type Session } from './session.ts';
import { insertsOf, type SnapshotChunk, type SnapshotProgress } from './snapshot-chunk.ts';
import { chunkQuery, keyOf, rowQuery, type SnapshotTable, snapshotTables } from './snapshot-table.ts';
import { TransactionSnapshot } from './transaction-snapshot.ts';

const VISIBLE_MS = 10_000;
const POLL_MS = 5;
/** Transactions whose numbers are remembered: any whose commit is written and not yet seen is among them. */
const RECENT = 65_536;
const PREFIX = 'tidemark_snapshot';

export interface IncrementalSnapshotOptions {
  readonly url: string;
  readonly publications: readonly string[];
  /** Rows of a chunk at most. */
  readonly chunkRows: number;
  /** Where another one stopped. */
  readonly after?: SnapshotProgress;
  readonly signal: AbortSignal;
}

/**
 * Reads the published tables chunk by chunk while the stream goes on.
 *
 * A chunk is read in a transaction of its own, after which a signal is written to the log. It is delivered where the
 * signal comes in the stream, brought up to all that the stream delivered before and the chunk did not see.
 */
export interface IncrementalSnapshot extends AsyncDisposable {
  readonly tables: readonly SnapshotTable[];
  /** What comes next: of the capture, or a chunk in its place. Signals of ours are left out. @throws PostgresError */
  next(): Promise<Delivered | { readonly kind: 'chunk'; readonly chunk: SnapshotChunk }>;
  /** Whether every chunk was delivered. */
  done(): boolean;
  /** Goes on with another capture of the slot after a restart, from what the sink has. */
  resume(capture: Capture, after: SnapshotProgress): Promise<void>;
  close(): Promise<void>;
}

/** Begins one beside a capture, from which nobody else reads meanwhile. @throws PostgresError */
export async function openIncrementalSnapshot(
  capture: Capture,
  options: IncrementalSnapshotOptions,
): Promise<IncrementalSnapshot> {
  for (const name of options.publications) checkName(name, 'publication');
  const session = await openSession(options);
  try {
    // A signal waits for no standby.
    await session.query('SET synchronous_commit = local', undefined, 'begin the snapshot');
    const tables = await snapshotTables(session, options.publications);
    return new Reader(capture, session, tables, options);
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** A chunk that was read and whose signal has not come yet. */
interface Pending {
  readonly signal: string;
  readonly table: SnapshotTable;
  readonly snapshot: TransactionSnapshot;
  readonly rows: readonly PgRecord[];
  readonly chunk: Omit<SnapshotChunk, 'changes'>;
}

class Reader implements IncrementalSnapshot {
  readonly close: () => Promise<void>;
  readonly #session: Session;
  readonly tables: readonly SnapshotTable[];
  readonly #chunkRows: number;
  readonly #recent = new Set<number>();
  #capture: Capture;
  #progress: Map<string, readonly string[] | 'done'>;
  /** Rows to be read again, by table. */
  readonly #again = new Map<SnapshotTable, (readonly string[])[]>();
  /** Changes delivered since the chunk was asked for, by transaction. */
  #since: { readonly xid: number; readonly changes: readonly Change[] }[] = [];
  #asked: Promise<void> | undefined;
  #pending: Pending | undefined;
  #failure: PostgresError | undefined;

  constructor(
    capture: Capture,
    session: Session,
    tables: readonly SnapshotTable[],
    options: IncrementalSnapshotOptions,
  ) {
    this.#capture = capture;
    this.#session = session;
    this.tables = tables;
    this.#chunkRows = options.chunkRows;
    this.#progress = new Map(options.after);
    this.close = once(() => session.close());
  }

  done(): boolean {
    return this.#asked === undefined && this.#nextTable() === undefined && this.#again.size === 0;
  }

  async next(): Promise<Delivered | { readonly kind: 'chunk'; readonly chunk: SnapshotChunk }> {
    for (;;) {
      this.#ask();
      const delivered = await this.#capture.next();
      if (this.#failure !== undefined) throw this.#failure;
      const signal = signalOf(delivered);
      if (signal === undefined) {
        this.#observe(delivered);
        return delivered;
      }
      // Signals of one that was there before come again with the stream.
      await this.#asked;
      if (this.#pending?.signal === signal) return { kind: 'chunk', chunk: this.#deliver(this.#pending) };
    }
  }

  async resume(capture: Capture, after: SnapshotProgress): Promise<void> {
    await this.#asked;
    this.#capture = capture;
    this.#progress = new Map(after);
    this.#pending = undefined;
    this.#asked = undefined;
    this.#since = [];
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #nextTable(): SnapshotTable | undefined {
    return this.tables.find(({ label }) => this.#progress.get(label) !== 'done');
  }

  /** Reads the next chunk beside the stream, one at a time. */
  #ask(): void {
    if (this.#asked !== undefined || this.done()) return;
    this.#since = [];
    this.#asked = this.#read().catch((error: unknown) => {
      this.#failure = refusal(error, 'read a chunk');
      // Whoever waits for the stream would wait for a signal that never comes.
      this.#capture.cut();
    });
  }

  async #read(): Promise<void> {
    const table = this.#nextTable();
    const [again] = this.#again;
    const { snapshot, value } = await this.#inSnapshot(() =>
      table !== undefined ? this.#readChunk(table) : this.#readAgain(again![0], again![1]),
    );
    const signal = randomBytes(8).toString('hex');
    this.#pending = { signal, snapshot, ...value };
    // In a transaction, for its end is written out at once.
    await this.#session.query(
      'SELECT pg_logical_emit_message(true, $1, $2)',
      [PREFIX, signal],
      'write a signal',
    );
  }

  async #readChunk(table: SnapshotTable) {
    const progress = this.#progress.get(table.label) as readonly string[] | undefined;
    const rows = await this.#session.query(
      chunkQuery(table, progress, this.#chunkRows),
      progress,
      'read a chunk',
    );
    const last = rows.at(-1);
    const chunk = {
      table: table.label,
      first: progress === undefined,
      complete: rows.length < this.#chunkRows,
      progress: last === undefined ? progress : keyOf(table, last),
    };
    return { table, rows, chunk };
  }

  async #readAgain(table: SnapshotTable, keys: readonly (readonly string[])[]) {
    const rows: PgRecord[] = [];
    for (const key of keys) rows.push(...(await this.#session.query(rowQuery(table), key, 'read a row')));
    const chunk = { table: table.label, first: false, complete: true, progress: undefined };
    this.#again.delete(table);
    return { table, rows, chunk };
  }

  /**
   * Reads in a state that has everything the stream delivered before. A transaction is delivered when its commit is
   * written; others see it a moment later only.
   */
  async #inSnapshot<T>(read: () => Promise<T>): Promise<{ snapshot: TransactionSnapshot; value: T }> {
    const before = [...this.#recent];
    const deadline = performance.now() + VISIBLE_MS;
    for (;;) {
      await this.#session.query(
        'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY',
        undefined,
        'begin a chunk',
      );
      const [row] = await this.#session.query(
        'SELECT pg_current_snapshot() AS text',
        undefined,
        'begin a chunk',
      );
      const snapshot = new TransactionSnapshot(row?.text);
      if (before.every((xid) => snapshot.sees(xid))) {
        const value = await read();
        await this.#session.query('COMMIT', undefined, 'end a chunk');
        return { snapshot, value };
      }
      await this.#session.query('ROLLBACK', undefined, 'end a chunk');
      if (performance.now() > deadline) {
        throw new PostgresError('timeout', 'a transaction that was delivered did not become visible');
      }
      await sleep(POLL_MS);
    }
  }

  #observe(delivered: Delivered): void {
    if (delivered.kind === 'message') return;
    if (delivered.kind === 'spilled') {
      throw new PostgresError('unsupported', 'a spilled transaction beside an incremental snapshot');
    }
    const { xid, changes } = delivered.transaction;
    this.#recent.add(xid);
    for (const oldest of this.#recent) {
      if (this.#recent.size <= RECENT) break;
      this.#recent.delete(oldest);
    }
    if (this.#asked !== undefined) this.#since.push({ xid, changes });
    if (this.done()) return;
    for (const change of changes) {
      const table = this.tables.find(({ label }) => label === change.table);
      if (table === undefined || !movedInPart(change, table)) continue;
      this.#again.set(table, [...(this.#again.get(table) ?? []), keyOf(table, change.record ?? {})]);
    }
  }

  #deliver({ table, snapshot, rows, chunk }: Pending): SnapshotChunk {
    const newer = this.#since.filter(({ xid }) => !snapshot.sees(xid)).flatMap(({ changes }) => changes);
    this.#pending = undefined;
    this.#asked = undefined;
    this.#since = [];
    const { complete, progress } = chunk;
    if (this.#progress.get(table.label) !== 'done') {
      if (complete) this.#progress.set(table.label, 'done');
      else if (progress !== undefined) this.#progress.set(table.label, progress);
    }
    return { ...chunk, changes: insertsOf(table, overlay(table, rows, newer)) };
  }
}

/** The signal a delivery is, if it is one of ours. */
function signalOf(delivered: Delivered): string | undefined {
  if (delivered.kind !== 'transaction') return undefined;
  const { changes, messages } = delivered.transaction;
  const [message] = messages;
  if (changes.length > 0 || messages.length !== 1 || message?.prefix !== PREFIX) return undefined;
  return Buffer.from(message.content, 'base64').toString();
}
