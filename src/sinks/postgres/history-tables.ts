import type { History, Publication, ReplicaIdentity, Table, TableColumn } from '../../model/history/index.ts';
import { checkName, quoteName } from './names.ts';
import type { Session } from './session.ts';

/**
 * Makes the tables and publications of a history in the schema `public` of a database of ours, in the place of all that
 * was there.
 */
export async function createHistoryTables(
  session: Session,
  { tables, publications }: History,
): Promise<void> {
  const old = await session.query('SELECT pubname FROM pg_publication', undefined, 'list publications');
  const statements = [
    ...old.map(({ pubname }) => `DROP PUBLICATION ${quoteName(pubname ?? '')}`),
    'DROP SCHEMA public CASCADE',
    'CREATE SCHEMA public',
    ...tables.flatMap(tableStatements),
    ...publications.map(publicationStatement),
  ];
  await session.query(statements.join(';\n'), undefined, 'make the tables of a history');
}

function tableStatements(table: Table): readonly string[] {
  const name = quoteName(table.name);
  return [
    `CREATE TABLE ${name} (${[...table.columns.map(columnText), `PRIMARY KEY (${names(table.key)})`].join(', ')})`,
    ...table.columns.filter(({ toast }) => toast).map((column) => storageStatement(table.name, column)),
    ...table.indexes.map(
      (index) => `CREATE UNIQUE INDEX ${quoteName(index.name)} ON ${name} (${names(index.columns)})`,
    ),
    identityStatement(table.name, table.identity),
  ];
}

/** A column in DDL. */
export function columnText({ name, type, nullable }: TableColumn): string {
  return `${quoteName(name)} ${type}${nullable ? '' : ' NOT NULL'}`;
}

/** Has a long value stored out of line whatever compresses. */
export function storageStatement(table: string, { name }: TableColumn): string {
  return `ALTER TABLE ${quoteName(table)} ALTER COLUMN ${quoteName(name)} SET STORAGE EXTERNAL`;
}

export function identityStatement(table: string, identity: ReplicaIdentity): string {
  const text =
    identity.kind === 'index' ? `USING INDEX ${quoteName(identity.index)}` : identity.kind.toUpperCase();
  return `ALTER TABLE ${quoteName(table)} REPLICA IDENTITY ${text}`;
}

function publicationStatement({ name, tables, publish }: Publication): string {
  const what = publish.length === 0 ? '' : ` WITH (publish = '${publish.join(', ')}')`;
  return `CREATE PUBLICATION ${checkName(name, 'publication')} FOR TABLE ${names(tables)}${what}`;
}

function names(list: readonly string[]): string {
  return list.map(quoteName).join(', ');
}
