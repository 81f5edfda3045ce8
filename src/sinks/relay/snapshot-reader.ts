import { openSession, type Session } from '../postgres/index.ts';
import type { SlotWithSnapshot } from '../postgres/lease.ts';
import { quoteName, quoteText } from '../postgres/names.ts';
import type { SinkRelation, SnapshotChunk } from '../sink.ts';

export interface SnapshotOptions {
  readonly url: string;
  readonly slot: SlotWithSnapshot;
  readonly relations: readonly SinkRelation[];
  /** Rows of a chunk. */
  readonly rows: number;
  readonly signal: AbortSignal;
}

/** Begins to read the snapshot that came with a slot. @throws PostgresError */
export async function openSnapshot(options: SnapshotOptions): Promise<SnapshotReader> {
  const { url, slot, signal } = options;
  const session = await openSession({ url, signal });
  try {
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT ${quoteText(slot.snapshot)}`;
    await session.query(begin, undefined, 'take the snapshot');
    await slot.release();
    return new SnapshotReader(session, options);
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Reads a snapshot in chunks of one table each, by its key, while others write. */
export class SnapshotReader {
  readonly #session: Session;
  readonly #options: SnapshotOptions;
  readonly #chunks: SnapshotChunk[] = [];
  #left: readonly SinkRelation[];
  #isOpen = false;
  #isDone = false;

  constructor(session: Session, options: SnapshotOptions) {
    this.#session = session;
    this.#options = options;
    this.#left = options.relations;
  }

  /** What has been read so far. */
  get chunks(): readonly SnapshotChunk[] {
    return this.#chunks;
  }

  /** Reads the next chunk, or all that are left. */
  async read(howMany: 'one' | 'all'): Promise<void> {
    do {
      if (this.#isDone) return;
      await this.#readOne();
    } while (howMany === 'all');
  }

  async close(): Promise<void> {
    this.#isDone = true;
    await this.#session.close();
  }

  async #readOne(): Promise<void> {
    const [relation] = this.#left;
    if (relation === undefined) return this.close();
    const { table, columns, key } = relation;
    const query = (sql: string) => this.#session.query(sql, undefined, 'read the snapshot');
    if (!this.#isOpen) {
      const names = columns.map(({ name }) => quoteName(name)).join(', ');
      const order = key.map(quoteName).join(', ');
      await query(`DECLARE chunk CURSOR FOR SELECT ${names} FROM ${quoteName(table)} ORDER BY ${order}`);
      this.#isOpen = true;
    }
    const { rows: size, slot } = this.#options;
    const rows = await query(`FETCH ${size} FROM chunk`);
    if (rows.length > 0) {
      const place = { snapshotLsn: slot.consistentPoint, index: this.#chunks.length };
      this.#chunks.push({ kind: 'initial', ...place, table, rows });
    }
    if (rows.length === size) return;
    await query('CLOSE chunk');
    this.#isOpen = false;
    this.#left = this.#left.slice(1);
  }
}
