import { once } from '../../streams/bounded.ts';
import type { SlotWithSnapshot } from './lease.ts';
import { checkName, quoteText } from './names.ts';
import { openSession } from './session.ts';
import { insertsOf, type SnapshotChunk, type SnapshotProgress } from './snapshot-chunk.ts';
import { chunkQuery, keyOf, type SnapshotTable, snapshotTables } from './snapshot-table.ts';

export interface InitialSnapshotOptions {
  readonly url: string;
  readonly slot: SlotWithSnapshot;
  readonly publications: readonly string[];
  /** Rows of a chunk at most. */
  readonly chunkRows: number;
  readonly signal: AbortSignal;
}

/** The published tables as they were when the slot was made. The slot's stream goes on exactly from there. */
export interface InitialSnapshot extends AsyncDisposable {
  readonly tables: readonly SnapshotTable[];
  /** Chunks, table by table, from some progress on; as often as one likes, all of the one state. */
  chunks(after?: SnapshotProgress): AsyncGenerator<SnapshotChunk>;
  close(): Promise<void>;
}

/** Takes the slot's snapshot over; the slot's connection is not needed any more. @throws PostgresError */
export async function openInitialSnapshot(options: InitialSnapshotOptions): Promise<InitialSnapshot> {
  const { url, slot, publications, chunkRows, signal } = options;
  for (const name of publications) checkName(name, 'publication');
  const session = await openSession({ url, signal });
  const close = once(() => session.close());
  try {
    await session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', undefined, 'begin the snapshot');
    await session.query(
      `SET TRANSACTION SNAPSHOT ${quoteText(slot.snapshot)}`,
      undefined,
      'take the snapshot',
    );
    await slot.release();
    const tables = await snapshotTables(session, publications);
    return {
      tables,
      async *chunks(after = new Map()) {
        for (const table of tables) {
          let progress = after.get(table.label);
          while (progress !== 'done') {
            const first = progress === undefined;
            const sql = chunkQuery(table, progress, chunkRows);
            const rows = await session.query(sql, progress, 'read a chunk');
            const last = rows.at(-1);
            const complete = rows.length < chunkRows;
            const reached: readonly string[] | undefined = last === undefined ? progress : keyOf(table, last);
            yield {
              table: table.label,
              first,
              complete,
              snapshot_lsn: slot.consistentPoint,
              progress: reached,
              changes: insertsOf(table, rows),
            };
            progress = complete ? 'done' : reached;
          }
        }
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
