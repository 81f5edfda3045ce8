import {
  type Change,
  isOutOfLine,
  keyText,
  type PgRecord,
  rowKey,
  type Statement,
  type Table,
  type UpdateStep,
} from '../../src/model/history/index.ts';
import { InvalidHistory } from './invalid-history.ts';
import type { Tables } from './tables.ts';

/** One row or table changed, and the definition it was changed under; not yet filtered or numbered. */
export interface Effect {
  readonly change: Omit<Change, 'ordinal'>;
  readonly table: Table;
}

/**
 * Runs a statement on the tables and tells what it changed, in order, as the log holds it under each table's replica
 * identity. Messages change no table.
 *
 * @throws InvalidHistory where the statement must have failed.
 */
export function execute(tables: Tables, statement: Statement, step: number): readonly Effect[] {
  const image = (name: string) => {
    const found = tables.get(name);
    if (found === undefined) throw new InvalidHistory('no-table', step);
    return found;
  };
  switch (statement.do) {
    case 'insert':
      return statement.rows.map((record) => {
        const { table, rows } = image(statement.table);
        if (!hasExactly(record, table)) throw new InvalidHistory('wrong-columns', step);
        const key = keyText(record, table.key);
        if (rows.has(key)) throw new InvalidHistory('row-exists', step);
        tables.write(table.name, key, record);
        return { table, change: { op: 'insert', table: table.name, record, unchanged: [] } };
      });
    case 'update':
      return [update(tables, image(statement.table).table, statement, step)];
    case 'delete': {
      const { table, rows } = image(statement.table);
      const key = keyText(statement.key, table.key);
      const row = rows.get(key);
      if (row === undefined) throw new InvalidHistory('no-row', step);
      tables.remove(table.name, key);
      const old = logged(row, table);
      const change = { op: 'delete', table: table.name, record: null, unchanged: [] } as const;
      return [{ table, change: old === undefined ? change : { ...change, old } }];
    }
    case 'truncate':
      return statement.tables.map((name) => {
        const { table } = image(name);
        tables.clear(name);
        return { table, change: { op: 'truncate', table: name, record: null, unchanged: [] } };
      });
    case 'add-column': {
      const { table, rows } = image(statement.table);
      const { column } = statement;
      if (table.columns.some(({ name }) => name === column.name)) {
        throw new InvalidHistory('wrong-columns', step);
      }
      tables.define({ ...table, columns: [...table.columns, column] });
      for (const [key, row] of rows) tables.write(table.name, key, { ...row, [column.name]: null });
      return [];
    }
    case 'drop-column': {
      const { table, rows } = image(statement.table);
      const columns = table.columns.filter(({ name }) => name !== statement.column);
      if (columns.length === table.columns.length) throw new InvalidHistory('wrong-columns', step);
      tables.define({ ...table, columns });
      for (const [key, row] of rows) tables.write(table.name, key, only(row, columns));
      return [];
    }
    case 'set-identity':
      tables.define({ ...image(statement.table).table, identity: statement.identity });
      return [];
    case 'message':
      return [];
  }
}

function update(tables: Tables, table: Table, { key, set }: UpdateStep, step: number): Effect {
  const { rows } = tables.get(table.name)!;
  const from = keyText(key, table.key);
  const before = rows.get(from);
  if (before === undefined) throw new InvalidHistory('no-row', step);
  const after = { ...before, ...set };
  if (!hasExactly(after, table)) throw new InvalidHistory('wrong-columns', step);
  const to = keyText(after, table.key);
  if (to !== from && rows.has(to)) throw new InvalidHistory('row-exists', step);
  tables.remove(table.name, from);
  tables.write(table.name, to, after);

  // The new row points to what is stored out of line already, and the log does not hold it again.
  const left = table.columns.filter(
    (column) => !(column.name in set) && isOutOfLine(column, before[column.name]!),
  );
  const unchanged = left.map(({ name }) => name);
  const record = only(
    after,
    table.columns.filter((column) => !left.includes(column)),
  );
  const change = { op: 'update', table: table.name, record, unchanged } as const;
  const old = logged(before, table, after);
  return { table, change: old === undefined ? change : { ...change, old } };
}

/**
 * What the log holds of an old row: all of it under FULL, the identity's key where the row goes or its key changes, else
 * nothing.
 */
function logged(before: PgRecord, table: Table, after?: PgRecord): PgRecord | undefined {
  const { identity } = table;
  if (identity.kind === 'nothing') return undefined;
  if (identity.kind === 'full') return before;
  const key = rowKey(table);
  if (after !== undefined && key.every((name) => before[name] === after[name])) return undefined;
  return Object.fromEntries(key.map((name) => [name, before[name]!]));
}

function hasExactly(record: PgRecord, { columns }: Table): boolean {
  return (
    Object.keys(record).length === columns.length &&
    columns.every(({ name, nullable }) => {
      const text = record[name];
      return text !== undefined && (nullable || text !== null);
    })
  );
}

function only(record: PgRecord, columns: Table['columns']): PgRecord {
  return Object.fromEntries(columns.map(({ name }) => [name, record[name]!]));
}
