import { accounts, documents, orders } from '../table-shapes.ts';
import { everyday, many, profileOf } from './everyday.ts';

/** Profiles of how transactions run. */

export const interleavings = profileOf({
  name: 'interleavings',
  aim: 'changes of open transactions are mixed up, or delivered in the order of their writes, not of their commits',
  covers: ['interleaved', 'commit-order', 'adjacent-commits'],
  connections: [3, 4, 5],
  steps: [
    ...many('begin', 6),
    ...many('insert', 6),
    ...many('update', 4),
    ...many('commit', 2),
    'commit-all',
    'delete',
  ],
});

export const savepoints = profileOf({
  name: 'savepoints',
  aim: 'writes that were rolled back to a savepoint are delivered, or those around them are not',
  covers: ['savepoint-rolled-back', 'savepoint-shadowed', 'savepoint-released', 'rolled-back'],
  steps: [
    ...many('begin', 3),
    ...many('insert', 5),
    ...many('update', 4),
    ...many('savepoint', 5),
    ...many('rollback-to', 4),
    ...many('release', 2),
    'move',
    'delete',
    'message',
    'truncate',
    'rollback',
    ...many('commit', 2),
  ],
});

export const adjacentCommits = profileOf({
  name: 'adjacent-commits',
  aim: 'a transaction whose commit record starts where the one before ended is skipped or repeated',
  covers: ['adjacent-commits', 'message-before-commit'],
  maxSteps: 40,
  connections: [2, 4],
  tables: [[accounts]],
  steps: [
    ...many('begin', 5),
    ...many('insert', 5),
    'update',
    ...many('commit-all', 2),
    ...many('message-commit', 2),
    'bare-message',
  ],
});

export const oversized = profileOf({
  name: 'oversized',
  aim: 'a transaction that exceeds the memory for decoding is streamed in parts, and parts of it are aborted',
  covers: ['oversized', 'oversized-rolled-back', 'interleaved'],
  weight: 3,
  maxSteps: 16,
  connections: [2],
  tables: [[accounts], [documents, orders]],
  steps: [
    ...many('begin', 3),
    ...many('insert', 5),
    ...many('savepoint', 2),
    ...many('rollback-to', 2),
    ...many('rollback', 2),
    'update',
    'delete',
    'commit',
    'message',
  ],
  rows: [400, 1, 150, 400],
  values: { ...everyday.values, long: 2 },
});

export const messages = profileOf({
  name: 'messages',
  aim: 'messages get lost with a rollback they survive, survive one they must not, or shadow the next transaction',
  covers: [
    'message',
    'message-rolled-back',
    'bare-message-survives',
    'message-before-commit',
    'only-messages',
    'bare-message-outside',
  ],
  steps: [
    ...many('begin', 3),
    ...many('message', 4),
    ...many('bare-message', 3),
    ...many('message-commit', 3),
    ...many('insert', 3),
    'update',
    'savepoint',
    'rollback-to',
    ...many('rollback', 2),
    'commit',
  ],
});
