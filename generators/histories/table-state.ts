import {
  keyText,
  type PgRecord,
  type Statement,
  type Table,
  TOKEN_COLUMN,
} from '../../src/model/history/index.ts';

/** What of a table a statement changes. */
type TableStatement = Exclude<Statement, { do: 'message' }>;

/** One table of a database while steps run, with who holds what of it. */
export class TableState {
  definition: Table;
  /** By primary key. */
  rows = new Map<string, PgRecord>();
  /** The unique texts of all rows. */
  #taken = new Set<string>();
  readonly #names: Set<string>;
  /** Which open transaction touched a row of this unique text. */
  readonly #held = new Map<string, number>();
  /** The open transactions that touched any row, and the one that locked the table. */
  readonly #sharers = new Set<number>();
  #locker: number | undefined;

  constructor(definition: Table) {
    this.definition = definition;
    this.#names = new Set(definition.columns.map(({ name }) => name));
  }

  /** What no two rows may share: the primary key, and the columns of each unique index. */
  uniqueTexts(row: PgRecord): readonly string[] {
    const { key, indexes } = this.definition;
    return [keyText(row, key), ...indexes.map(({ name, columns }) => `${name} ${keyText(row, columns)}`)];
  }

  isTaken(unique: string): boolean {
    return this.#taken.has(unique);
  }

  /** Whether no other open transaction touched a row of this unique text. */
  isFree(unique: string, connection: number): boolean {
    const holder = this.#held.get(unique);
    return holder === undefined || holder === connection;
  }

  isShareable(connection: number): boolean {
    return this.#locker === undefined || this.#locker === connection;
  }

  isLockable(connection: number): boolean {
    return this.isShareable(connection) && [...this.#sharers].every((sharer) => sharer === connection);
  }

  isNewName(name: string): boolean {
    return !this.#names.has(name);
  }

  isDroppable(name: string): boolean {
    const { columns, key, indexes } = this.definition;
    return (
      columns.some((column) => column.name === name) &&
      name !== TOKEN_COLUMN &&
      !key.includes(name) &&
      indexes.every((index) => !index.columns.includes(name))
    );
  }

  fits(row: PgRecord): boolean {
    const { columns } = this.definition;
    return (
      Object.keys(row).length === columns.length &&
      columns.every(({ name, nullable }) => row[name] !== undefined && (nullable || row[name] !== null))
    );
  }

  /** Runs an admitted statement for the open transaction of `holder`, if any, and returns what takes it back. */
  change(statement: TableStatement, holder: number | undefined): () => void {
    if (holder !== undefined) this.#sharers.add(holder);
    switch (statement.do) {
      case 'insert':
        for (const row of statement.rows) this.#put(row, holder);
        return () => {
          for (const row of statement.rows) this.#take(row, undefined);
        };
      case 'update': {
        const before = this.rows.get(keyText(statement.key, this.definition.key))!;
        const after = { ...before, ...statement.set };
        this.#take(before, holder);
        this.#put(after, holder);
        return () => {
          this.#take(after, undefined);
          this.#put(before, undefined);
        };
      }
      case 'delete': {
        const row = this.rows.get(keyText(statement.key, this.definition.key))!;
        this.#take(row, holder);
        return () => this.#put(row, undefined);
      }
      default:
        return this.#changeWhole(statement, holder);
    }
  }

  /** Lets go of all that a transaction held. */
  unlock(connection: number): void {
    this.#sharers.delete(connection);
    if (this.#locker === connection) this.#locker = undefined;
    for (const [unique, holder] of this.#held) if (holder === connection) this.#held.delete(unique);
  }

  #changeWhole(
    statement: Exclude<TableStatement, { do: 'insert' | 'update' | 'delete' }>,
    holder: number | undefined,
  ): () => void {
    const { definition, rows } = this;
    const taken = this.#taken;
    this.#locker = holder;
    switch (statement.do) {
      case 'truncate':
        this.rows = new Map();
        this.#taken = new Set();
        break;
      case 'add-column': {
        const { column } = statement;
        this.#names.add(column.name);
        this.definition = { ...definition, columns: [...definition.columns, column] };
        this.rows = mapRows(rows, (row) => ({ ...row, [column.name]: null }));
        break;
      }
      case 'drop-column':
        this.definition = {
          ...definition,
          columns: definition.columns.filter(({ name }) => name !== statement.column),
        };
        this.rows = mapRows(rows, ({ [statement.column]: _, ...rest }) => rest);
        break;
      case 'set-identity':
        this.definition = { ...definition, identity: statement.identity };
        this.rows = new Map(rows);
        break;
    }
    this.#taken = new Set(statement.do === 'truncate' ? [] : taken);
    return () => {
      this.definition = definition;
      this.rows = rows;
      this.#taken = taken;
    };
  }

  #put(row: PgRecord, holder: number | undefined): void {
    this.rows.set(keyText(row, this.definition.key), row);
    for (const unique of this.uniqueTexts(row)) {
      this.#taken.add(unique);
      if (holder !== undefined) this.#held.set(unique, holder);
    }
  }

  #take(row: PgRecord, holder: number | undefined): void {
    this.rows.delete(keyText(row, this.definition.key));
    for (const unique of this.uniqueTexts(row)) {
      this.#taken.delete(unique);
      if (holder !== undefined) this.#held.set(unique, holder);
    }
  }
}

function mapRows(
  rows: ReadonlyMap<string, PgRecord>,
  change: (row: PgRecord) => PgRecord,
): Map<string, PgRecord> {
  return new Map([...rows].map(([key, row]) => [key, change(row)]));
}
