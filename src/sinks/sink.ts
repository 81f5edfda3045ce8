import type {
  CapturedTransaction,
  DeliveryMode,
  LedgerEntry,
  Lsn,
  PgRecord,
  StandaloneMessage,
} from '../model/history/index.ts';
import type { TransactionItem } from './postgres/delivered.ts';

/**
 * A sink of change-data-capture that is put to the test.
 *
 * - `modes`: those it claims to support; each is tried apart, against its own guarantee (semantics §10).
 * - `takesMessages`: whether messages have effects in it that its ledger shows.
 */
export interface SinkUnderTest {
  readonly name: string;
  readonly modes: readonly DeliveryMode[];
  readonly takesMessages: boolean;
  /** Makes a new and empty place for the effects of one history. */
  prepare(setting: SinkSetting): Promise<SinkHome>;
}

/** What a sink is given for one history. */
export interface SinkSetting {
  /** An empty database for a sink that needs a PostgreSQL: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly postgresUrl: string;
  /** A directory of its own, removed after the history. */
  readonly directory: string;
  /** Where a sink logs to. Every line is searched for row values, which must not be in it. */
  log(line: string): void;
  /**
   * To be awaited right before the checkpoint, or the progress of a snapshot, is written, where it is the sink's: the kit
   * may end the sink there by a throw. One that never comes there is `inconclusive`: whether it writes rows and checkpoint
   * as one is not known.
   */
  failPoint(point: FailPoint): Promise<void>;
  readonly signal: AbortSignal;
}

export type FailPoint = 'before-checkpoint';

/** Where the effects of one history are. It outlives the incarnations of the sink. */
export interface SinkHome extends AsyncDisposable {
  /** A new incarnation on the same effects, as after a restart. The one before may not have been closed. */
  open(): Promise<Sink>;
  /**
   * Every effect so far, in the order in which they took effect; see {@link LedgerEntry}. It only ever grows. The kit
   * itself knows the sessions.
   */
  ledger(): Promise<readonly SinkEffect[]>;
  /** All rows there are now, values as PostgreSQL writes them; by the names that changes give the tables. */
  dump(): Promise<ReadonlyMap<string, readonly PgRecord[]>>;
}

export type SinkEffect = Omit<LedgerEntry, 'session'>;

/**
 * One incarnation of a sink. The kit calls one method at a time. A method resolves once its effects are durable; it
 * throws a `SinkHalt` to take no more deliveries, and any other error counts as a halt of reason `failed`. No error may
 * hold a row value, the content of a message or its prefix (semantics §10, invariant 1).
 *
 * Under a mode with a checkpoint of the sink's, whatever is at or before the checkpoint must be skipped; under one with a
 * checkpoint of the library's, the kit skips. Only the methods that its modes need have to be there.
 */
export interface Sink {
  /** First of all, also after a restart: how deliveries will come, and the tables as the stream last showed them. */
  hello(greeting: Greeting): Promise<void>;
  /** The `commit_lsn` up to which everything is durable; undefined before the first. Not called in library modes. */
  checkpoint?(): Promise<Lsn | undefined>;
  transaction?(transaction: CapturedTransaction): Promise<Applied>;
  /** Several transactions that take effect as one. Some of them may be at or before the checkpoint. */
  batch?(transactions: readonly CapturedTransaction[]): Promise<Applied>;
  /** A transaction too large for memory. Its items can be read once, in order, while this call lasts. */
  spilled?(transaction: SpilledDelivery): Promise<Applied>;
  /** A message of no transaction. Its position may equal that of the transaction that comes next. */
  message?(message: StandaloneMessage): Promise<void>;
  /**
   * Chunks of the snapshot that are durable, from the first on; 0 before any. Asked after a restart, where the last may
   * come again. Not called in library modes.
   */
  snapshotProgress?(): Promise<number>;
  snapshotChunk?(chunk: SnapshotChunk): Promise<void>;
  /** After the last chunk. An initial snapshot sets the checkpoint to `snapshotLsn` − 1, an incremental one leaves it. */
  snapshotComplete?(snapshot: SnapshotEnd): Promise<void>;
  /** Comes before the transaction that first shows it, and again with that. A destructive one must be a `SinkHalt`. */
  schemaChange(change: RelationChange): Promise<void>;
  /** Ends it in order. */
  close(): Promise<void>;
  /** Ends it as a crash would: what is not durable is lost. Where absent, it is dropped as it is. */
  kill?(): Promise<void>;
}

export interface Greeting {
  readonly mode: DeliveryMode;
  readonly relations: readonly SinkRelation[];
}

/** A table of the source. */
export interface SinkRelation {
  readonly table: string;
  readonly columns: readonly SinkColumn[];
  /** Which columns tell its rows apart in changes: those of its replica identity, else its primary key. */
  readonly key: readonly string[];
  readonly identity: 'default' | 'full' | 'index' | 'nothing';
}

/** `type`: as PostgreSQL's `format_type` writes it, such as `numeric(10,2)`. */
export interface SinkColumn {
  readonly name: string;
  readonly type: string;
}

/** `lsn`: the checkpoint after it. */
export interface Applied {
  readonly lsn: Lsn;
}

export interface SpilledDelivery {
  readonly commit_lsn: Lsn;
  readonly xid: number;
  items(): AsyncIterable<TransactionItem>;
}

/** `index`: from 0, over all tables. Of one table the rows come in order of its key. */
export interface SnapshotChunk {
  readonly kind: 'initial' | 'incremental';
  readonly snapshotLsn: Lsn;
  readonly index: number;
  readonly table: string;
  readonly rows: readonly PgRecord[];
}

export interface SnapshotEnd {
  readonly kind: 'initial' | 'incremental';
  readonly snapshotLsn: Lsn;
  readonly chunks: number;
}

/** How a table differs from what was shown of it; destructive where a column is gone or the replica identity another. */
export interface RelationChange {
  readonly kind: 'additive' | 'destructive';
  readonly table: string;
  readonly added: readonly SinkColumn[];
  readonly dropped: readonly string[];
  readonly identityChanged: boolean;
}
