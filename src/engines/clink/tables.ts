import type { Column } from '../../model/schema.ts';
import { clinkType } from '../../sql/clink.ts';
import { postgresIdentifier, postgresText } from '../../sql/postgres.ts';

/** The table that takes the result. No stream's name starts with an underscore. */
export const RESULT = '_result';

/** The DDL of one table; `options` are its connector's. */
export function createTable(
  name: string,
  columns: readonly Column[],
  options: Readonly<Record<string, string>>,
): string {
  const declared = columns.map((column) => `${postgresIdentifier(column.name)} ${clinkType(column.type)}`);
  const settings = Object.entries(options).map(([key, value]) => `${key}=${postgresText(value)}`);
  return `CREATE TABLE ${postgresIdentifier(name)} (${declared.join(', ')}) WITH (${settings.join(', ')});`;
}

/** The DDL of the table that takes the result. The dialect writes INT as BIGINT. */
export function resultTable(columns: readonly Column[], options: Readonly<Record<string, string>>): string {
  const written = columns.map((column) =>
    column.type === 'INT' ? { ...column, type: 'BIGINT' as const } : column,
  );
  return createTable(RESULT, written, options);
}
