import {
  type History,
  keyText,
  type PgRecord,
  type Table,
  type TableImage,
} from '../../src/model/history/index.ts';

/**
 * Tables and their rows while they are written to. A state once taken never changes: rows are copied at the first write
 * after it.
 */
export class Tables {
  #images: Map<string, TableImage>;
  /** Rows that no state taken shares. */
  #own = new Map<string, Map<string, PgRecord>>();

  private constructor(images: ReadonlyMap<string, TableImage>) {
    this.#images = new Map(images);
  }

  static empty({ tables }: History): Tables {
    return new Tables(new Map(tables.map((table) => [table.name, { table, rows: new Map() }])));
  }

  get(name: string): TableImage | undefined {
    return this.#images.get(name);
  }

  define(table: Table): void {
    this.#images.set(table.name, { table, rows: this.#images.get(table.name)?.rows ?? new Map() });
  }

  write(name: string, key: string, record: PgRecord): void {
    this.#rows(name).set(key, record);
  }

  remove(name: string, key: string): void {
    this.#rows(name).delete(key);
  }

  clear(name: string): void {
    this.#rows(name).clear();
  }

  /** All as it is now. */
  state(): ReadonlyMap<string, TableImage> {
    this.#own.clear();
    return new Map(this.#images);
  }

  /** A copy to go on from, its rows under other keys. */
  keyedBy(keyOf: (table: Table) => readonly string[], wanted: (name: string) => boolean): Tables {
    const images = [...this.#images.values()].filter(({ table }) => wanted(table.name));
    return new Tables(
      new Map(
        images.map(({ table, rows }) => {
          const columns = keyOf(table);
          const again = [...rows.values()].map((record) => [keyText(record, columns), record] as const);
          return [table.name, { table, rows: new Map(again) }];
        }),
      ),
    );
  }

  #rows(name: string): Map<string, PgRecord> {
    const own = this.#own.get(name);
    if (own !== undefined) return own;
    const image = this.#images.get(name)!;
    const rows = new Map(image.rows);
    this.#own.set(name, rows);
    this.#images.set(name, { table: image.table, rows });
    return rows;
  }
}
