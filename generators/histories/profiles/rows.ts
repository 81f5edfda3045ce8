import { accounts, coded, documents, everyType, orders, partly } from '../table-shapes.ts';
import { everyday, many, profileOf } from './everyday.ts';

/** Profiles of what is written. */

export const toast = profileOf({
  name: 'toast',
  aim: 'a column stored out of line that an update leaves alone is overwritten, or one that it changes is not',
  covers: [
    'toast-unchanged',
    'toast-changed',
    'toast-nulled',
    'toast-moved',
    'toast-same-value',
    'toast-full',
  ],
  tables: [[documents], [coded, documents]],
  identities: ['default', 'full', 'index'],
  steps: [
    ...many('insert', 4),
    ...many('update', 10),
    ...many('move', 3),
    'reinsert',
    'begin',
    'commit',
    'delete',
  ],
  values: { nulls: 10, odd: 10, long: 60 },
  toastAssigned: 35,
});

export const keys = profileOf({
  name: 'keys',
  aim: 'a row whose key changes is left behind, or lost, or a key that is used again meets its former row',
  covers: [
    'key-change',
    'index-key-change',
    'unseen-key-change',
    'reinsert',
    'key-used-again',
    'composite-key',
  ],
  tables: [[coded], [orders], [accounts, coded]],
  identities: ['default', 'index', 'full'],
  steps: [
    ...many('insert', 4),
    ...many('move', 8),
    ...many('reinsert', 4),
    ...many('delete', 3),
    'update',
    'begin',
    'commit',
    'rollback',
  ],
  keys: 5,
});

export const identities = profileOf({
  name: 'identities',
  aim: 'old rows and keys are read under the wrong replica identity',
  covers: ['identity-default', 'identity-full', 'identity-index', 'identity-nothing'],
  tables: [
    [coded, partly],
    [accounts, partly],
    [documents, coded],
  ],
  identities: ['full', 'index', 'nothing', 'default'],
  partial: [['insert'], ['insert', 'truncate']],
});

export const values = profileOf({
  name: 'values',
  aim: 'values go through a type of the language and lose digits, infinity, microseconds, bytes or NULL',
  covers: ['null', 'odd-value'],
  tables: [[everyType], [everyType, orders]],
  steps: [...many('insert', 4), ...many('update', 5), 'begin', 'commit', 'move', 'delete'],
  values: { nulls: 20, odd: 60, long: 0 },
});

export const truncates = profileOf({
  name: 'truncates',
  aim: 'a TRUNCATE is not applied, applied to one of several tables, or out of its place in the transaction',
  covers: ['truncate', 'truncate-several', 'truncate-then-insert', 'truncate-rolled-back'],
  steps: [...everyday.steps, ...many('truncate', 8), 'rollback-to', 'savepoint'],
});

export const publications = profileOf({
  name: 'publications',
  aim: 'what a publication leaves out is delivered, or what two publications share is delivered twice',
  covers: ['two-publications', 'hidden-table', 'hidden-action'],
  publications: ['two', 'one-of-two'],
});
