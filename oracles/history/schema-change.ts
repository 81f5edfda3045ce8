import type { SchemaChange, Table } from '../../src/model/history/index.ts';

/**
 * How a table at a change differs from what the stream last showed of it; undefined where it does not, also when
 * something was changed and changed back in between (semantics §10, invariant 4). Order of columns does not count.
 */
export function schemaChange(shown: Table, now: Table, ordinal: number): SchemaChange | undefined {
  const added = namesMissing(now, shown);
  const dropped = namesMissing(shown, now);
  const identityChanged = identityText(shown) !== identityText(now);
  if (added.length === 0 && dropped.length === 0 && !identityChanged) return undefined;
  const kind = dropped.length > 0 || identityChanged ? 'destructive' : 'additive';
  return { table: now.name, ordinal, kind, added, dropped, identityChanged };
}

/** Names of the columns of the one that the other lacks. */
function namesMissing(one: Table, other: Table): readonly string[] {
  const has = new Set(other.columns.map(({ name }) => name));
  return one.columns.map(({ name }) => name).filter((name) => !has.has(name));
}

function identityText({ identity }: Table): string {
  return identity.kind === 'index' ? `index ${identity.index}` : identity.kind;
}
