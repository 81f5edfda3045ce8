import type { HistoryProfile, StepKind } from '../profile.ts';
import { accounts, coded, documents, everyType, orders, partly } from '../table-shapes.ts';

/** A bit of everything that a pipeline goes on with; the other profiles say what they do otherwise. */
export const everyday: HistoryProfile = {
  name: 'everyday',
  aim: 'rows are written, changed and deleted by several connections, and all of it must arrive once and in order',
  covers: ['insert', 'update', 'delete', 'key-change', 'interleaved', 'rolled-back', 'several-tables'],
  weight: 20,
  maxSteps: 60,
  connections: [1, 2, 3],
  tables: [
    [accounts, orders],
    [documents, accounts],
    [accounts],
    [coded, orders, documents],
    [everyType, partly],
  ],
  identities: ['default', 'default', 'full', 'index', 'nothing'],
  publications: ['all', 'all', 'two'],
  partial: [['insert'], ['insert', 'truncate'], ['insert', 'update', 'delete']],
  steps: [
    ...many('insert', 6),
    ...many('update', 6),
    ...many('begin', 5),
    ...many('commit', 4),
    ...many('delete', 2),
    'move',
    'reinsert',
    'savepoint',
    'rollback-to',
    'release',
    'rollback',
    'truncate',
    'message',
    'bare-message',
    'message-commit',
    'commit-all',
  ],
  rows: [1, 1, 1, 2, 5],
  keys: 8,
  values: { nulls: 15, odd: 20, long: 35 },
  toastAssigned: 25,
};

/** The everyday profile but for what is given. */
export function profileOf(
  changed: Pick<HistoryProfile, 'name' | 'aim' | 'covers'> & Partial<HistoryProfile>,
): HistoryProfile {
  return { ...everyday, weight: 6, ...changed };
}

/** The same kind of step several times over, to be drawn as many times as often. */
export function many(choice: StepKind, times: number): readonly StepKind[] {
  return Array.from({ length: times }, () => choice);
}
