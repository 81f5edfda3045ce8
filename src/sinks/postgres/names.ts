import { randomBytes } from 'node:crypto';
import { PostgresError } from './error.ts';

/** Law §10, invariant 2. */
const NAME = /^[a-z_][a-z0-9_]{0,62}$/;
const OURS = /^tidemark_[0-9a-f]{16}$/;

/**
 * A slot's or publication's name that may reach SQL as it is.
 *
 * @throws PostgresError `bad-name`, which does not repeat it.
 */
export function checkName(name: string, what: 'slot' | 'publication'): string {
  if (!NAME.test(name)) {
    throw new PostgresError('bad-name', `the name of the ${what} is not of the form [a-z_][a-z0-9_]{0,62}`);
  }
  return name;
}

/** A name that nobody else gives: what bears one is ours to drop. */
export function nameOfOurs(): string {
  return `tidemark_${randomBytes(8).toString('hex')}`;
}

/** Whether a name was given by {@link nameOfOurs}. */
export function isOurs(name: string): boolean {
  return OURS.test(name);
}

/** Any identifier, quoted. @throws PostgresError `bad-name` when PostgreSQL has no such identifiers. */
export function quoteName(name: string): string {
  if (name === '' || name.includes('\0')) {
    throw new PostgresError('bad-name', 'an identifier is empty or holds a NUL');
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table's name as SQL takes it. */
export function quoteTable({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** What changes call a table. */
export function tableLabel({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return schema === 'public' ? name : `${schema}.${name}`;
}

/** Any text as a literal, whatever `standard_conforming_strings` is. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? ` E${quoted}` : quoted;
}
