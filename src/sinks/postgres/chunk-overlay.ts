import { type Change, keyText, type PgRecord } from '../../model/history/index.ts';
import type { SnapshotTable } from './snapshot-table.ts';

/**
 * Brings the rows of a chunk up to what was streamed since, so that none overwrites a newer image (law §10): a row that
 * was updated has its new values, and of the chunk only the columns that the stream did not tell; a row that was deleted
 * is left out.
 */
export function overlay(
  table: SnapshotTable,
  rows: readonly PgRecord[],
  newer: readonly Change[],
): readonly PgRecord[] {
  const current = new Map(rows.map((row) => [keyText(row, table.key), row]));
  for (const { op, table: label, record, old, unchanged } of newer) {
    if (label !== table.label) continue;
    if (op === 'truncate') {
      current.clear();
      continue;
    }
    const from = keyText(old ?? record ?? {}, table.key);
    const before = current.get(from);
    current.delete(from);
    // What was inserted, or moved here from elsewhere, was streamed whole or will be read again.
    if (op !== 'update' || before === undefined || record === null) {
      if (record !== null) current.delete(keyText(record, table.key));
      continue;
    }
    const kept = unchanged.map((name) => [name, before[name] ?? null] as const);
    current.set(keyText(record, table.key), { ...record, ...Object.fromEntries(kept) });
  }
  return [...current.values()];
}

/** Whether a change moved a row and left out columns: where nobody had the row yet, they are missing now. */
export function movedInPart(change: Change, { key }: SnapshotTable): boolean {
  const { op, record, old, unchanged } = change;
  if (op !== 'update' || record === null || old === undefined || unchanged.length === 0) return false;
  return keyText(old, key) !== keyText(record, key);
}
