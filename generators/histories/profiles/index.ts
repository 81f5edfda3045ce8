import type { HistoryProfile } from '../profile.ts';
import { everyday } from './everyday.ts';
import { identities, keys, publications, toast, truncates, values } from './rows.ts';
import { addedColumns, halts } from './schema.ts';
import { adjacentCommits, interleavings, messages, oversized, savepoints } from './transactions.ts';

/** Every profile; together, by their weights, they are the default mix. */
export const historyProfiles: readonly HistoryProfile[] = [
  everyday,
  interleavings,
  savepoints,
  adjacentCommits,
  oversized,
  messages,
  toast,
  keys,
  identities,
  values,
  truncates,
  publications,
  addedColumns,
  halts,
];
