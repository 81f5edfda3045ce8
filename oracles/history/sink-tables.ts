import { type Change, keyText, type PgRecord, rowKey, type Table } from '../../src/model/history/index.ts';
import type { Tables } from './tables.ts';

/**
 * Applies one published change as a sink must (semantics §10, invariants 3 and 4): upsert by row key, move the row when
 * the change says its old key, and leave unchanged columns untouched.
 */
export function applyChange(tables: Tables, change: Change, table: Table): void {
  tables.define(table);
  const { rows } = tables.get(table.name)!;
  const columns = rowKey(table);
  switch (change.op) {
    case 'truncate':
      tables.clear(table.name);
      return;
    case 'delete':
      // Without an old key nothing says which row it was, and pgoutput leaves the change out.
      if (change.old !== undefined) tables.remove(table.name, keyText(change.old, columns));
      return;
    default: {
      const record = change.record!;
      const to = keyText(record, columns);
      const from = change.old === undefined ? to : keyText(change.old, columns);
      const before = change.op === 'update' ? rows.get(from) : undefined;
      if (from !== to) tables.remove(table.name, from);
      tables.write(table.name, to, { ...record, ...kept(before, change.unchanged) });
    }
  }
}

function kept(before: PgRecord | undefined, unchanged: readonly string[]): PgRecord {
  return Object.fromEntries(unchanged.map((name) => [name, before?.[name] ?? null]));
}
