import type { DeliveryMode } from './delivery-mode.ts';
import type { PgRecord } from './pg-text.ts';

/**
 * One effect in a sink, as its ledger holds it: that a row of this token was written or deleted, or a message of this
 * token taken.
 *
 * - `transaction`: the sink's own transaction, or whatever takes effect as one. Effects within one may be coalesced.
 * - `session`: the restarts and reconnects before it, each of which may deliver again.
 */
export interface LedgerEntry {
  readonly effect: 'write' | 'delete' | 'message';
  readonly token: string;
  readonly transaction: string;
  readonly session: number;
}

/**
 * What a sink made of the deliveries of a history, once all were delivered or it halted.
 *
 * - `batchSize`: most transactions of a batch, for modes that have batches.
 * - `sessions`: one more than the restarts and reconnects.
 * - `redelivered`: the transactions, messages and chunks that were delivered again after one, whatever the sink did.
 * - `chunks`: the tokens of the rows in each chunk of a snapshot, as it was first delivered.
 * - `takesMessages`: whether messages leave entries in its ledger.
 * - `ledger`: in the order of effect.
 * - `tables`: every row the sink holds at the end, as PostgreSQL writes values.
 * - `halt`: why it takes no more deliveries; absent where it goes on.
 */
export interface SinkRun {
  readonly mode: DeliveryMode;
  readonly batchSize?: number | undefined;
  readonly sessions: number;
  readonly redelivered: number;
  readonly chunks?: readonly (readonly string[])[] | undefined;
  readonly takesMessages: boolean;
  readonly ledger: readonly LedgerEntry[];
  readonly tables: ReadonlyMap<string, readonly PgRecord[]>;
  readonly halt?: { readonly reason: string } | undefined;
}
