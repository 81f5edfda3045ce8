import type { History, Lsn } from '../../model/history/index.ts';
import {
  createHistoryTables,
  openCapture,
  openLease,
  openSession,
  type ProtocolVersion,
  parseLsn,
  type Session,
  type Slot,
  writeHistory,
} from '../postgres/index.ts';
import type { RelationChange, SinkRelation, SnapshotChunk } from '../sink.ts';
import type { DeliverySource, SourceConnection, SourceItem } from './delivery-source.ts';
import { type IncrementalDelivery, IncrementalSnapshot, WATERMARK } from './incremental-snapshot.ts';
import { isQuietAfter } from './quiet-steps.ts';
import { RelationWatch, readRelations } from './relations.ts';
import { openSnapshot, type SnapshotReader } from './snapshot-reader.ts';

export interface HistorySourceOptions {
  /** A database of ours, in which everything else is dropped. */
  readonly url: string;
  readonly history: History;
  /** The step before which delivery begins, and before which a snapshot is taken. No transaction may be open there. */
  readonly startBefore: number;
  /** A snapshot of what is there then, in chunks of so many rows; undefined takes none. */
  readonly snapshot: { readonly kind: SnapshotChunk['kind']; readonly rows: number } | undefined;
  /** By which the slot is read; by 2 and 4 everything is streamed before its commit that the server can be had to. */
  readonly protocol: ProtocolVersion;
  /** Whether every transaction is spilled, however small. */
  readonly spills: boolean;
  readonly signal: AbortSignal;
}

/** A source that is there for one history. */
export interface HistorySource extends DeliverySource, AsyncDisposable {}

const END = 'tidemark-end';

/**
 * Writes a history to a PostgreSQL, with a slot of ours on it since its step `startBefore`, and captures it from there.
 * A snapshot is read while the rest is written.
 *
 * @throws PostgresError
 */
export async function openHistorySource(options: HistorySourceOptions): Promise<HistorySource> {
  const { url, history, startBefore, snapshot, signal } = options;
  const session = await openSession({ url, signal });
  const lease = await openLease({ url, signal }).catch(async (error) => {
    await session.close();
    throw error;
  });
  let begun: Begun | undefined;
  const close = async () => {
    try {
      await begun?.reader?.close();
      await lease.close();
    } finally {
      await session.close();
    }
  };
  try {
    await createHistoryTables(session, history);
    const begin = async () => {
      if (snapshot?.kind === 'initial') {
        const slot = await lease.createSlotWithSnapshot();
        const relations = await readRelations(session, history.subscribed);
        const reader = await openSnapshot({ url, slot, relations, rows: snapshot.rows, signal });
        begun = { slot, relations, reader };
        return;
      }
      const slot = await lease.createSlot();
      const relations = await readRelations(session, history.subscribed);
      begun = { slot, relations };
      if (snapshot === undefined) return;
      const incremental = new IncrementalSnapshot(session, snapshot.rows, slot.consistentPoint, relations);
      begun = { slot, relations, incremental };
      for (let chunk = 0; chunk < SURE_CHUNKS; chunk++) await incremental.read();
    };
    if (startBefore === 0) await begin();
    const afterStep = async (step: number) => {
      if (step + 1 === startBefore) await begin();
      // What takes a table for itself would wait for the reader, and a truncated one looks empty to it.
      const isNextExclusive = EXCLUSIVE.has(history.steps[step + 1]?.do ?? 'commit');
      await begun?.reader?.read(isNextExclusive ? 'all' : 'one');
      const incremental = begun?.incremental;
      if (incremental === undefined || step % STEPS_A_CHUNK !== 0) return;
      // An open transaction may have a table for itself.
      if (isQuietAfter(history, step)) await incremental.read();
      else await incremental.close();
    };
    await writeHistory({ url, history, afterStep, signal });
    await (begun as Begun | undefined)?.incremental?.finish();
    const [row] = await session.query(
      `SELECT pg_logical_emit_message(true, $1, '') AS lsn`,
      [END],
      'mark the end of the history',
    );
    const { slot, relations, reader, incremental } = begun as unknown as Begun;
    await reader?.read('all');
    const stream = new Stream(
      options,
      session,
      slot.name,
      relations,
      parseLsn(row?.lsn),
      incremental?.delivery(),
      options.protocol === 1 ? {} : await streamingSettings(session),
    );
    return {
      connect: () => stream.connect(),
      relations,
      snapshotLsn: slot.consistentPoint,
      chunks: reader?.chunks ?? [],
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Begun {
  readonly slot: Slot;
  readonly relations: readonly SinkRelation[];
  readonly reader?: SnapshotReader;
  readonly incremental?: IncrementalSnapshot;
}

/** Chunks of an incremental snapshot that are read before anybody writes on, so that there are as many for sure. */
export const SURE_CHUNKS = 2;
/** How often the next is read, so that steps come between its marks. */
const STEPS_A_CHUNK = 3;

const EXCLUSIVE: ReadonlySet<string> = new Set(['truncate', 'add-column', 'drop-column', 'set-identity']);

const STREAM_AT_ONCE = 'debug_logical_replication_streaming';

/** Has as much as can be streamed: from PostgreSQL 16 on every change, before that transactions of more than 64 kB. */
async function streamingSettings(session: Session): Promise<Readonly<Record<string, string>>> {
  const [found] = await session.query(
    'SELECT name FROM pg_settings WHERE name = $1',
    [STREAM_AT_ONCE],
    'list its settings',
  );
  const small = { logical_decoding_work_mem: '64kB' };
  return found === undefined ? small : { ...small, [STREAM_AT_ONCE]: 'immediate' };
}

/** What tables looked like after what ends here. */
interface Shown {
  readonly endLsn: Lsn;
  readonly relations: readonly SinkRelation[];
}

/** A slot from which is read again and again. */
class Stream {
  readonly #options: HistorySourceOptions;
  readonly #session: Session;
  readonly #slot: string;
  readonly #endsAt: Lsn;
  readonly #incremental: IncrementalDelivery | undefined;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #shown: Shown[];
  #acknowledged: Lsn = 0n;

  constructor(
    options: HistorySourceOptions,
    session: Session,
    slot: string,
    relations: readonly SinkRelation[],
    endsAt: Lsn,
    incremental: IncrementalDelivery | undefined,
    settings: Readonly<Record<string, string>>,
  ) {
    this.#options = options;
    this.#session = session;
    this.#slot = slot;
    this.#endsAt = endsAt;
    this.#incremental = incremental;
    this.#settings = settings;
    this.#shown = [{ endLsn: 0n, relations }];
  }

  async connect(): Promise<SourceConnection> {
    const { url, history, protocol, spills, signal } = this.#options;
    // A server tells tables as they were then, so the comparison goes on from there as well.
    const from = this.#shown.findLast(({ endLsn }) => endLsn <= this.#acknowledged)!;
    const watch = new RelationWatch(from.relations);
    const capture = await openCapture({
      url,
      slot: this.#slot,
      publications: history.subscribed,
      protocol,
      settings: this.#settings,
      spillAboveBytes: spills ? 0 : Number.MAX_SAFE_INTEGER,
      signal,
    });
    const next = async (): Promise<SourceItem> => {
      const delivered = await capture.next();
      if (delivered.kind === 'message') {
        const { prefix, lsn } = delivered.message;
        if (prefix !== WATERMARK) return delivered;
        const due = this.#incremental?.at(lsn);
        return due === undefined ? next() : { kind: 'chunk', ...due };
      }
      if (delivered.transaction.commit_lsn >= this.#endsAt) return { kind: 'end' };
      const changes: readonly RelationChange[] = await watch.take(delivered.relations, this.#session);
      const { endLsn } = delivered;
      if (endLsn > this.#shown.at(-1)!.endLsn) this.#shown.push({ endLsn, relations: watch.relations });
      if (delivered.kind === 'transaction') this.#incremental?.see(delivered.transaction);
      return { ...delivered, changes };
    };
    return {
      next,
      acknowledge: (lsn) => {
        this.#acknowledged = lsn;
        capture.ack(lsn);
      },
      close: () => capture.close(),
      cut: () => capture.cut(),
    };
  }
}
