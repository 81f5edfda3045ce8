import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Assembler } from '../../../src/sinks/postgres/assembler.ts';
import type { Assembled } from '../../../src/sinks/postgres/delivered.ts';
import type { Delivered, TransactionItem } from '../../../src/sinks/postgres/index.ts';
import { PostgresError } from '../../../src/sinks/postgres/index.ts';
import { Bytes } from './bytes.ts';

/** Messages outside of a streamed block, or inside one when they are given a transaction. */
const begin = (xid: number) => new Bytes('B').uint64(0x10n).uint64(0n).uint32(xid);
const commit = () => new Bytes('C').byte(0).uint64(0x10n).uint64(0x20n).uint64(0n);
const start = (xid: number, first: boolean) => new Bytes('S').uint32(xid).byte(first ? 1 : 0);
const stop = () => new Bytes('E');
const streamCommit = (xid: number) =>
  new Bytes('c').uint32(xid).byte(0).uint64(0x30n).uint64(0x40n).uint64(0n);
const abort = (xid: number, subxid: number) => new Bytes('A').uint32(xid).uint32(subxid);
const relation = (xid: number | undefined, column: string) =>
  tagged('R', xid)
    .uint32(1)
    .zeroEnded('public')
    .zeroEnded('t')
    .letter('d')
    .uint16(1)
    .byte(1)
    .zeroEnded(column)
    .uint32(25)
    .int32(-1);
const insert = (xid: number | undefined, value: string) =>
  tagged('I', xid).uint32(1).letter('N').uint16(1).text(value);
const message = (xid: number | undefined, transactional: boolean, lsn: bigint) =>
  tagged('M', xid)
    .byte(transactional ? 1 : 0)
    .uint64(lsn)
    .zeroEnded('p')
    .blob([1]);

function tagged(tag: string, xid: number | undefined): Bytes {
  const bytes = new Bytes(tag);
  return xid === undefined ? bytes : bytes.uint32(xid);
}

function assemble(messages: readonly Bytes[], spillAboveBytes = 1 << 20): readonly Delivered[] {
  return assembleAny(messages, spillAboveBytes).filter((each) => each.kind !== 'ambiguous');
}

function assembleAny(messages: readonly Bytes[], spillAboveBytes = 1 << 20): readonly Assembled[] {
  const assembler = new Assembler({ parallel: false, spillAboveBytes });
  return messages.map((each) => assembler.take(each.buffer())).filter((each) => each !== undefined);
}

const records = (delivered: Delivered | undefined) =>
  delivered?.kind === 'transaction' ? delivered.transaction.changes.map(({ record }) => record) : undefined;

describe('streamed transactions', () => {
  test('that are told in turns are each put together, by the table as each of them sees it', () => {
    const [second, first, plain] = assemble([
      start(7, true),
      relation(7, 'old'),
      insert(7, 'a'),
      stop(),
      start(8, true),
      relation(8, 'new'),
      insert(8, 'b'),
      stop(),
      start(7, false),
      insert(7, 'c'),
      stop(),
      streamCommit(8),
      start(7, false),
      insert(7, 'd'),
      stop(),
      streamCommit(7),
      begin(9),
      insert(undefined, 'e'),
      commit(),
    ]);
    expect(second).toMatchObject({ transaction: { xid: 8, commit_lsn: 0x30n }, endLsn: 0x40n });
    expect(records(second)).toEqual([{ new: 'b' }]);
    expect(records(first)).toEqual([{ old: 'a' }, { old: 'c' }, { old: 'd' }]);
    expect(records(plain)).toEqual([{ old: 'e' }]);
  });

  test.each([1 << 20, 0])(
    'lose what a savepoint rolled back, and are numbered without it (limit %i)',
    async (limit) => {
      const [delivered, ...rest] = assemble(
        [
          start(7, true),
          relation(7, 'id'),
          insert(7, 'a'),
          insert(8, 'b'),
          stop(),
          abort(7, 8),
          start(7, false),
          insert(9, 'c'),
          message(7, true, 2n),
          stop(),
          streamCommit(7),
        ],
        limit,
      );
      expect(rest).toEqual([]);
      expect(await itemsOf(delivered!)).toMatchObject([
        { ordinal: 0, record: { id: 'a' } },
        { ordinal: 1, record: { id: 'c' } },
        { ordinal: 2, prefix: 'p', lsn: 2n },
      ]);
    },
  );

  test.each([1 << 20, 0])(
    'are not guessed at when a message may have been rolled back (limit %i)',
    (limit) => {
      const told = [start(7, true), relation(7, 'id'), insert(8, 'a'), message(7, true, 1n), stop()];
      expect(assembleAny([...told, abort(7, 8), streamCommit(7)], limit)).toEqual([
        { kind: 'ambiguous', commit_lsn: 0x30n },
      ]);
      expect(assembleAny([...told, abort(7, 7)], limit)).toEqual([]);
    },
  );

  test.each([1 << 20, 0])('of which nothing is left are not delivered (limit %i)', (limit) => {
    const none = assemble(
      [
        start(7, true),
        relation(7, 'id'),
        insert(8, 'a'),
        stop(),
        abort(7, 8),
        streamCommit(7),
        start(9, true),
        insert(9, 'b'),
        stop(),
        abort(9, 9),
        start(10, true),
        stop(),
        streamCommit(10),
      ],
      limit,
    );
    expect(none).toEqual([]);
  });

  test('let a message of no transaction through between their blocks', () => {
    const delivered = assemble([
      start(7, true),
      relation(7, 'id'),
      insert(7, 'a'),
      stop(),
      message(undefined, false, 0x30n),
      streamCommit(7),
    ]);
    expect(delivered.map(({ kind }) => kind)).toEqual(['message', 'transaction']);
  });
});

describe('a spilled transaction', () => {
  const spilled = () => {
    const many = Array.from({ length: 5_000 }, (_, index) => insert(undefined, `é ${index}\n`));
    const [delivered] = assemble([begin(7), relation(undefined, 'id'), ...many, commit()], 1 << 16);
    if (delivered?.kind !== 'spilled') throw new Error('it was not spilled');
    return delivered.transaction;
  };

  test('is read once, lazily, and holds what was told', async () => {
    const transaction = spilled();
    let count = 0;
    for await (const item of transaction.items()) {
      if (!('record' in item) || item.ordinal !== count || item.record?.id !== `é ${count}\n`) break;
      count += 1;
    }
    expect(count).toBe(5_000);
    expect(() => transaction.items()).toThrow('once');
  });

  test('that was given up is not read', async () => {
    const transaction = spilled();
    transaction.discard();
    await expect(transaction.items()[Symbol.asyncIterator]().next()).rejects.toThrow('given up');
    const half = spilled();
    for await (const _ of half.items()) break;
    half.discard();
  });
});

test('messages in any order are put together or malformed, never anything else', () => {
  const any = fc.constantFrom(
    begin(7),
    commit(),
    start(7, true),
    start(7, false),
    start(8, true),
    stop(),
    streamCommit(7),
    streamCommit(8),
    abort(7, 7),
    abort(7, 9),
    relation(undefined, 'id'),
    relation(7, 'id'),
    insert(undefined, 'a'),
    insert(7, 'a'),
    message(undefined, true, 1n),
    message(undefined, false, 1n),
    message(7, true, 1n),
  );
  fc.assert(
    fc.property(fc.array(any, { maxLength: 30 }), (messages) => {
      const assembler = new Assembler({ parallel: false });
      for (const each of messages) {
        try {
          assembler.take(each.buffer());
        } catch (error) {
          expect(error).toBeInstanceOf(PostgresError);
        }
      }
      assembler.discard();
    }),
    { numRuns: 2_000 },
  );
});

async function itemsOf(delivered: Delivered): Promise<readonly TransactionItem[]> {
  if (delivered.kind === 'message') throw new Error('a message came');
  if (delivered.kind === 'transaction') {
    const { changes, messages } = delivered.transaction;
    return [...changes, ...messages].toSorted((left, right) => left.ordinal - right.ordinal);
  }
  const items: TransactionItem[] = [];
  for await (const item of delivered.transaction.items()) items.push(item);
  return items;
}
