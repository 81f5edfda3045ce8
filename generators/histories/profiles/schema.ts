import { accounts, coded, documents, orders } from '../table-shapes.ts';
import { everyday, many, profileOf } from './everyday.ts';

/** Profiles of tables that change. */

export const addedColumns = profileOf({
  name: 'added-columns',
  aim: 'columns that are added, also inside a transaction, are put in the place of others or lost',
  covers: ['added-column', 'added-in-transaction', 'added-rolled-back'],
  tables: [[accounts, orders], [documents]],
  steps: [...everyday.steps, ...many('add-column', 5), 'savepoint', 'rollback-to'],
});

export const halts = profileOf({
  name: 'halts',
  aim: 'a pipeline goes on although a column is gone or rows are identified otherwise (semantics §10, invariant 4)',
  covers: ['dropped-column', 'identity-changed', 'changed-back'],
  weight: 3,
  tables: [[accounts, coded], [documents]],
  steps: [...everyday.steps, ...many('drop-column', 2), ...many('set-identity', 4)],
});
