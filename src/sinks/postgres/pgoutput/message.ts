import type { Lsn } from '../../../model/history/index.ts';

/** What pgoutput says, protocol versions 1, 2 and 4, without the two-phase part. */
export type PgoutputMessage =
  | { readonly kind: 'begin'; readonly commitLsn: Lsn; readonly xid: number }
  | { readonly kind: 'commit'; readonly commitLsn: Lsn; readonly endLsn: Lsn }
  | { readonly kind: 'origin' }
  | { readonly kind: 'type' }
  | { readonly kind: 'relation'; readonly relation: Relation }
  | (InTransaction & { readonly kind: 'insert'; readonly relation: number; readonly row: Row })
  | (InTransaction & {
      readonly kind: 'update';
      readonly relation: number;
      readonly old: OldRow | undefined;
      readonly row: Row;
    })
  | (InTransaction & { readonly kind: 'delete'; readonly relation: number; readonly old: OldRow })
  | (InTransaction & {
      readonly kind: 'truncate';
      readonly relations: readonly number[];
      readonly cascade: boolean;
      readonly restartIdentity: boolean;
    })
  | (InTransaction & {
      readonly kind: 'message';
      readonly transactional: boolean;
      readonly lsn: Lsn;
      readonly prefix: string;
      /** A copy of its own. */
      readonly content: Uint8Array;
    })
  | { readonly kind: 'stream-start'; readonly xid: number; readonly first: boolean }
  | { readonly kind: 'stream-stop' }
  | { readonly kind: 'stream-commit'; readonly xid: number; readonly commitLsn: Lsn; readonly endLsn: Lsn }
  | { readonly kind: 'stream-abort'; readonly xid: number; readonly subxid: number };

/** `xid`: the transaction or savepoint it belongs to, told only inside a streamed block. */
interface InTransaction {
  readonly xid: number | undefined;
}

/** A table as it was when the changes that follow were made. */
export interface Relation {
  readonly id: number;
  readonly schema: string;
  readonly name: string;
  readonly identity: ReplicaIdentity;
  readonly columns: readonly RelationColumn[];
}

export type ReplicaIdentity = 'default' | 'nothing' | 'full' | 'index';

export interface RelationColumn {
  readonly name: string;
  /** Whether it is part of the replica identity. */
  readonly key: boolean;
  /** The type's oid and modifier. */
  readonly type: number;
  readonly modifier: number;
}

/** The value of a column that is stored apart and was not touched: it is not told. */
export const UNCHANGED = Symbol('unchanged');

/** Text as PostgreSQL writes it. */
export type Field = string | null | typeof UNCHANGED;
export type Row = readonly Field[];

/** `key`: only the columns of the replica identity are told, the others are null. */
export interface OldRow {
  readonly kind: 'key' | 'full';
  readonly row: Row;
}
