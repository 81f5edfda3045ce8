import type { Publication, ReplicaIdentity, Table } from '../../src/model/history/index.ts';
import { part, pick } from './draw.ts';
import type { HistoryProfile } from './profile.ts';
import { partly, type TableShape } from './table-shapes.ts';
import type { Beginnings } from './world.ts';

/** Tables and publications of a history, and which are subscribed. */
export interface Layout extends Beginnings {
  readonly subscribed: readonly string[];
}

/** The layout that a draw stands for, 0 for the first choices of a profile. */
export function layoutOf(profile: HistoryProfile, draw: number): Layout {
  const shapes = pick(profile.tables, part(draw, 0));
  const whole = shapes.filter((shape) => shape !== partly).map(({ name }) => name);
  const publish = ['insert', 'update', 'delete', 'truncate'] as const;
  const partial: readonly Publication[] = shapes.includes(partly)
    ? [{ name: 'tide_partly', tables: [partly.name], publish: pick(profile.partial, part(draw, 1)) }]
    : [];
  const publications = [...publicationsOf(whole, pick(profile.publications, part(draw, 2))), ...partial];
  const tables = shapes.map((shape, index) =>
    identified(shape, pick(profile.identities, part(draw, 3 + index)), publications),
  );
  const isOne = publications.some(({ name }) => name === UNSUBSCRIBED);
  return {
    tables,
    publications,
    subscribed: publications.map(({ name }) => name).filter((name) => !isOne || name !== UNSUBSCRIBED),
  };

  function publicationsOf(names: readonly string[], layout: string): readonly Publication[] {
    const [first, ...others] = names;
    if (first === undefined) return [];
    if (layout === 'all' || others.length === 0) return [{ name: 'tide_all', tables: names, publish }];
    if (layout === 'one-of-two') {
      return [
        { name: 'tide_first', tables: [first], publish },
        { name: UNSUBSCRIBED, tables: others, publish },
      ];
    }
    return [
      // The table in both is published whole, as the sum of the two.
      { name: 'tide_first', tables: names.slice(0, 2), publish: ['insert', 'update'] },
      { name: 'tide_second', tables: names, publish },
    ];
  }
}

const UNSUBSCRIBED = 'tide_other';

/** The shape with a replica identity that it can have under these publications. */
function identified(
  shape: TableShape,
  kind: ReplicaIdentity['kind'],
  publications: readonly Publication[],
): Table {
  const showsChanges = publications.some(
    ({ tables, publish }) =>
      tables.includes(shape.name) && (publish.includes('update') || publish.includes('delete')),
  );
  const [index] = shape.indexes;
  if (kind === 'index') {
    return { ...shape, identity: index === undefined ? { kind: 'default' } : { kind, index: index.name } };
  }
  // Rows of a table that publishes their changes must be told apart.
  return { ...shape, identity: { kind: kind === 'nothing' && showsChanges ? 'default' : kind } };
}
