import { tableLabel } from '../postgres/names.ts';
import type { Relation } from '../postgres/pgoutput/message.ts';
import type { Session } from '../postgres/session.ts';
import type { RelationChange, SinkColumn, SinkRelation } from '../sink.ts';

const IDENTITIES = { d: 'default', f: 'full', i: 'index', n: 'nothing' } as const;

/** The tables of these publications as the catalogue has them now, named as changes name them. */
export async function readRelations(
  session: Session,
  publications: readonly string[],
): Promise<readonly SinkRelation[]> {
  const columns = await session.query(
    `SELECT c.oid, CASE WHEN n.nspname = 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END AS name,
       c.relreplident AS identity, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type,
       a.attnum = ANY (p.indkey) AS in_primary, coalesce(a.attnum = ANY (r.indkey), false) AS in_identity
     FROM (SELECT DISTINCT schemaname, tablename FROM pg_publication_tables WHERE pubname = ANY ($1::text[])) AS t
     JOIN pg_namespace n ON n.nspname = t.schemaname
     JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = t.tablename
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_index p ON p.indrelid = c.oid AND p.indisprimary
     LEFT JOIN pg_index r ON r.indrelid = c.oid AND r.indisreplident
     ORDER BY 2, a.attnum`,
    [`{${publications.join(',')}}`],
    'list the published tables',
  );
  const names = [...new Set(columns.map(({ name }) => name!))];
  return names.map((table) => {
    const rows = columns.filter(({ name }) => name === table);
    const identity = IDENTITIES[(rows[0]?.identity ?? 'd') as keyof typeof IDENTITIES];
    const inKey = identity === 'index' ? 'in_identity' : 'in_primary';
    return {
      table,
      columns: rows.map(({ column, type }) => ({ name: column!, type: type! })),
      key: rows.filter((row) => row[inKey] === 't').map(({ column }) => column!),
      identity,
    };
  });
}

/** A difference whose new columns have types that are still numbers. */
interface RawChange extends Omit<RelationChange, 'added'> {
  readonly added: readonly { readonly name: string; readonly type: number; readonly modifier: number }[];
}

/** Compares each table as a transaction shows it with what was shown of it before. */
export class RelationWatch {
  readonly #shown: Map<string, SinkRelation>;

  constructor(relations: readonly SinkRelation[]) {
    this.#shown = new Map(relations.map((relation) => [relation.table, relation]));
  }

  /** How the table differs from what was shown of it before, if it does. */
  #see(relation: Relation): RawChange | undefined {
    const table = tableLabel(relation);
    const shown = this.#shown.get(table);
    if (shown === undefined) return undefined;
    const names = new Set(relation.columns.map(({ name }) => name));
    const added = relation.columns.filter(({ name }) => !shown.columns.some((each) => each.name === name));
    const dropped = shown.columns.map(({ name }) => name).filter((name) => !names.has(name));
    const key = relation.columns.filter((column) => column.key).map(({ name }) => name);
    const identityChanged =
      relation.identity !== shown.identity || (relation.identity === 'index' && !isSame(key, shown.key));
    if (added.length + dropped.length === 0 && !identityChanged) return undefined;
    const kind = dropped.length > 0 || identityChanged ? 'destructive' : 'additive';
    this.#shown.set(table, {
      table,
      columns: relation.columns.map(({ name }) => ({ name, type: '' })),
      key: relation.identity === 'index' || relation.identity === 'default' ? key : shown.key,
      identity: relation.identity,
    });
    return { kind, table, added, dropped, identityChanged };
  }

  /** The tables as they were shown last. */
  get relations(): readonly SinkRelation[] {
    return [...this.#shown.values()];
  }

  /** Takes the tables of the next transaction, and tells how they differ from what was shown before it. */
  async take(relations: readonly Relation[], session: Session): Promise<readonly RelationChange[]> {
    const changes: RelationChange[] = [];
    for (const relation of relations) {
      const change = this.#see(relation);
      if (change === undefined) continue;
      const added: SinkColumn[] = [];
      for (const { name, type, modifier } of change.added) {
        const [row] = await session.query(
          'SELECT format_type($1::oid, $2::int4) AS type',
          [`${type}`, `${modifier}`],
          'tell a type',
        );
        added.push({ name, type: row?.type ?? 'text' });
      }
      changes.push({ ...change, added });
    }
    return changes;
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
