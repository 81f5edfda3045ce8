import { UnsupportedForm } from './unsupported.ts';

/**
 * Words that cannot name a column or a table unquoted in the PostgreSQL grammar, which DuckDB and Clink both
 * started from; DuckDB's own additions are among them.
 */
const RESERVED = new Set(
  `all analyse analyze and anti any array as asc asof asymmetric at authorization binary both by case cast
  check collate collation column columns concurrently constraint create cross current_catalog current_date
  current_role current_schema current_time current_timestamp current_user default deferrable desc describe
  distinct do else end except false fetch for foreign freeze from full generated glob grant group having ilike
  in initially inner intersect into is isnull join lambda lateral leading left like limit localtime
  localtimestamp map natural not notnull null offset on only or order outer overlaps pivot pivot_longer
  pivot_wider placing positional primary qualify references returning right select semi session_user show
  similar some struct summarize symmetric table tablesample then to trailing true try_cast union unique unpack
  unpivot user using variadic verbose when where window with`.split(/\s+/),
);

/** A name as PostgreSQL-like dialects take it: plain, or in double quotes where it is a reserved word. */
export function postgresIdentifier(name: string): string {
  return RESERVED.has(name) ? `"${name}"` : name;
}

/**
 * A string literal. One with a line feed is an escape string, so that laying the SQL out in lines cannot reach
 * into it.
 *
 * @throws UnsupportedForm for U+0000, which no text of this grammar can hold.
 */
export function postgresText(text: string): string {
  if (text.includes('\0')) throw new UnsupportedForm('a string literal that holds U+0000');
  const doubled = text.replaceAll("'", "''");
  return text.includes('\n')
    ? `E'${doubled.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}'`
    : `'${doubled}'`;
}
