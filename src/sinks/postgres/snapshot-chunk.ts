import type { Change, Lsn, PgRecord } from '../../model/history/index.ts';
import type { SnapshotTable } from './snapshot-table.ts';

/** Some rows of a table as they were at one time, to be upserted; it never moves a checkpoint. */
export interface SnapshotChunk {
  readonly table: string;
  /** Whether it is the table's first. */
  readonly first: boolean;
  /** Whether it is the table's last. */
  readonly complete: boolean;
  /** Of an initial snapshot: a transaction is in it iff its `commit_lsn` is less (law §10). */
  readonly snapshot_lsn?: Lsn;
  /** The last key that was read, from which another snapshot may go on; undefined before the first row. */
  readonly progress: readonly string[] | undefined;
  readonly changes: readonly Change[];
}

/** Rows as changes. */
export function insertsOf({ label }: SnapshotTable, rows: readonly PgRecord[]): readonly Change[] {
  return rows.map((record, ordinal) => ({ op: 'insert', table: label, ordinal, record, unchanged: [] }));
}

/** How far the tables were read, by label: a key, or `done`. A table that is not there is read from its beginning. */
export type SnapshotProgress = ReadonlyMap<string, readonly string[] | 'done'>;
