import type { QueryDefinition } from '../model/query.ts';
import { joinQueries } from './joins.ts';
import { materialisedQueries } from './materialised.ts';
import { perRecordQueries } from './per-record.ts';
import { windowedQueries } from './windowed.ts';

/** The reference set: 15 append queries and 4 materialised ones, derived from nexmark. */
export const qualification: readonly QueryDefinition[] = [
  ...perRecordQueries,
  ...windowedQueries,
  ...materialisedQueries,
];

/** Every declared set by name. */
export const querySets: ReadonlyMap<string, readonly QueryDefinition[]> = new Map([
  ['qualification', qualification],
  ['joins', joinQueries],
]);

/** Every declared query by name. */
export const queries: ReadonlyMap<string, QueryDefinition> = new Map(
  [...querySets.values()].flat().map((query) => [query.name, query]),
);
