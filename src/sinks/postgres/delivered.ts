import type {
  CapturedMessage,
  CapturedTransaction,
  Change,
  Lsn,
  StandaloneMessage,
} from '../../model/history/index.ts';
import type { Relation } from './pgoutput/message.ts';

/**
 * What a source delivers, in its order: messages of no transaction as they are written, transactions as they commit.
 *
 * - `relations`: the tables as its changes show them, in that order: one that is altered amid a transaction comes twice.
 * - `endLsn`: just after its commit record: acknowledging this has it not sent again.
 */
export type Delivered =
  | {
      readonly kind: 'transaction';
      readonly transaction: CapturedTransaction;
      readonly relations: readonly Relation[];
      readonly endLsn: Lsn;
    }
  | {
      readonly kind: 'spilled';
      readonly transaction: SpilledTransaction;
      readonly relations: readonly Relation[];
      readonly endLsn: Lsn;
    }
  | { readonly kind: 'message'; readonly message: StandaloneMessage };

/**
 * What an assembler makes. `ambiguous`: a transaction that was streamed before a savepoint of it was rolled back, and
 * of whose messages it cannot be said which ones were rolled back with it. It has to be read again, not streamed.
 */
export type Assembled = Delivered | { readonly kind: 'ambiguous'; readonly commit_lsn: Lsn };

export type TransactionItem = Change | CapturedMessage;

/** A transaction too large for memory: what is in it lies on disk. */
export interface SpilledTransaction {
  readonly commit_lsn: Lsn;
  readonly xid: number;
  /** Changes and messages by their ordinals, read as they are asked for. Once only: a second time throws. */
  items(): AsyncIterable<TransactionItem>;
  /** Gives the disk back; so does reading to the end or leaving the loop. */
  discard(): void;
}
