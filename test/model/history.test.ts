import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type CapturedTransaction,
  capturedTransactionSchema,
  DELIVERY_MODES,
  guarantees,
  historySchema,
  lsnSchema,
  lsnToText,
  messageToken,
  rowKey,
} from '../../src/model/history/index.ts';
import { begin, commit, contentOf, history, insert, message, tableT, update } from '../support/histories.ts';

test('a position is 16 hex digits in JSON, which sort as positions do', () => {
  const positions = [0n, 9n, 10n, 0x1_0000_0000n, 2n ** 64n - 1n];
  const texts = positions.map(lsnToText);
  expect(texts[2]).toBe('000000000000000A');
  expect([...texts].sort()).toEqual(texts);
  expect(texts.map((text) => lsnSchema.parse(text))).toEqual(positions);
  for (const wrong of ['A', '000000000000000a', '0/16B3748', '00000000000000000']) {
    expect(lsnSchema.safeParse(wrong).success).toBe(false);
  }
});

test('a captured transaction comes back from its JSON form as it was', () => {
  const transaction: CapturedTransaction = {
    commit_lsn: 0x16b3748n,
    xid: 731,
    changes: [
      {
        op: 'update',
        table: 'Order',
        ordinal: 0,
        record: { a: '1', b: null },
        old: { a: '0' },
        unchanged: ['long'],
      },
      { op: 'truncate', table: 'Order', ordinal: 2, record: null, unchanged: [] },
    ],
    messages: [{ ordinal: 1, prefix: 'p', content: contentOf('m'), lsn: 5n }],
  };
  const text = JSON.stringify(z.encode(capturedTransactionSchema, transaction));
  expect(text).toContain('"commit_lsn":"00000000016B3748"');
  expect(capturedTransactionSchema.parse(JSON.parse(text))).toEqual(transaction);
});

test('a history comes back from its JSON form as it was', () => {
  const written = history([
    begin(),
    insert(1, 't1', { n: '-1' }),
    message('m1', true),
    commit(),
    update(1, 't2'),
  ]);
  expect(historySchema.parse(JSON.parse(JSON.stringify(written)))).toEqual(written);
});

test.each([
  ['a version to come', { ...history([]), version: 2 }],
  [
    'a table without a token',
    { ...history([]), tables: [{ ...tableT(), columns: tableT().columns.slice(0, 4) }] },
  ],
  ['a key that may be null', { ...history([]), tables: [{ ...tableT(), key: ['n'] }] }],
  ['an identity of no index', { ...history([]), tables: [{ ...tableT('index'), indexes: [] }] }],
  [
    'a publication of no table',
    { ...history([]), publications: [{ ...history([]).publications[0], tables: ['u'] }] },
  ],
  ['a hostile publication', { ...history([]), subscribed: ['x"; DROP'] }],
  ['a subscription to nothing', { ...history([]), subscribed: ['other'] }],
  ['a step on no table', history([{ ...insert(1, 't1'), table: 'u' }])],
  ['a message without a token', history([{ ...message('m', true), content: btoa(';') }])],
  ['a step that is none', { ...history([]), steps: [{ do: 'vacuum', connection: 0 }] }],
])('a history with %s is refused', (_, written) => {
  expect(historySchema.safeParse(written).success).toBe(false);
});

test('a message carries its token before whatever bytes follow', () => {
  expect(messageToken(contentOf('m7'))).toBe('m7');
  expect(messageToken(btoa('m8;\u0000\u00ff;'))).toBe('m8');
  expect(messageToken(btoa('no end'))).toBeUndefined();
  expect(messageToken('')).toBeUndefined();
});

test('rows are told apart by the identity’s index, else by the primary key', () => {
  expect(rowKey(tableT('index'))).toEqual(['code']);
  for (const kind of ['default', 'full', 'nothing'] as const) expect(rowKey(tableT(kind))).toEqual(['id']);
});

test('the bounds of the modes are those of semantics §10', () => {
  const bounds = DELIVERY_MODES.map((mode) => {
    const { name, unit, dupUnits } = guarantees[mode];
    return `${mode}: ${name}, dup ${dupUnits} ${unit}`;
  });
  expect(bounds).toEqual([
    'transaction: effect-once, dup 0 transaction',
    'batch: effect-once, dup 0 batch',
    'library: at-least-once, dup 1 transaction',
    'library-batch: at-least-once, dup 1 batch',
    'message: at-least-once, dup any message',
    'transactional-message: effect-once, dup 0 transaction',
    'library-transactional-message: at-least-once, dup 1 transaction',
    'initial-snapshot: effect-once, dup 0 chunk',
    'library-initial-snapshot: at-least-once, dup 1 chunk',
    'incremental-snapshot: effect-once, dup 0 chunk',
    'library-incremental-snapshot: at-least-once, dup 1 chunk',
    'spilled: effect-once, dup 0 transaction',
    'library-spilled: at-least-once, dup 1 transaction',
  ]);
});
