import type { CapturedTransaction, Lsn, StandaloneMessage } from '../../model/history/index.ts';
import type { RelationChange, SinkRelation, SnapshotChunk, SpilledDelivery } from '../sink.ts';

/** What comes next from a source, in its order. `changes`: how tables differ from what was shown of them. */
export type SourceItem =
  | {
      readonly kind: 'transaction';
      readonly transaction: CapturedTransaction;
      readonly changes: readonly RelationChange[];
      /** Acknowledging this has it not sent again. */
      readonly endLsn: Lsn;
    }
  | {
      readonly kind: 'spilled';
      readonly transaction: SpilledDelivery;
      readonly changes: readonly RelationChange[];
      readonly endLsn: Lsn;
    }
  | { readonly kind: 'message'; readonly message: StandaloneMessage }
  /** A chunk of an incremental snapshot, without the rows that the stream has changed meanwhile. */
  | { readonly kind: 'chunk'; readonly chunk: SnapshotChunk; readonly isLast: boolean }
  | { readonly kind: 'end' };

/** One connection to a source. */
export interface SourceConnection {
  next(): Promise<SourceItem>;
  /** Has everything that ends at or before it not delivered again. */
  acknowledge(lsn: Lsn): void;
  close(): Promise<void>;
  /** Ends it as a crash would. */
  cut(): void;
}

/** Whence a relay takes what it delivers: a slot that was filled before, and a snapshot where the mode has one. */
export interface DeliverySource {
  /** Connects anew; what was not acknowledged comes again. */
  connect(): Promise<SourceConnection>;
  /** The tables as they were when delivery began. */
  readonly relations: readonly SinkRelation[];
  /** Where a transaction must be to be in the snapshot: before this. */
  readonly snapshotLsn: Lsn;
  /** The chunks of an initial snapshot, in order. */
  readonly chunks: readonly SnapshotChunk[];
}
