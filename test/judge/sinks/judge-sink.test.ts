import { describe, expect, test } from 'vitest';
import { historyTruth } from '../../../oracles/history/truth.ts';
import { judgeSink } from '../../../src/judge/sinks/judge-sink.ts';
import { DELIVERY_MODES, guarantees } from '../../../src/model/history/index.ts';
import {
  begin,
  commit,
  history,
  insert,
  LONG,
  LONGER,
  message,
  publication,
  remove,
  rollback,
  rowT,
  tableT,
  truncate,
  update,
} from '../../support/histories.ts';
import { inShort, judged, ledger, runOf } from './runs.ts';

/** Four transactions of one row each. */
const four = [insert(1, 'a'), insert(2, 'b'), insert(3, 'c'), insert(4, 'd')];
const fourRows = [rowT(1, 'a'), rowT(2, 'b'), rowT(3, 'c'), rowT(4, 'd')];

describe('duplicates against the bound of the mode', () => {
  const again = {
    none: ledger('a', 'b', '|', 'c', 'd'),
    one: ledger('a', 'b', '|', 'b', 'c', 'd'),
    two: ledger('a', 'b', 'c', '|', 'b', 'c', 'd'),
    apart: ledger('a', 'b', 'c', '|', 'a', 'c', 'd'),
  };
  test.each([
    ['transaction', 'none', 'agree'],
    ['transaction', 'one', 'dup 1'],
    ['spilled', 'one', 'dup 1'],
    ['transactional-message', 'one', 'dup 1'],
    ['batch', 'one', 'dup 1'],
    ['library', 'one', 'agree'],
    ['library', 'two', 'dup 2'],
    ['library-spilled', 'two', 'dup 2'],
    ['library-batch', 'two', 'agree'],
    ['library-batch', 'apart', 'dup 2'],
  ] as const)('%s: %s again: %s', (mode, which, expected) => {
    const run = runOf(mode, again[which], fourRows, { batchSize: 2 });
    expect(inShort(judged(four, run))).toEqual([expected]);
  });

  test('are counted for each restart, with their span', () => {
    const entries = ledger('a', '|', 'a', 'b', '|', 'b', 'c', 'd');
    const verdict = judged(four, runOf('library', entries, fourRows));
    expect(verdict).toMatchObject({
      kind: 'agree',
      numbers: {
        dup: 2,
        loss: 0,
        restarts: [
          { dupTransactions: 1, dupSpan: 1 },
          { dupTransactions: 1, dupSpan: 1 },
        ],
      },
    });
    const spread = judged(four, runOf('library', again.apart, fourRows));
    expect(spread).toMatchObject({
      problems: [{ kind: 'dup', count: 2, session: 1 }],
      numbers: { restarts: [{ dupSpan: 3 }] },
    });
  });

  test('that no restart explains are wrong in every mode', () => {
    const entries = ledger('a', 'b', 'b', '|', 'c', 'd');
    for (const mode of DELIVERY_MODES) {
      expect(inShort(judged(four, runOf(mode, entries, fourRows, { batchSize: 4 })))).toEqual([
        'unprompted-dup 1',
      ]);
    }
  });

  test('within one transaction of the sink are none', () => {
    const entries = ledger('a a', 'b', '|', 'c d c');
    expect(inShort(judged(four, runOf('batch', entries, fourRows, { batchSize: 2 })))).toEqual(['agree']);
  });

  test('show in a row that was deleted, inserted again and deleted again', () => {
    const steps = [insert(1, 'a'), remove(1)];
    const entries = ledger('a', '-a', '|', 'a', '-a');
    expect(inShort(judged(steps, runOf('library', entries, [])))).toEqual(['dup 2']);
    expect(inShort(judged(steps, runOf('library', ledger('a', '-a', '|'), [])))).toEqual(['agree']);
  });

  test('are not seen in a sink that writes over rows by deleting them first', () => {
    const steps = [insert(1, 'a'), update(1, 'b'), update(1, 'c')];
    const entries = ledger('a', '-a b', '|', '-b b', '-b c');
    expect(inShort(judged(steps, runOf('library', entries, [rowT(1, 'c')])))).toEqual(['agree']);
  });
});

describe('losses', () => {
  test.each(DELIVERY_MODES.map((mode) => [mode]))('are wrong under %s', (mode) => {
    const run = runOf(mode, ledger('a', 'b', '|', 'd'), [rowT(1, 'a'), rowT(2, 'b'), rowT(4, 'd')]);
    const verdict = judged(four, run);
    expect(inShort(verdict)).toEqual(['loss 1', 'row-lost 1']);
    // The third transaction, missed at the first restart.
    expect(verdict).toMatchObject({
      problems: [{ step: 2, session: 1 }, { table: 't' }],
      numbers: { loss: 1 },
    });
    expect(guarantees[mode].name).toMatch(/once/);
  });

  test('are seen on the ledger where a later write hides them in the table', () => {
    const steps = [insert(1, 'a'), update(1, 'b'), update(1, 'c')];
    expect(inShort(judged(steps, runOf('transaction', ledger('a', 'c'), [rowT(1, 'c')])))).toEqual([
      'loss 1',
    ]);
  });

  test('are none where one transaction, or one batch, writes over its own row', () => {
    const once = [begin(), insert(1, 'a'), update(1, 'b'), commit()];
    expect(inShort(judged(once, runOf('transaction', ledger('b'), [rowT(1, 'b')])))).toEqual(['agree']);
    const apart = [insert(1, 'a'), update(1, 'b'), update(1, 'c')];
    const batch = (batchSize: number) => runOf('batch', ledger('c'), [rowT(1, 'c')], { batchSize });
    expect(inShort(judged(apart, batch(3)))).toEqual(['agree']);
    // The first is written over within any batch of two, and so is the second.
    expect(inShort(judged(apart, batch(2)))).toEqual(['agree']);
    expect(inShort(judged(apart, batch(1)))).toEqual(['loss 2']);
  });

  test('of a delete show in the row that is left', () => {
    const steps = [insert(1, 'a'), remove(1)];
    expect(inShort(judged(steps, runOf('transaction', ledger('a'), [rowT(1, 'a')])))).toEqual([
      'row-extra 1',
    ]);
    const emptied = [insert(1, 'a'), truncate()];
    expect(inShort(judged(emptied, runOf('transaction', ledger('a'), [rowT(1, 'a')])))).toEqual([
      'row-extra 1',
    ]);
  });
});

describe('messages', () => {
  const steps = [message('m', false), begin(), message('n', true), insert(1, 'a'), commit()];
  const rows = [rowT(1, 'a')];

  test('of no transaction may come again, but not be lost', () => {
    const twice = runOf('message', ledger('!m', '|', '!m', '!n a'), rows);
    expect(inShort(judged(steps, twice))).toEqual(['agree']);
    expect(judged(steps, twice)).toMatchObject({ numbers: { dup: 1, restarts: [{ dupMessages: 1 }] } });
    expect(inShort(judged(steps, runOf('message', ledger('!n a'), rows)))).toEqual(['loss 1']);
  });

  test('of a transaction have its bound, and are lost apart from it', () => {
    const twice = ledger('!m', '!n a', '|', '!n');
    expect(inShort(judged(steps, runOf('transactional-message', twice, rows)))).toEqual(['dup 1']);
    expect(inShort(judged(steps, runOf('library-transactional-message', twice, rows)))).toEqual(['agree']);
    expect(inShort(judged(steps, runOf('transactional-message', ledger('!m', 'a'), rows)))).toEqual([
      'loss 1',
    ]);
  });

  test('are left out for a sink that takes none', () => {
    expect(inShort(judged(steps, runOf('transaction', ledger('a'), rows, { takesMessages: false })))).toEqual(
      ['agree'],
    );
  });

  test('survive a rollback', () => {
    const rolledBack = [begin(), message('m', false), insert(1, 'a'), rollback()];
    expect(inShort(judged(rolledBack, runOf('message', ledger('!m'), [])))).toEqual(['agree']);
    expect(inShort(judged(rolledBack, runOf('message', [], [])))).toEqual(['loss 1']);
  });
});

describe('effects that must not be', () => {
  test('of what was rolled back', () => {
    const steps = [begin(), insert(9, 'z'), rollback(), insert(1, 'a')];
    const verdict = judged(steps, runOf('transaction', ledger('z', 'a'), [rowT(1, 'a')]));
    expect(verdict).toMatchObject({
      problems: [{ kind: 'phantom', count: 1, message: expect.stringMatching(/rolled back/) }],
    });
  });

  test('of what is not published, and of what was never written', () => {
    const steps = [insert(1, 'a'), { ...insert(1, 'u'), table: 'u' }];
    const changed = { tables: [tableT(), tableT('default', 'u')], publications: [publication(['t'])] };
    const run = runOf('transaction', ledger('a', 'u', 'nothing'), [rowT(1, 'a')]);
    const verdict = judged(steps, run, changed);
    expect(inShort(verdict)).toEqual(['phantom 1', 'phantom 1']);
    expect(JSON.stringify(verdict)).toMatch(/not published.*never written/);
  });
});

test('a transaction that takes effect after a later one is told; within one it may be in any order', () => {
  const verdict = judged(four, runOf('transaction', ledger('a', 'c', 'b', 'd'), fourRows));
  expect(verdict).toMatchObject({ problems: [{ kind: 'reordered', count: 1, step: 1, session: 0 }] });
  const one = [begin(), ...four, commit()];
  expect(inShort(judged(one, runOf('transaction', ledger('d b a c'), fourRows)))).toEqual(['agree']);
});

describe('rows at the end', () => {
  const judgeRows = (
    rows: readonly ReturnType<typeof rowT>[],
    steps: readonly Parameters<typeof judged>[0][number][],
  ) => judged(steps, runOf('transaction', ledger('a', 'b'), rows));

  test('are compared by key and told by kind, with the columns that differ', () => {
    const steps = [insert(1, 'a', { n: '1' }), insert(2, 'b')];
    expect(inShort(judgeRows([rowT(2, 'b'), rowT(1, 'a', { n: '1' })], steps))).toEqual(['agree']);
    const wrong = judgeRows([rowT(1, 'a', { n: '2', code: 'z' }), rowT(3, 'b')], steps);
    expect(inShort(wrong)).toEqual(['row-lost 1', 'row-extra 1', 'row-altered 1']);
    expect(wrong).toMatchObject({ problems: [{}, {}, { table: 't', columns: ['code', 'n'] }] });
    expect(
      inShort(judgeRows([rowT(1, 'a', { n: '1' }), rowT(1, 'a', { n: '1' }), rowT(2, 'b')], steps)),
    ).toEqual(['row-extra 1']);
  });

  test('a column that was left unchanged and is not what it was is told apart', () => {
    const steps = [insert(1, 'a', { long: LONG }), update(1, 'b', { n: '5' })];
    for (const long of [null, LONGER, 'unchanged']) {
      const verdict = judgeRows([rowT(1, 'b', { n: '5', long })], steps);
      expect(verdict).toMatchObject({ problems: [{ kind: 'toast', count: 1, columns: ['long'] }] });
    }
    expect(inShort(judgeRows([rowT(1, 'b', { n: '5', long: LONG })], steps))).toEqual(['agree']);
    const changed = [insert(1, 'a', { long: LONG }), update(1, 'b', { long: LONGER })];
    expect(inShort(judgeRows([rowT(1, 'b', { long: LONG })], changed))).toEqual(['row-altered 1']);
  });

  test('what a transaction applied twice carried to a new key unseen is doubtful, and only that', () => {
    const steps = [
      insert(1, 'a', { long: LONG }),
      begin(),
      update(1, 'b', { id: '2' }),
      update(2, 'c', { id: '3' }),
      commit(),
    ];
    const twice = ledger('a', 'b c', '|', 'b c');
    const row = { ...rowT(3, 'c'), code: 'c1' };
    const verdict = judged(steps, runOf('library', twice, [row]));
    expect(verdict).toMatchObject({ kind: 'agree', numbers: { rows: 1, doubtful: 1 } });
    expect(inShort(judged(steps, runOf('library', ledger('a', 'b c'), [row])))).toEqual(['toast 1']);
    expect(inShort(judged(steps, runOf('library', twice, [{ ...row, n: '1' }])))).toEqual(['row-altered 1']);
    const assigned = [...steps, update(3, 'd', { long: LONGER })];
    const since = ledger('a', 'b c', '|', 'b c', 'd');
    expect(inShort(judged(assigned, runOf('library', since, [{ ...row, token: 'd' }])))).toEqual([
      'row-altered 1',
    ]);
  });

  test('a row that moved and was left behind is extra', () => {
    const steps = [insert(1, 'a'), update(1, 'b', { id: '2' })];
    const moved = { ...rowT(2, 'b'), code: 'c1' };
    expect(inShort(judgeRows([rowT(1, 'a'), moved], steps))).toEqual(['row-extra 1']);
    expect(inShort(judgeRows([moved], steps))).toEqual(['agree']);
  });
});

describe('halts', () => {
  const drop = { do: 'drop-column', connection: 0, table: 't', column: 'n' } as const;
  const steps = [insert(1, 'a'), drop, update(1, 'b'), insert(2, 'c', {})];
  const { n: _, ...withoutN } = rowT(2, 'c');
  const halting = [...steps.slice(0, 3), { ...insert(2, 'c'), rows: [withoutN] }];
  const halt = { reason: 'schema' };

  test('are due where a column is gone, and nothing takes effect from there on', () => {
    expect(inShort(judged(halting, runOf('transaction', ledger('a'), [rowT(1, 'a')], { halt })))).toEqual([
      'agree',
    ]);
    const on = runOf('transaction', ledger('a', 'b', 'c'), [rowT(1, 'b'), rowT(2, 'c')]);
    const verdict = judged(halting, on);
    expect(inShort(verdict)).toEqual(['no-halt 1', 'past-halt 2', 'row-extra 1', 'row-altered 1']);
    expect(verdict).toMatchObject({ problems: [{ step: 2 }, { step: 2 }, {}, {}] });
    const late = runOf('transaction', ledger('a', 'b'), [rowT(1, 'b')], { halt });
    expect(inShort(judged(halting, late))).toEqual(['past-halt 1', 'row-altered 1']);
  });

  test('that nothing calls for are told alone', () => {
    const run = runOf('transaction', ledger('a', 'b'), [rowT(1, 'a'), rowT(2, 'b')], { halt });
    expect(inShort(judged(four, run))).toEqual(['halted 1']);
  });

  test('do not hide effects that must not be', () => {
    const run = runOf('transaction', ledger('a', '|', 'a'), [rowT(1, 'a')], { halt });
    expect(inShort(judged(four, run))).toEqual(['halted 1', 'dup 1']);
  });
});

describe('snapshots', () => {
  const steps = [insert(1, 'a'), insert(2, 'b'), insert(3, 'c'), update(1, 'd')];
  const truth = historyTruth(history(steps), { snapshotBefore: 3 });
  const rows = [rowT(1, 'd'), rowT(2, 'b'), rowT(3, 'c')];
  const judge = (mode: Parameters<typeof runOf>[0], entries: ReturnType<typeof ledger>) =>
    inShort(judgeSink(truth, runOf(mode, entries, rows, { chunks: [['a', 'b'], ['c']] })));

  test('one chunk may come again where the library keeps the checkpoint, none where the sink does', () => {
    const one = ledger('a b', '|', 'a b', 'c', 'd');
    const both = ledger('a b', 'c', '|', 'a b', 'c', 'd');
    expect(judge('initial-snapshot', ledger('a b', '|', 'c', 'd'))).toEqual(['agree']);
    expect(judge('initial-snapshot', one)).toEqual(['dup 1']);
    expect(judge('library-initial-snapshot', one)).toEqual(['agree']);
    expect(judge('library-initial-snapshot', both)).toEqual(['dup 2']);
    expect(judge('library-incremental-snapshot', both)).toEqual(['dup 2']);
  });

  test('a row of an initial snapshot may not be missing, also where the stream writes over it', () => {
    expect(judge('initial-snapshot', ledger('b', 'c', 'd'))).toEqual(['loss 1']);
    expect(judge('incremental-snapshot', ledger('b', 'c', 'd'))).toEqual(['agree']);
    expect(judge('incremental-snapshot', ledger('a b', 'd'))).toEqual(['loss 1']);
  });

  test('a row that the stream has delivered may come once more in a chunk', () => {
    const incremental = historyTruth(history([insert(1, 'a'), insert(2, 'b'), update(1, 'd')]), {
      snapshotBefore: 1,
    });
    const run = (...entries: readonly string[]) =>
      runOf('incremental-snapshot', ledger(...entries), [rowT(1, 'd'), rowT(2, 'b')], {
        chunks: [['a', 'b']],
      });
    expect(inShort(judgeSink(incremental, run('b', 'a b', 'd')))).toEqual(['agree']);
    expect(inShort(judgeSink(incremental, run('b', 'a b', '|', 'b', 'd')))).toEqual(['dup 1']);
  });
});

describe('a verdict', () => {
  test('is inconclusive where nothing was delivered again, or nothing at all', () => {
    const run = runOf('transaction', ledger('a', 'b', 'c', 'd'), fourRows, { redelivered: 0 });
    expect(inShort(judged(four, run))).toEqual(['inconclusive uncovered']);
    expect(inShort(judged([begin(), commit()], runOf('transaction', [], [])))).toEqual([
      'inconclusive both-empty',
    ]);
  });

  test('counts what was to be delivered and compared', () => {
    const steps = [insert(1, 'a'), message('m', false), insert(2, 'b')];
    const verdict = judged(steps, runOf('message', ledger('a', '!m', 'b'), [rowT(1, 'a'), rowT(2, 'b')]));
    expect(verdict).toMatchObject({
      kind: 'agree',
      numbers: {
        transactions: 2,
        messages: 1,
        chunks: 0,
        rows: 2,
        doubtful: 0,
        redelivered: 1,
        dup: 0,
        loss: 0,
      },
    });
  });

  test('holds no value, token or message, whatever is wrong', () => {
    const secret = 'SECRET';
    const steps = [
      insert(1, `${secret}-a`, { n: '1', long: `${secret}${LONG}` }),
      message(`${secret}-m`, false),
      update(1, `${secret}-b`),
      insert(2, `${secret}-c`, { code: secret }),
      begin(),
      insert(3, `${secret}-d`),
      rollback(),
    ];
    const entries = ledger(`${secret}-d`, `${secret}-c`, '|', `${secret}-c`, `${secret}-a`, `${secret}-x`);
    const verdict = judged(
      steps,
      runOf('transaction', entries, [rowT(1, `${secret}-b`, { n: secret }), rowT(9, secret)]),
    );
    const kinds = verdict.kind === 'diverge' ? verdict.problems.map(({ kind }) => kind) : [];
    expect(new Set(kinds)).toEqual(
      new Set(['loss', 'dup', 'phantom', 'reordered', 'toast', 'row-lost', 'row-extra']),
    );
    expect(JSON.stringify(verdict)).not.toContain(secret);
  });
});
