import { describe, expect, test } from 'vitest';
import { historyTruth } from '../../../oracles/history/truth.ts';
import type { Delivery, History, HistoryTruth, Step } from '../../../src/model/history/index.ts';
import {
  begin,
  commit,
  contentOf,
  history,
  insert,
  LONG,
  LONGER,
  message,
  publication,
  release,
  remove,
  rollback,
  rollbackTo,
  rowT,
  savepoint,
  tableT,
  truncate,
  update,
} from '../../support/histories.ts';

/** Deliveries in short: `step: op token…`, or the step of a message of no transaction. */
function inShort(deliveries: readonly Delivery[]): readonly string[] {
  return deliveries.map((delivery) => {
    if (delivery.kind === 'message') return `${delivery.step}: message`;
    const items = [
      ...delivery.changes.map(
        ({ op, ordinal, record }) => [ordinal, `${op} ${record?.token ?? '-'}`] as const,
      ),
      ...delivery.messages.map(({ ordinal }) => [ordinal, 'message'] as const),
    ].sort(([a], [b]) => a - b);
    expect(items.map(([ordinal]) => ordinal)).toEqual(items.map((_, index) => index));
    return `${delivery.step}: ${items.map(([, text]) => text).join(', ')}`;
  });
}

const deliveriesOf = (steps: readonly Step[], changed: Partial<History> = {}) =>
  inShort(historyTruth(history(steps, changed)).deliveries);

/** The changes of the last transaction. */
function lastChanges(steps: readonly Step[], changed: Partial<History> = {}) {
  const last = historyTruth(history(steps, changed)).deliveries.at(-1);
  return last?.kind === 'transaction' ? last.changes : undefined;
}

const rowsAfter = (
  { commits, start }: HistoryTruth,
  which: 'source' | 'published' = 'source',
  table = 't',
) => [...(commits.at(-1) ?? start)[which].get(table)!.rows.values()];

const withIdentity = (kind: Parameters<typeof tableT>[0]) => ({ tables: [tableT(kind)] });

describe('what is delivered', () => {
  test('a statement outside of a transaction is one of its own', () => {
    expect(deliveriesOf([insert(1, 'a'), insert(2, 'b')])).toEqual(['0: insert a', '1: insert b']);
  });

  test('transactions come in the order of their commits, each in the order of its statements', () => {
    const steps = [
      begin(0),
      begin(1),
      insert(1, 'a', {}, 0),
      insert(2, 'b', {}, 1),
      insert(3, 'c', {}, 0),
      commit(1),
      commit(0),
    ];
    expect(deliveriesOf(steps)).toEqual(['5: insert b', '6: insert a, insert c']);
  });

  test('nothing comes of a rollback, and its tokens are known', () => {
    const truth = historyTruth(
      history([begin(), insert(1, 'a'), message('m', true), rollback(), insert(1, 'b')]),
    );
    expect(inShort(truth.deliveries)).toEqual(['4: insert b']);
    expect([...truth.aborted]).toEqual(['a', 'm']);
  });

  test('a rollback to a savepoint takes what came after it, and leaves the savepoint', () => {
    const steps = [
      begin(),
      insert(1, 'a'),
      savepoint('s'),
      insert(2, 'b'),
      rollbackTo('s'),
      insert(2, 'c'),
      rollbackTo('s'),
      insert(2, 'd'),
      commit(),
    ];
    expect(deliveriesOf(steps)).toEqual(['8: insert a, insert d']);
  });

  test('of two savepoints of one name the latest is meant, and releasing it shows the other', () => {
    const steps = [
      begin(),
      savepoint('s'),
      insert(1, 'a'),
      savepoint('s'),
      insert(2, 'b'),
      rollbackTo('s'),
      release('s'),
      insert(3, 'c'),
      rollbackTo('s'),
      insert(4, 'd'),
      commit(),
    ];
    expect(deliveriesOf(steps)).toEqual(['10: insert d']);
  });

  test('releasing a savepoint keeps what came after it, until an outer one is rolled back to', () => {
    const nested = [begin(), savepoint('o'), insert(1, 'a'), savepoint('i'), insert(2, 'b'), release('i')];
    expect(deliveriesOf([...nested, commit()])).toEqual(['6: insert a, insert b']);
    expect(deliveriesOf([...nested, rollbackTo('o'), commit()])).toEqual([]);
  });

  test('a message of no transaction comes at its place, before the transaction around it, and survives a rollback', () => {
    const steps = [
      begin(),
      insert(1, 'a'),
      message('m', false),
      commit(),
      begin(),
      message('n', false),
      rollback(),
    ];
    const { deliveries, aborted } = historyTruth(history(steps));
    expect(inShort(deliveries)).toEqual(['2: message', '3: insert a', '5: message']);
    expect(deliveries[0]).toEqual({
      kind: 'message',
      step: 2,
      ordinal: 0,
      prefix: 'p',
      content: contentOf('m'),
    });
    expect(aborted.size).toBe(0);
  });

  test('a transactional message shares the order of the changes, and alone makes a transaction', () => {
    const steps = [begin(), insert(1, 'a'), message('m', true), insert(2, 'b'), commit(), message('n', true)];
    expect(deliveriesOf(steps)).toEqual(['4: insert a, message, insert b', '5: message']);
  });

  test('a transaction of which nothing is published is not delivered, but is a commit', () => {
    const truth = historyTruth(history([begin(), commit(), insert(1, 'a')]));
    expect(inShort(truth.deliveries)).toEqual(['2: insert a']);
    expect(truth.commits.map(({ step }) => step)).toEqual([1, 2]);
  });

  test('a TRUNCATE of two tables is a change of each, in the order given', () => {
    const tables = [tableT(), tableT('default', 'u')];
    const changes = lastChanges([insert(1, 'a'), truncate(['u', 't'])], { tables });
    expect(changes?.map(({ op, table }) => `${op} ${table}`)).toEqual(['truncate u', 'truncate t']);
  });
});

describe('what a change shows', () => {
  const aRow = insert(1, 'a', { n: '7' });

  test('an insert shows every column', () => {
    expect(lastChanges([aRow])).toEqual([
      { op: 'insert', table: 't', ordinal: 0, record: rowT(1, 'a', { n: '7' }), unchanged: [] },
    ]);
  });

  test('an update under the default identity shows no old row unless the primary key changes', () => {
    const [plain] = lastChanges([aRow, update(1, 'b', { code: 'other' })])!;
    expect(plain).toEqual({
      op: 'update',
      table: 't',
      ordinal: 0,
      record: rowT(1, 'b', { n: '7', code: 'other' }),
      unchanged: [],
    });
    const [moved] = lastChanges([aRow, update(1, 'b', { id: '2' })])!;
    expect(moved?.old).toEqual({ id: '1' });
    expect(moved?.record).toMatchObject({ id: '2', n: '7' });
    expect(lastChanges([aRow, update(1, 'b', { id: '1' })])![0]).not.toHaveProperty('old');
  });

  test('an identity of an index shows its columns when they change, and nothing when only the primary key does', () => {
    const index = withIdentity('index');
    expect(lastChanges([aRow, update(1, 'b', { code: 'z' })], index)![0]?.old).toEqual({ code: 'c1' });
    expect(lastChanges([aRow, update(1, 'b', { id: '9' })], index)![0]).not.toHaveProperty('old');
    expect(lastChanges([aRow, remove(1)], index)![0]?.old).toEqual({ code: 'c1' });
  });

  test('identity FULL shows the whole old row of updates and deletes, long columns too', () => {
    const full = withIdentity('full');
    const steps = [insert(1, 'a', { long: LONG })];
    const old = rowT(1, 'a', { long: LONG });
    expect(lastChanges([...steps, update(1, 'b')], full)).toEqual([
      {
        op: 'update',
        table: 't',
        ordinal: 0,
        record: { id: '1', code: 'c1', n: null, token: 'b' },
        old,
        unchanged: ['long'],
      },
    ]);
    expect(lastChanges([...steps, remove(1)], full)![0]).toMatchObject({ op: 'delete', record: null, old });
  });

  test('a delete shows the old key only', () => {
    expect(lastChanges([aRow, remove(1)])).toEqual([
      { op: 'delete', table: 't', ordinal: 0, record: null, old: { id: '1' }, unchanged: [] },
    ]);
  });

  test('a long column that is not assigned is unchanged, also when the key changes', () => {
    const [change] = lastChanges([insert(1, 'a', { long: LONG }), update(1, 'b', { id: '2' })])!;
    expect(change?.unchanged).toEqual(['long']);
    expect(change?.record).not.toHaveProperty('long');
    expect(change?.old).toEqual({ id: '1' });
  });

  test('a long column that is assigned is changed, be it to the same value, another, a short one or null', () => {
    for (const long of [LONG, LONGER, 'short', null]) {
      const [change] = lastChanges([insert(1, 'a', { long: LONG }), update(1, 'b', { long })])!;
      expect(change?.unchanged).toEqual([]);
      expect(change?.record?.long).toBe(long);
    }
  });

  test('a short value in a column that may be long is in line, and shown', () => {
    const [change] = lastChanges([insert(1, 'a', { long: 'short' }), update(1, 'b')])!;
    expect(change?.record?.long).toBe('short');
  });

  test('a row that is deleted and inserted again is two changes', () => {
    expect(deliveriesOf([insert(1, 'a'), begin(), remove(1), insert(1, 'b'), commit()])).toEqual([
      '0: insert a',
      '4: delete -, insert b',
    ]);
  });
});

describe('what tables hold', () => {
  test('after each commit, what was committed by then', () => {
    const steps = [
      begin(1),
      insert(2, 'b', {}, 1),
      insert(1, 'a'),
      update(1, 'c', { n: '3' }),
      commit(1),
      remove(1),
    ];
    const truth = historyTruth(history(steps));
    const tokens = truth.commits.map(({ source }) =>
      [...source.get('t')!.rows.values()].map(({ token }) => token),
    );
    expect(tokens).toEqual([['a'], ['c'], ['c', 'b'], ['b']]);
    expect(rowsAfter(truth)).toEqual(rowsAfter(truth, 'published'));
  });

  test('a moved row leaves its former key, and keeps its unchanged columns', () => {
    const truth = historyTruth(history([insert(1, 'a', { long: LONG }), update(1, 'b', { id: '2' })]));
    expect(rowsAfter(truth, 'published')).toEqual([{ ...rowT(2, 'b', { long: LONG }), code: 'c1' }]);
  });

  test('under an identity of an index a sink tells rows apart by it, and a new primary key is no new row', () => {
    const truth = historyTruth(history([insert(1, 'a'), update(1, 'b', { id: '9' })], withIdentity('index')));
    expect(rowsAfter(truth, 'published')).toEqual([{ ...rowT(9, 'b'), code: 'c1' }]);
  });

  test('a TRUNCATE empties, and a rolled back one does not', () => {
    const steps = [
      insert(1, 'a'),
      begin(),
      savepoint('s'),
      truncate(),
      rollbackTo('s'),
      insert(2, 'b'),
      commit(),
    ];
    expect(rowsAfter(historyTruth(history(steps)))).toHaveLength(2);
    expect(rowsAfter(historyTruth(history([...steps, truncate()])), 'published')).toEqual([]);
  });
});

describe('publications', () => {
  test('a table that is in none is not delivered, and its tokens are hidden', () => {
    const tables = [tableT(), tableT('default', 'u')];
    const steps = [insert(1, 'a'), { ...insert(1, 'b'), table: 'u' }];
    const truth = historyTruth(history(steps, { tables, publications: [publication(['t'])] }));
    expect(inShort(truth.deliveries)).toEqual(['0: insert a']);
    expect([...truth.hidden]).toEqual(['b']);
    expect([...truth.commits.at(-1)!.published.keys()]).toEqual(['t']);
  });

  test('actions of the subscribed ones add up, those of others do not', () => {
    const steps = [insert(1, 'a'), update(1, 'b'), remove(1)];
    const publications = [
      publication(['t'], ['insert'], 'one'),
      publication(['t'], ['update'], 'two'),
      publication(['t'], ['delete'], 'three'),
    ];
    const changed = { publications, subscribed: ['one', 'two'] };
    expect(deliveriesOf(steps, changed)).toEqual(['0: insert a', '1: update b']);
  });

  test('where deletes are not published a sink keeps the row until it is inserted again', () => {
    const steps = [insert(1, 'a', { n: '1' }), remove(1)];
    const changed = { publications: [publication(['t'], ['insert', 'update'])] };
    const truth = historyTruth(history(steps, changed));
    expect(rowsAfter(truth)).toEqual([]);
    expect(rowsAfter(truth, 'published')).toEqual([rowT(1, 'a', { n: '1' })]);
    const again = historyTruth(history([...steps, insert(1, 'b')], changed));
    expect(rowsAfter(again, 'published')).toEqual([rowT(1, 'b')]);
  });

  test('a table without an identity may be inserted into and truncated, and changed only where that is not published', () => {
    const steps = [insert(1, 'a'), update(1, 'b')];
    const inserts = publication(['t'], ['insert', 'truncate']);
    const nothing = withIdentity('nothing');
    expect(deliveriesOf(steps, { ...nothing, publications: [inserts] })).toEqual(['0: insert a']);
    const other = publication(['t'], ['update'], 'unsubscribed');
    const refused = { ...nothing, publications: [inserts, other], subscribed: [inserts.name] };
    expect(() => deliveriesOf(steps, refused)).toThrow('step 1 cannot have run (no-identity)');
  });
});

describe('tables that change', () => {
  const added = { name: 'more', type: 'text', nullable: true, toast: false } as const;
  const add = { do: 'add-column', connection: 0, table: 't', column: added } as const;
  const drop = { do: 'drop-column', connection: 0, table: 't', column: 'n' } as const;
  const full = { do: 'set-identity', connection: 0, table: 't', identity: { kind: 'full' } } as const;
  const back = { ...full, identity: { kind: 'default' } } as const;

  const schemaChanges = (steps: readonly Step[]) =>
    historyTruth(history(steps)).deliveries.map((delivery) =>
      delivery.kind === 'transaction'
        ? delivery.schemaChanges.map(({ ordinal, kind, added, dropped, identityChanged }) =>
            [ordinal, kind, ...added, ...dropped, identityChanged].join(' '),
          )
        : [],
    );

  test('an added column shows at the next change of the table, as null in rows that were there', () => {
    const steps = [insert(1, 'a'), add, update(1, 'b')];
    expect(schemaChanges(steps)).toEqual([[], ['0 additive more false']]);
    expect(lastChanges(steps)![0]?.record).toEqual({ ...rowT(1, 'b'), more: null });
  });

  test('inside a transaction it shows at the first change after it', () => {
    const steps = [begin(), insert(1, 'a'), add, insert(2, 'b', { more: 'x' }), commit()];
    expect(schemaChanges(steps)).toEqual([['1 additive more false']]);
  });

  test('a dropped column and another identity are destructive', () => {
    expect(schemaChanges([insert(1, 'a'), drop, update(1, 'b')])).toEqual([[], ['0 destructive n false']]);
    expect(schemaChanges([insert(1, 'a'), full, update(1, 'b')])).toEqual([[], ['0 destructive true']]);
  });

  test('what is rolled back, or changed back before the next change, shows nowhere', () => {
    const undone = [begin(), savepoint('s'), drop, rollbackTo('s'), insert(1, 'a'), commit()];
    expect(schemaChanges(undone)).toEqual([[]]);
    expect(schemaChanges([full, back, insert(1, 'a')])).toEqual([[]]);
  });

  test('the identity that counts is the one at the statement', () => {
    const steps = [insert(1, 'a'), begin(), full, update(1, 'b'), back, update(1, 'c'), commit()];
    expect(lastChanges(steps)?.map(({ old }) => old)).toEqual([rowT(1, 'a'), undefined]);
  });
});

describe('delivery that starts with a snapshot', () => {
  test('begins with the rows there are, and delivers what is committed after it', () => {
    const steps = [
      insert(1, 'a'),
      update(1, 'b'),
      insert(2, 'c'),
      message('m', false),
      update(2, 'd'),
      insert(3, 'e'),
    ];
    const truth = historyTruth(history(steps), { snapshotBefore: 4 });
    expect([...truth.start.published.get('t')!.rows.values()]).toEqual([rowT(1, 'b'), rowT(2, 'c')]);
    expect(inShort(truth.deliveries)).toEqual(['4: update d', '5: insert e']);
    expect([...truth.hidden]).toEqual(['a', 'm']);
    expect(rowsAfter(truth, 'published')).toEqual([rowT(1, 'b'), rowT(2, 'd'), rowT(3, 'e')]);
  });
});

describe('a history that cannot have run is refused', () => {
  test.each<[string, string, readonly Step[]]>([
    ['a second BEGIN', 'step 1 cannot have run (transaction-open)', [begin(), begin()]],
    ['a COMMIT of nothing', 'step 0 cannot have run (no-transaction)', [commit()]],
    [
      'a savepoint that is gone',
      'step 3 cannot have run (no-savepoint)',
      [begin(), savepoint('s'), release('s'), release('s')],
    ],
    ['a transaction without an end', 'step 1 cannot have run (never-ended)', [begin()]],
    ['an update of no row', 'step 0 cannot have run (no-row)', [update(1, 'a')]],
    ['a delete of no row', 'step 0 cannot have run (no-row)', [remove(1)]],
    ['a key that is taken', 'step 1 cannot have run (row-exists)', [insert(1, 'a'), insert(1, 'b')]],
    [
      'a move to a key that is taken',
      'step 2 cannot have run (row-exists)',
      [insert(1, 'a'), insert(2, 'b'), update(1, 'c', { id: '2' })],
    ],
    ['a column that is not there', 'step 0 cannot have run (wrong-columns)', [insert(1, 'a', { more: 'x' })]],
    ['a null in a key', 'step 0 cannot have run (wrong-columns)', [insert(1, 'a', { id: null })]],
  ])('%s', (_, message, steps) => {
    expect(() => historyTruth(history(steps))).toThrow(message);
  });
});
