import {
  type DeleteStep,
  type History,
  type InsertStep,
  type MessageStep,
  type PgRecord,
  type Publication,
  type ReplicaIdentity,
  type Step,
  type Table,
  TOKEN_END,
  type TruncateStep,
  type UpdateStep,
} from '../../src/model/history/index.ts';

/** Histories written by hand: everything on connection 0 unless it is given. */

/** A table `t` with key `id`, an integer `n`, a column `long` that may be out of line, and a unique `code`. */
export function tableT(identity: ReplicaIdentity['kind'] = 'default', name = 't'): Table {
  return {
    name,
    columns: [
      { name: 'id', type: 'int4', nullable: false, toast: false },
      { name: 'code', type: 'text', nullable: false, toast: false },
      { name: 'n', type: 'int4', nullable: true, toast: false },
      { name: 'long', type: 'text', nullable: true, toast: true },
      { name: 'token', type: 'text', nullable: false, toast: false },
    ],
    key: ['id'],
    indexes: [{ name: `${name}_code`, columns: ['code'] }],
    identity: identity === 'index' ? { kind: 'index', index: `${name}_code` } : { kind: identity },
  };
}

/** Longer than what is kept in line. */
export const LONG = 'x'.repeat(2_500);
export const LONGER = 'y'.repeat(3_000);

export const begin = (connection = 0): Step => ({ do: 'begin', connection });
export const commit = (connection = 0): Step => ({ do: 'commit', connection });
export const rollback = (connection = 0): Step => ({ do: 'rollback', connection });
export const savepoint = (name: string, connection = 0): Step => ({ do: 'savepoint', connection, name });
export const rollbackTo = (name: string, connection = 0): Step => ({ do: 'rollback-to', connection, name });
export const release = (name: string, connection = 0): Step => ({ do: 'release', connection, name });

/** The row `id` of a table like {@link tableT}; its code is `c` and the id unless given. */
export function rowT(id: number, token: string, values: PgRecord = {}): PgRecord {
  return { id: String(id), code: `c${id}`, n: null, long: null, token, ...values };
}

export function insert(id: number, token: string, values: PgRecord = {}, connection = 0): InsertStep {
  return { do: 'insert', connection, table: 't', rows: [rowT(id, token, values)] };
}

export function update(id: number, token: string, values: PgRecord = {}, connection = 0): UpdateStep {
  return { do: 'update', connection, table: 't', key: { id: String(id) }, set: { ...values, token } };
}

export function remove(id: number, connection = 0): DeleteStep {
  return { do: 'delete', connection, table: 't', key: { id: String(id) } };
}

export function truncate(tables: readonly string[] = ['t'], connection = 0): TruncateStep {
  return { do: 'truncate', connection, tables };
}

export function message(token: string, transactional: boolean, connection = 0): MessageStep {
  return { do: 'message', connection, transactional, prefix: 'p', content: contentOf(token) };
}

export function contentOf(token: string): string {
  return btoa(`${token}${TOKEN_END}tail`);
}

const everything = ['insert', 'update', 'delete', 'truncate'] as const;

export function publication(
  tables: readonly string[] = ['t'],
  publish: Publication['publish'] = everything,
  name = 'all_of_it',
): Publication {
  return { name, tables, publish };
}

/** A history on one table `t` that is published whole, unless said otherwise. */
export function history(steps: readonly Step[], changed: Partial<History> = {}): History {
  const tables = changed.tables ?? [tableT()];
  const publications = changed.publications ?? [publication(tables.map(({ name }) => name))];
  const subscribed = changed.subscribed ?? publications.map(({ name }) => name);
  return { version: 1, tables, publications, subscribed, steps };
}
