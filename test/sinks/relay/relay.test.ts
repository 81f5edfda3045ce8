import { describe, expect, test } from 'vitest';
import { DELIVERY_MODES, guarantees, type Step } from '../../../src/model/history/index.ts';
import { PROTOCOLS } from '../../../src/sinks/postgres/index.ts';
import type { Fault, FaultMoment, ItemAddress } from '../../../src/sinks/relay/fault-plan.ts';
import type { SinkUnderTest } from '../../../src/sinks/sink.ts';
import {
  begin,
  commit,
  history,
  insert,
  LONG,
  message,
  remove,
  savepoint,
  truncate,
  update,
} from '../../support/histories.ts';
import { useServer } from '../postgres/support.ts';
import { memorySink, type Wrong } from './memory-sink.ts';
import { problemsOf, useTrial } from './try-sink.ts';

const trial = useTrial(useServer());

const at = (
  index: number,
  when: FaultMoment,
  what: Fault['do'] = 'disconnect',
  kind: ItemAddress['kind'] = 'transaction',
): Fault => ({ item: { kind, index }, when, do: what });

const three = history([insert(1, 'a'), update(1, 'b', { n: '2' }), insert(2, 'c')]);

describe('a sink that keeps its promises', () => {
  const modes = memorySink().modes;
  test.each(modes)(
    'agrees in mode %s, with disconnects and kills, and something came again',
    async (mode) => {
      const verdicts = await trial.atRandom(memorySink(), mode, { faults: 'all' });
      expect(verdicts.map(problemsOf)).toEqual([['agree'], ['agree']]);
      for (const verdict of verdicts) {
        expect(verdict.kind === 'agree' && verdict.numbers.redelivered).toBeGreaterThan(0);
      }
    },
  );
});

describe('what comes again', () => {
  test('after a lost reply, under the library’s checkpoint, takes effect again: one transaction', async () => {
    const verdict = await trial.byHand(memorySink(), 'library', three, [at(1, 'reply-lost')]);
    expect(verdict).toMatchObject({ kind: 'agree', numbers: { redelivered: 1, dup: 1, loss: 0 } });
  });

  test('after the library’s checkpoint is skipped by the library', async () => {
    const verdict = await trial.byHand(memorySink(), 'library', three, [at(1, 'after-reply')]);
    expect(verdict).toMatchObject({ kind: 'inconclusive', numbers: { redelivered: 0, dup: 0 } });
  });

  test('is all that was not acknowledged, which the sink skips under its own checkpoint', async () => {
    const lazily = { acknowledgeEvery: 10 };
    const verdict = await trial.byHand(memorySink(), 'transaction', three, [at(2, 'after-reply')], lazily);
    expect(verdict).toMatchObject({ kind: 'agree', numbers: { redelivered: 3, dup: 0, loss: 0 } });
  });

  test('a batch comes again as a whole', async () => {
    const faults = [at(1, 'reply-lost')];
    const verdict = await trial.byHand(memorySink(), 'library-batch', three, faults);
    expect(verdict).toMatchObject({ kind: 'agree', numbers: { redelivered: 3, dup: 3, loss: 0 } });
  });

  test('of a snapshot, one chunk: again under the library’s checkpoint, skipped under the sink’s', async () => {
    const rows = history([insert(1, 'a'), insert(2, 'b'), insert(3, 'c'), update(2, 'd'), insert(4, 'e')]);
    const start = { startBefore: 3 };
    const faultsOf = (when: FaultMoment) => [at(1, when, 'kill', 'chunk')];
    const mine = await trial.byHand(memorySink(), 'initial-snapshot', rows, faultsOf('after-reply'), start);
    expect(mine).toMatchObject({ kind: 'agree', numbers: { chunks: 2, redelivered: 1, dup: 0, rows: 4 } });
    const other = memorySink();
    const library = await trial.byHand(
      other,
      'library-initial-snapshot',
      rows,
      faultsOf('reply-lost'),
      start,
    );
    expect(library).toMatchObject({ kind: 'agree', numbers: { chunks: 2, redelivered: 1, dup: 1, rows: 4 } });
  });

  test('a planned fault that never happens is no pass', async () => {
    const faults = [at(0, 'after-reply'), at(9, 'after-reply')];
    const verdict = await trial.byHand(memorySink(), 'transaction', three, faults);
    expect(verdict).toMatchObject({ kind: 'not-gated', code: 'fault-not-fired' });
  });
});

test('a sink that never comes to its fail point is no pass: its checkpoint was not tried', async () => {
  const [verdict] = await trial.atRandom(memorySink('no-fail-point'), 'transaction', { histories: 1 });
  expect(verdict).toMatchObject({ kind: 'inconclusive', reason: 'uncovered' });
  // Under the library's checkpoint there is none of the sink's.
  const [library] = await trial.atRandom(memorySink('no-fail-point'), 'library', { histories: 1 });
  expect(library).toMatchObject({ kind: 'agree' });
});

describe('a sink that breaks a promise is found:', () => {
  const found = async (
    wrong: Wrong,
    ...given: Parameters<typeof trial.byHand> extends [unknown, ...infer R] ? R : never
  ) => problemsOf(await trial.byHand(memorySink(wrong), ...given));

  test('rows and checkpoint are not one write', async () => {
    const faults = [at(1, 'before-checkpoint', 'kill')];
    expect(await found('checkpoint-apart', 'transaction', three, faults)).toContain('dup');
    expect(await trial.byHand(memorySink(), 'transaction', three, faults)).toMatchObject({ kind: 'agree' });
  });

  const ownCheckpoint = DELIVERY_MODES.filter((mode) => guarantees[mode].checkpoint === 'sink');
  test.each(ownCheckpoint)(
    'by the faults that are drawn, in mode %s: they are not one write',
    async (mode) => {
      const [verdict] = await trial.atRandom(memorySink('checkpoint-apart'), mode, { histories: 1 });
      expect(problemsOf(verdict!)).toContain('dup');
    },
  );

  test('it answers before it applies', async () => {
    const faults = [at(1, 'after-reply', 'kill')];
    expect(await found('replies-before-it-applies', 'library', three, faults)).toContain('loss');
  });

  test('it does not skip what is behind its checkpoint', async () => {
    expect(await found('ignores-checkpoint', 'transaction', three, [at(1, 'after-reply')])).toContain('dup');
  });

  test('what comes again takes its checkpoint back', async () => {
    const faults = [at(2, 'after-reply')];
    const lazily = { acknowledgeEvery: 10 };
    const problems = await found('checkpoint-goes-back', 'transaction', three, faults, lazily);
    expect(problems).toContain('dup');
  });

  test('messages and transactions share a watermark, and a message ends where the next commit starts', async () => {
    const close = history([
      insert(1, 'a'),
      begin(),
      insert(2, 'b'),
      message('m', false),
      commit(),
      insert(3, 'c'),
    ]);
    const faults = [at(0, 'reply-lost', 'disconnect', 'message')];
    expect(await found('shared-watermark', 'message', close, faults)).toContain('loss');
    expect(await trial.byHand(memorySink(), 'message', close, faults)).toMatchObject({
      kind: 'agree',
      numbers: { messages: 1, dup: 1 },
    });
  });

  test('it inserts and does not upsert', async () => {
    expect(await found('inserts', 'library', three, [at(0, 'reply-lost')])).toContain('halted');
  });

  test('it deletes and inserts a row whose key changes, and loses what is stored out of line', async () => {
    const moved = history([insert(1, 'a', { long: LONG }), update(1, 'b', { id: '5' }), insert(2, 'c')]);
    const faults = [at(2, 'after-reply')];
    expect(await found('deletes-and-inserts', 'transaction', moved, faults)).toContain('toast');
  });

  test('it writes over a column that is stored out of line and was not told', async () => {
    const kept = history([insert(1, 'a', { long: LONG }), update(1, 'b', { n: '3' }), insert(2, 'c')]);
    expect(await found('overwrites-toast', 'transaction', kept, [at(2, 'after-reply')])).toContain('toast');
  });

  test('its error holds a row’s value; its log does', async () => {
    const two = history([insert(1, 't1'), insert(2, 't2')]);
    expect(await found('leaks', 'library', two, [at(0, 'reply-lost')])).toContain('leak');
    expect(await found('logs-rows', 'transaction', two, [at(0, 'after-reply')])).toContain('leak');
    expect(await found('inserts', 'library', two, [at(0, 'reply-lost')])).not.toContain('leak');
  });

  test('it takes a chunk of a snapshot again', async () => {
    const rows = history([insert(1, 'a'), insert(2, 'b'), insert(3, 'c')]);
    const faults = [at(0, 'after-reply', 'disconnect', 'chunk')];
    const start = { startBefore: 2 };
    expect(await found('ignores-chunk-progress', 'initial-snapshot', rows, faults, start)).toContain('dup');
  });

  test('it goes on after a column is gone', async () => {
    const dropped = history([
      insert(1, 'a'),
      { do: 'drop-column', connection: 0, table: 't', column: 'n' },
      { do: 'insert', connection: 0, table: 't', rows: [{ id: '2', code: 'c2', long: null, token: 'b' }] },
      remove(1),
    ]);
    const faults = [at(0, 'after-reply')];
    expect(await found('goes-on', 'transaction', dropped, faults)).toContain('no-halt');
    expect(await trial.byHand(memorySink(), 'transaction', dropped, faults)).toMatchObject({ kind: 'agree' });
  });
});

test('tables are truncated and columns added under way, and the sink is told before', async () => {
  const grown = history([
    insert(1, 'a'),
    {
      do: 'add-column',
      connection: 0,
      table: 't',
      column: { name: 'More', type: 'int4', nullable: true, toast: false },
    },
    { do: 'update', connection: 0, table: 't', key: { id: '1' }, set: { More: '7', token: 'b' } },
    truncate(),
    insert(2, 'c', { More: '8' }),
  ]);
  const verdict = await trial.byHand(memorySink(), 'transaction', grown, [at(1, 'after-reply', 'kill')]);
  expect(verdict).toMatchObject({ kind: 'agree', numbers: { transactions: 4, rows: 1 } });
});

describe('by each protocol', () => {
  // A table is altered in a savepoint that is rolled back, and for good while another transaction is open.
  const column = { name: 'More', type: 'int4', nullable: true, toast: false } as const;
  const add: Step = { do: 'add-column', connection: 0, table: 't', column };
  const altered = history([
    insert(1, 'a'),
    begin(),
    insert(2, 'b'),
    savepoint('s'),
    add,
    insert(3, 'c', { More: '3' }),
    { do: 'rollback-to', connection: 0, name: 's' },
    insert(4, 'd'),
    commit(),
    insert(5, 'e'),
    begin(),
    insert(6, 'f'),
    add,
    insert(7, 'g', { More: '7' }),
    commit(),
  ]);

  test.each(PROTOCOLS)('%i, the sink is told of a column once it has come to stay', async (protocol) => {
    const told: [string, number][] = [];
    const plain = memorySink();
    const sink: SinkUnderTest = {
      ...plain,
      async prepare(setting) {
        const home = await plain.prepare(setting);
        const open = async () => {
          const opened = await home.open();
          const seen = { transactions: 0 };
          const transaction = opened.transaction!.bind(opened);
          const schemaChange = opened.schemaChange.bind(opened);
          opened.transaction = (given) => {
            seen.transactions++;
            return transaction(given);
          };
          opened.schemaChange = (change) => {
            told.push([change.kind, seen.transactions]);
            return schemaChange(change);
          };
          return opened;
        };
        return { ...home, open };
      },
    };
    const faults = [at(0, 'after-reply')];
    const verdict = await trial.byHand(sink, 'transaction', altered, faults, { protocol });
    expect(verdict).toMatchObject({ kind: 'agree', numbers: { transactions: 4, rows: 6 } });
    // The first comes again.
    expect(told).toEqual([['additive', 4]]);
  });
});
