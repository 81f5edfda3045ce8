import { column, type Fragment, indent } from './fragment.ts';

/** One column of a SELECT. */
export interface Item {
  readonly name: string;
  readonly value: Fragment;
}

/**
 * One SELECT while it is built. Operators are merged into it as long as that plainly means the same; then it
 * becomes a subquery.
 *
 * - `star`: all columns of `from`, given while the items are some of them under their own names.
 * - `groupBy`: set once the SELECT groups; its items are then keys and aggregates.
 * - `sealed`: no more conditions may join its WHERE.
 * - `groupWindow`: a window of the input that will stand in this SELECT's GROUP BY.
 */
export interface Select {
  readonly items: readonly Item[];
  readonly from: string;
  readonly star?: readonly string[];
  readonly where: readonly string[];
  readonly groupBy?: readonly string[];
  readonly having?: string;
  readonly sealed?: true;
  readonly groupWindow?: GroupWindow;
}

/** A window that a dialect writes as a call in GROUP BY. The texts are columns of the SELECT's FROM. */
export interface GroupWindow {
  /** The column of event time. */
  readonly time: Fragment;
  /** The call over the text of that column. */
  call(time: string): string;
  /** For a session: its keys. The dialect takes the group's. */
  readonly sessionKeys?: readonly string[];
}

const LINE = 100;

/** The SELECT as text: a clause a line, and an item a line where they do not fit into one. */
export function print(select: Select, identifier: (name: string) => string): string {
  const items = select.items.map(({ name, value }) => {
    const alias = identifier(name);
    // Of a SELECT that groups, Clink names a qualified key t1_key unless it is told: so it is given its alias.
    const named = value.text === alias || (select.groupBy === undefined && value.text.endsWith(`.${alias}`));
    return named ? value.text : `${value.text} AS ${alias}`;
  });
  const line = items.join(', ');
  const lines = [
    line.length <= LINE && !line.includes('\n') ? `SELECT ${line}` : `SELECT\n${indent(items.join(',\n'))}`,
    `FROM ${select.from}`,
  ];
  if (select.where.length > 0) lines.push(`WHERE ${select.where.join(' AND ')}`);
  if (select.groupBy !== undefined && select.groupBy.length > 0) {
    lines.push(`GROUP BY ${select.groupBy.join(', ')}`);
  }
  if (select.having !== undefined) lines.push(`HAVING ${select.having}`);
  return lines.join('\n');
}

/** A SELECT of all of `names` from a table, or from a subquery that has an alias. */
export function selectAll(
  names: readonly string[],
  from: string,
  identifier: (name: string) => string,
): Select {
  return {
    items: names.map((name) => ({ name, value: column(identifier(name)) })),
    from,
    star: names,
    where: [],
  };
}

/** A subquery in parentheses on lines of their own. */
export function subquery(text: string, alias: string): string {
  return `(\n${indent(text)}\n) AS ${alias}`;
}

/** The item of that name. */
export function itemOf(select: Pick<Select, 'items'>, name: string): Item {
  const item = select.items.find((candidate) => candidate.name === name);
  if (item === undefined) throw new Error(`the SELECT has no item ${name}`);
  return item;
}
