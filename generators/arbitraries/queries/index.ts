import { extremesOfWindows, groupedPairs, pairs, pairsOfWindows, pairsWithGroups } from './joined.ts';
import { groupsOverGroups, groupsOverRank, groupsOverWindow, windowOverWindow } from './nested.ts';
import { expressions, filters, repeatable, textFunctions } from './per-record.ts';
import type { QuerySource } from './query-source.ts';
import { keepOne, topGroups, topRows, unbounded } from './updating.ts';
import { cumulating, hopping, sessions, tumbling, unboundedPanes } from './windowed.ts';

export type { QuerySource } from './query-source.ts';
export { fuzzStreams } from './streams.ts';
export { variantsOfQuery } from './variants.ts';

/** Every query family over the fuzz streams: together the whole plan language. */
export const queryFamilies: readonly QuerySource[] = [
  expressions,
  textFunctions,
  filters,
  repeatable,
  tumbling,
  hopping,
  cumulating,
  sessions,
  unboundedPanes,
  unbounded,
  keepOne,
  topRows,
  topGroups,
  pairs,
  groupedPairs,
  pairsWithGroups,
  pairsOfWindows,
  extremesOfWindows,
  windowOverWindow,
  groupsOverWindow,
  groupsOverRank,
  groupsOverGroups,
];
