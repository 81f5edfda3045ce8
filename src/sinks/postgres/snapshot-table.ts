import { PostgresError } from './error.ts';
import { quoteName, quoteTable, tableLabel } from './names.ts';
import type { Session } from './session.ts';

/** A published table as a snapshot reads it. */
export interface SnapshotTable {
  readonly schema: string;
  readonly name: string;
  /** What it is called in changes. */
  readonly label: string;
  /** Those that are published, in the table's order. */
  readonly columns: readonly string[];
  /** Columns by which the stream tells its rows apart: of the replica identity's index, else of the primary key. */
  readonly key: readonly string[];
}

const PUBLISHED = `
  SELECT DISTINCT c.oid, n.nspname AS schema, c.relname AS name
  FROM pg_publication_tables p
    JOIN pg_namespace n ON n.nspname = p.schemaname
    JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = p.tablename
  WHERE p.pubname = ANY ($1::text[])
  ORDER BY n.nspname, c.relname`;

const COLUMNS = `
  SELECT a.attname AS name, array_position(i.indkey::int2[], a.attnum) AS place
  FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    LEFT JOIN pg_index i ON i.indrelid = c.oid
      AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END
  WHERE c.oid = $1::oid
    AND EXISTS (
      SELECT FROM pg_publication_tables p
      WHERE p.pubname = ANY ($2::text[]) AND p.schemaname = $3 AND p.tablename = $4 AND a.attname = ANY (p.attnames)
    )
  ORDER BY a.attnum`;

/**
 * The tables of publications, as the session's transaction sees them.
 *
 * @throws PostgresError `unsupported` for one without a key to read it by.
 */
export async function snapshotTables(
  session: Session,
  publications: readonly string[],
): Promise<readonly SnapshotTable[]> {
  const list = `{${publications.join(',')}}`;
  const found = await session.query(PUBLISHED, [list], 'list the published tables');
  const tables: SnapshotTable[] = [];
  for (const { oid, schema, name } of found) {
    if (typeof oid !== 'string' || typeof schema !== 'string' || typeof name !== 'string') continue;
    const columns = await session.query(COLUMNS, [oid, list, schema, name], 'list the columns of a table');
    const key = columns
      .filter(({ place }) => place !== null)
      .toSorted((left, right) => Number(left.place) - Number(right.place));
    if (key.length === 0)
      throw new PostgresError('unsupported', 'a published table has no key to read it by');
    const names = (rows: typeof columns) => rows.map((row) => row.name ?? '');
    tables.push({
      schema,
      name,
      label: tableLabel({ schema, name }),
      columns: names(columns),
      key: names(key),
    });
  }
  return tables;
}

/** SQL for the rows after a key, or the first ones, in the key's order. */
export function chunkQuery(table: SnapshotTable, after: readonly string[] | undefined, rows: number): string {
  const key = table.key.map(quoteName).join(', ');
  const marks = table.key.map((_, index) => `$${index + 1}`).join(', ');
  const where = after === undefined ? '' : `WHERE (${key}) > (${marks})`;
  const columns = table.columns.map(quoteName).join(', ');
  return `SELECT ${columns} FROM ONLY ${quoteTable(table)} ${where} ORDER BY ${key} LIMIT ${rows}`;
}

/** SQL for the one row of a key. */
export function rowQuery(table: SnapshotTable): string {
  const where = table.key.map((name, index) => `${quoteName(name)} = $${index + 1}`).join(' AND ');
  return `SELECT ${table.columns.map(quoteName).join(', ')} FROM ONLY ${quoteTable(table)} WHERE ${where}`;
}

/** The key of a row, in the key's order. */
export function keyOf(table: SnapshotTable, row: Readonly<Record<string, string | null>>): readonly string[] {
  return table.key.map((name) => row[name] ?? '');
}
