import { type CapturedTransaction, keyText, type Lsn, type PgRecord } from '../../model/history/index.ts';
import { parseLsn, type Session } from '../postgres/index.ts';
import { quoteName, quoteText } from '../postgres/names.ts';
import type { SinkRelation, SnapshotChunk } from '../sink.ts';

/** What the messages say that mark where a chunk was read, before and after. */
export const WATERMARK = 'tidemark-watermark';

/** A chunk as it was read between two places of the log. */
interface Window {
  readonly relation: SinkRelation;
  readonly index: number;
  readonly low: Lsn;
  readonly rows: readonly PgRecord[];
  high: Lsn | undefined;
}

/**
 * Reads tables chunk by chunk while others write, each chunk between two messages in the log. The stream delivers it at
 * the second of them, without the rows that it has changed in between: of those it is not known which image is newer, and
 * the stream's is.
 */
export class IncrementalSnapshot {
  readonly #session: Session;
  readonly #rows: number;
  readonly #snapshotLsn: Lsn;
  readonly #windows: Window[] = [];
  #left: readonly SinkRelation[];
  #after: PgRecord | undefined;
  #open: Window | undefined;

  constructor(session: Session, rows: number, snapshotLsn: Lsn, relations: readonly SinkRelation[]) {
    this.#session = session;
    this.#rows = rows;
    this.#snapshotLsn = snapshotLsn;
    this.#left = relations;
  }

  /** Reads the next chunk. Nobody may have a table for themselves. */
  async read(): Promise<void> {
    await this.close();
    for (;;) {
      const [relation] = this.#left;
      if (relation === undefined) return;
      const low = await this.#mark();
      const rows = await this.#query(this.#select(relation));
      this.#after = rows.at(-1);
      if (rows.length < this.#rows) {
        this.#left = this.#left.slice(1);
        this.#after = undefined;
      }
      if (rows.length === 0) continue;
      this.#open = { relation, index: this.#windows.length, low, rows, high: undefined };
      this.#windows.push(this.#open);
      return;
    }
  }

  /** Has the chunk that was read delivered after everything that has been committed by now. */
  async close(): Promise<void> {
    if (this.#open !== undefined) this.#open.high = await this.#mark();
    this.#open = undefined;
  }

  /** Reads all that is left. */
  async finish(): Promise<void> {
    while (this.#left.length > 0) await this.read();
    await this.close();
  }

  /** What the stream makes of it; everything has been read. */
  delivery(): IncrementalDelivery {
    return new IncrementalDelivery(this.#windows, this.#snapshotLsn);
  }

  #select({ table, columns, key }: SinkRelation): string {
    const names = columns.map(({ name }) => quoteName(name)).join(', ');
    const order = key.map(quoteName).join(', ');
    const after = this.#after;
    const values = key.map((name) => quoteText(after?.[name] ?? '')).join(', ');
    const where = after === undefined ? '' : ` WHERE (${order}) > (${values})`;
    return `SELECT ${names} FROM ${quoteName(table)}${where} ORDER BY ${order} LIMIT ${this.#rows}`;
  }

  async #mark(): Promise<Lsn> {
    const [row] = await this.#query(`SELECT pg_logical_emit_message(false, '${WATERMARK}', '') AS lsn`);
    return parseLsn(row?.lsn);
  }

  #query(sql: string): Promise<readonly PgRecord[]> {
    return this.#session.query(sql, undefined, 'read a chunk');
  }
}

/** Chunks as they come in the stream, again as often as it does. */
export class IncrementalDelivery {
  readonly #windows: readonly Window[];
  readonly #snapshotLsn: Lsn;
  /** The keys that were changed within each window; all, where the table was emptied. */
  readonly #changed: readonly Set<string>[];
  readonly #emptied = new Set<number>();

  constructor(windows: readonly Window[], snapshotLsn: Lsn) {
    this.#windows = windows;
    this.#snapshotLsn = snapshotLsn;
    this.#changed = windows.map(() => new Set());
  }

  /** Takes note of a transaction of the stream. */
  see({ commit_lsn, changes }: CapturedTransaction): void {
    for (const { relation, index, low, high } of this.#windows) {
      if (commit_lsn < low || (high !== undefined && commit_lsn >= high)) continue;
      for (const { table, op, record, old } of changes) {
        if (table !== relation.table) continue;
        if (op === 'truncate') this.#emptied.add(index);
        for (const row of [record, old]) if (row) this.#changed[index]!.add(keyText(row, relation.key));
      }
    }
  }

  /** The chunk that is due at a message of ours, where one is. */
  at(lsn: Lsn): { readonly chunk: SnapshotChunk; readonly isLast: boolean } | undefined {
    const window = this.#windows.find(({ high }) => high === lsn);
    if (window === undefined) return undefined;
    const { relation, index } = window;
    const isNewer = (row: PgRecord) => this.#changed[index]!.has(keyText(row, relation.key));
    const rows = this.#emptied.has(index) ? [] : window.rows.filter((row) => !isNewer(row));
    const place = { snapshotLsn: this.#snapshotLsn, index, table: relation.table };
    return { chunk: { kind: 'incremental', ...place, rows }, isLast: index === this.#windows.length - 1 };
  }
}
