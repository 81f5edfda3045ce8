import type { Change } from './change.ts';
import type { PgRecord } from './pg-text.ts';
import type { Table } from './table.ts';

/** A message as it must be delivered; where it is in the log is not known beforehand. */
export interface ExpectedMessage {
  readonly ordinal: number;
  readonly prefix: string;
  readonly content: string;
}

/**
 * How a table differs from what the stream last showed of it, or from how it began. It shows first at the change of
 * this `ordinal`. `destructive`: a column is gone or the replica identity is another, so that a pipeline halts
 * (semantics §10, invariant 4).
 */
export interface SchemaChange {
  readonly table: string;
  readonly ordinal: number;
  readonly kind: 'additive' | 'destructive';
  readonly added: readonly string[];
  readonly dropped: readonly string[];
  readonly identityChanged: boolean;
}

/** A committed transaction of which something is published. `step`: the step that commits it. */
export interface ExpectedTransaction {
  readonly kind: 'transaction';
  readonly step: number;
  readonly changes: readonly Change[];
  readonly messages: readonly ExpectedMessage[];
  readonly schemaChanges: readonly SchemaChange[];
}

/** A message of no transaction. `step`: the step that emits it. */
export interface ExpectedStandaloneMessage extends ExpectedMessage {
  readonly kind: 'message';
  readonly step: number;
  readonly ordinal: 0;
}

export type Delivery = ExpectedTransaction | ExpectedStandaloneMessage;

/** A table at one time: its definition then, and its rows by {@link keyText}. */
export interface TableImage {
  readonly table: Table;
  readonly rows: ReadonlyMap<string, PgRecord>;
}

/**
 * Everything after one commit, published or not.
 *
 * - `step`: the step that commits.
 * - `source`: the tables in the database, rows by primary key.
 * - `published`: the tables as a sink must hold them that has applied every delivery so far, rows by row key, as the
 *   stream last showed their definitions. The two differ where a publication leaves out actions.
 */
export interface CommittedState {
  readonly step: number;
  readonly source: ReadonlyMap<string, TableImage>;
  readonly published: ReadonlyMap<string, TableImage>;
}

/**
 * What a history comes to from where its delivery starts (semantics §10).
 *
 * - `start`: the state in which delivery begins, `published` being what a snapshot then holds.
 * - `deliveries`: what must reach a sink after that, in order.
 * - `commits`: the state after every commit since, also of those that publish nothing.
 * - `aborted`: the tokens of writes and transactional messages that were rolled back: none may ever take effect.
 * - `hidden`: the tokens of committed writes that neither the snapshot nor a subscribed publication shows.
 */
export interface HistoryTruth {
  readonly start: CommittedState;
  readonly deliveries: readonly Delivery[];
  readonly commits: readonly CommittedState[];
  readonly aborted: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
}

/** The values of these columns as one text, by which rows are told apart. */
export function keyText(record: PgRecord, columns: readonly string[]): string {
  return JSON.stringify(columns.map((name) => record[name] ?? null));
}
