import {
  type InsertStep,
  type PgRecord,
  type Table,
  TOKEN_COLUMN,
  type UpdateStep,
} from '../../src/model/history/index.ts';
import { part } from './draw.ts';
import type { HistoryProfile } from './profile.ts';
import type { TableState } from './table-state.ts';
import { columnValue, keyValue } from './values.ts';

/** How far a search for a key goes before it gives up. */
const LOOKED_AT = 2_000;

/** Makes the rows and updates of one history, each with a token of its own: `t1`, `t2`, … */
export class RowWriter {
  readonly #profile: HistoryProfile;
  #tokens = 0;

  constructor(profile: HistoryProfile) {
    this.#profile = profile;
  }

  token(): string {
    return `t${++this.#tokens}`;
  }

  /** Inserts so many rows of keys that are free, the first free one from the drawn on; none where there is none. */
  insert(connection: number, table: TableState, count: number, draw: number): InsertStep | undefined {
    const { definition } = table;
    const rows: PgRecord[] = [];
    const used = new Set<string>();
    const start = part(draw, 100) % this.#profile.keys;
    for (let index = start; rows.length < count && index < start + LOOKED_AT; index++) {
      const uniques = table.uniqueTexts(keysOf(definition, index));
      const isFree = (unique: string) =>
        !used.has(unique) && !table.isTaken(unique) && table.isFree(unique, connection);
      if (!uniques.every(isFree)) continue;
      for (const unique of uniques) used.add(unique);
      rows.push(this.#row(definition, index, part(draw, rows.length)));
    }
    if (rows.length === 0) return undefined;
    const told = rows.map((row) => ({ ...row, [TOKEN_COLUMN]: this.token() }));
    return { do: 'insert', connection, table: definition.name, rows: told };
  }

  /** Inserts a row of the same keys as one that was just deleted. */
  insertAgain(connection: number, { definition }: TableState, row: PgRecord, draw: number): InsertStep {
    const keys = pickColumns(row, keyColumns(definition));
    const fresh = { ...this.#row(definition, 0, draw), ...keys };
    return {
      do: 'insert',
      connection,
      table: definition.name,
      rows: [{ ...fresh, [TOKEN_COLUMN]: this.token() }],
    };
  }

  /** Assigns some columns of a row that are in no key. */
  update(connection: number, { definition }: TableState, row: PgRecord, draw: number): UpdateStep {
    const keys = keyColumns(definition);
    const set: Record<string, string | null> = {};
    for (const [index, column] of definition.columns.entries()) {
      if (keys.includes(column.name) || column.name === TOKEN_COLUMN) continue;
      const percent = part(draw, 50 + index) % 100;
      const isAssigned = column.toast ? percent >= 100 - this.#profile.toastAssigned : percent >= 50;
      // A column that is assigned the value it has is stored out of line again, and counts as changed.
      const isSame = column.toast && part(draw, 150 + index) % 8 === 7;
      if (isAssigned) {
        set[column.name] = isSame
          ? row[column.name]!
          : columnValue(column, part(draw, index), this.#profile.values);
      }
    }
    return {
      do: 'update',
      connection,
      table: definition.name,
      key: pickColumns(row, definition.key),
      set: { ...set, [TOKEN_COLUMN]: this.token() },
    };
  }

  /** Moves a row to a key that is free: its primary key, the columns of its indexes, or both. */
  move(connection: number, table: TableState, row: PgRecord, draw: number): UpdateStep | undefined {
    const { definition } = table;
    const { key, indexes } = definition;
    const indexed = indexes.flatMap(({ columns }) => columns);
    const ways = indexes.length === 0 ? [key] : [key, indexed, [...key, ...indexed]];
    const moved = ways[part(draw, 101) % ways.length]!;
    const before = table.uniqueTexts(row);
    const start = part(draw, 100) % this.#profile.keys;
    for (let index = start; index < start + LOOKED_AT; index++) {
      const keys = pickColumns(keysOf(definition, index), moved);
      const after = table.uniqueTexts({ ...row, ...keys });
      const isFree = (unique: string) =>
        before.includes(unique) || (!table.isTaken(unique) && table.isFree(unique, connection));
      if (after.every((unique) => before.includes(unique)) || !after.every(isFree)) continue;
      const { set, ...step } = this.update(connection, table, row, draw);
      return { ...step, set: { ...set, ...keys } };
    }
    return undefined;
  }

  /** The row of an index, its token still to come. */
  #row(table: Table, index: number, draw: number): PgRecord {
    const keys = keysOf(table, index);
    const values = table.columns.map((column, place) => [
      column.name,
      keys[column.name] ?? columnValue(column, part(draw, place), this.#profile.values),
    ]);
    return { ...Object.fromEntries(values), [TOKEN_COLUMN]: '' };
  }
}

/** What tells the row of an index from all others: the columns of its primary key and its unique indexes. */
function keysOf(table: Table, index: number): PgRecord {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  return Object.fromEntries(
    keyColumns(table).map((name) => [name, keyValue(types.get(name)!, keyIndex(table, name, index))]),
  );
}

/** The columns of the primary key and of all unique indexes. */
function keyColumns({ key, indexes }: Table): readonly string[] {
  return [...new Set([...key, ...indexes.flatMap(({ columns }) => columns)])];
}

/** Rows of a composite key share the values of its first column in threes. */
function keyIndex({ key }: Table, name: string, index: number): number {
  return key.length > 1 && key[0] === name ? Math.floor(index / 3) : index;
}

export function pickColumns(row: PgRecord, names: readonly string[]): PgRecord {
  return Object.fromEntries(names.map((name) => [name, row[name]!]));
}
