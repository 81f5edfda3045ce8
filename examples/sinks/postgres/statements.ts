import type { Change, PgRecord, SinkRelation } from 'tidemark/sinks';
import { quoted, Sql, type Statement } from './sql.ts';

/** Tables of the sink's own: in a schema of their own, so that no table of the source can be called the same. */
export const STATE = 'tidemark_sink';

/** What is made once: the checkpoint, the ledger and its trigger. */
export const setUp: readonly string[] = [
  `CREATE SCHEMA IF NOT EXISTS ${STATE}`,
  `CREATE TABLE IF NOT EXISTS ${STATE}.checkpoint (one bool PRIMARY KEY DEFAULT true, lsn numeric, chunks int NOT NULL)`,
  `INSERT INTO ${STATE}.checkpoint (lsn, chunks) VALUES (NULL, 0) ON CONFLICT DO NOTHING`,
  `CREATE TABLE IF NOT EXISTS ${STATE}.ledger (
     place bigserial PRIMARY KEY, effect text NOT NULL, token text NOT NULL,
     transaction text NOT NULL DEFAULT pg_current_xact_id()::text)`,
  `CREATE OR REPLACE FUNCTION ${STATE}.note() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN
     IF TG_OP = 'DELETE' THEN
       INSERT INTO ${STATE}.ledger (effect, token) VALUES ('delete', OLD.token);
     ELSE
       INSERT INTO ${STATE}.ledger (effect, token) VALUES ('write', NEW.token);
     END IF;
     RETURN NULL;
   END $$`,
];

/** A table like one of the source, keyed as its changes are. Only key columns are sure to be told. */
export function createTable({ table, columns, key }: SinkRelation): readonly string[] {
  const name = quoted(table);
  const list = columns.map((column) => `${quoted(column.name)} ${column.type}`);
  return [
    `CREATE TABLE IF NOT EXISTS ${name} (${list.join(', ')}, PRIMARY KEY (${key.map(quoted).join(', ')}))`,
    // OF token: a row that is moved is told once, and one that is written again is told again.
    `CREATE OR REPLACE TRIGGER tidemark_note AFTER INSERT OR DELETE OR UPDATE OF token ON ${name}
       FOR EACH ROW EXECUTE FUNCTION ${STATE}.note()`,
  ];
}

/** Writes a row by its key. Columns that are not in the record stay as they are. */
export function upsert(table: string, key: readonly string[], record: PgRecord): Statement {
  const sql = new Sql();
  const names = Object.keys(record);
  const places = Object.values(record).map((value) => sql.value(value));
  const set = names.map((name) => `${quoted(name)} = EXCLUDED.${quoted(name)}`);
  return sql.statement(
    `INSERT INTO ${quoted(table)} (${names.map(quoted).join(', ')}) VALUES (${places.join(', ')})
     ON CONFLICT (${key.map(quoted).join(', ')}) DO UPDATE SET ${set.join(', ')}`,
  );
}

/**
 * Moves a row to its new key and writes it: it takes with it the columns that are not told. The first statement makes
 * room, the second does nothing where the old row is not there, and an upsert has to follow.
 */
export function move(
  table: string,
  key: readonly string[],
  old: PgRecord,
  record: PgRecord,
): readonly Statement[] {
  const update = new Sql();
  const set = update.pairs(Object.entries(record));
  const where = update.pairs(keyOf(key, old), ' AND ');
  return [remove(table, key, record), update.statement(`UPDATE ${quoted(table)} SET ${set} WHERE ${where}`)];
}

export function remove(table: string, key: readonly string[], row: PgRecord): Statement {
  const sql = new Sql();
  return sql.statement(`DELETE FROM ${quoted(table)} WHERE ${sql.pairs(keyOf(key, row), ' AND ')}`);
}

/** What a change comes to, in order. */
export function statementsOf(
  { op, table, record, old }: Change,
  key: readonly string[],
): readonly Statement[] {
  if (op === 'truncate') return [{ text: `TRUNCATE ${quoted(table)}`, values: [] }];
  if (record === null) return [remove(table, key, old ?? {})];
  const isMoved = old !== undefined && key.some((name) => old[name] !== record[name]);
  return [...(isMoved ? move(table, key, old, record) : []), upsert(table, key, record)];
}

function keyOf(key: readonly string[], row: PgRecord): readonly (readonly [string, string | null])[] {
  return key.map((name) => [name, row[name] ?? null]);
}
