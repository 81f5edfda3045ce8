import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PostgresError } from '../../../src/sinks/postgres/error.ts';
import { decodePgoutput } from '../../../src/sinks/postgres/pgoutput/decode.ts';
import { UNCHANGED } from '../../../src/sinks/postgres/pgoutput/message.ts';
import { decodeServerMessage, encodeStatus } from '../../../src/sinks/postgres/replication-messages.ts';
import { Bytes } from './bytes.ts';

const plain = { streaming: false, parallel: false };
const inBlock = { streaming: true, parallel: false };

/** One message of each kind, in its bytes outside of a streamed block. */
const MESSAGES = {
  begin: new Bytes('B').uint64(0x10n).uint64(0n).uint32(7),
  commit: new Bytes('C').byte(0).uint64(0x10n).uint64(0x20n).uint64(0n),
  origin: new Bytes('O').uint64(0n).zeroEnded('elsewhere'),
  relation: new Bytes('R')
    .uint32(16_384)
    .zeroEnded('public')
    .zeroEnded('Üser "x"')
    .letter('d')
    .uint16(2)
    .byte(1)
    .zeroEnded('id')
    .uint32(23)
    .int32(-1)
    .byte(0)
    .zeroEnded('select')
    .uint32(25)
    .int32(-1),
  type: new Bytes('Y').uint32(1).zeroEnded('public').zeroEnded('mood'),
  insert: new Bytes('I').uint32(16_384).letter('N').uint16(2).text('1').letter('n'),
  update: new Bytes('U').uint32(16_384).letter('N').uint16(2).text('1').letter('u'),
  'update with key': new Bytes('U').uint32(1).letter('K').uint16(1).text('1').letter('N').uint16(1).text('2'),
  'update with row': new Bytes('U').uint32(1).letter('O').uint16(1).text('1').letter('N').uint16(1).text('2'),
  delete: new Bytes('D').uint32(16_384).letter('K').uint16(2).text('1').letter('n'),
  truncate: new Bytes('T').uint32(2).byte(3).uint32(1).uint32(2),
  message: new Bytes('M').byte(0).uint64(0x30n).zeroEnded('prefix').blob([0, 255, 1]),
  'stream start': new Bytes('S').uint32(9).byte(1),
  'stream stop': new Bytes('E'),
  'stream commit': new Bytes('c').uint32(9).byte(0).uint64(0x10n).uint64(0x20n).uint64(0n),
  'stream abort': new Bytes('A').uint32(9).uint32(10),
};

describe('a pgoutput message', () => {
  test('is read as the protocol lays it out', () => {
    const read = (name: keyof typeof MESSAGES) => decodePgoutput(MESSAGES[name].buffer(), plain);
    expect(read('begin')).toEqual({ kind: 'begin', commitLsn: 0x10n, xid: 7 });
    expect(read('commit')).toEqual({ kind: 'commit', commitLsn: 0x10n, endLsn: 0x20n });
    expect(read('relation')).toEqual({
      kind: 'relation',
      relation: {
        id: 16_384,
        schema: 'public',
        name: 'Üser "x"',
        identity: 'default',
        columns: [
          { name: 'id', key: true, type: 23, modifier: -1 },
          { name: 'select', key: false, type: 25, modifier: -1 },
        ],
      },
    });
    expect(read('insert')).toMatchObject({ kind: 'insert', relation: 16_384, row: ['1', null] });
    expect(read('update')).toMatchObject({ kind: 'update', old: undefined, row: ['1', UNCHANGED] });
    expect(read('update with key')).toMatchObject({ old: { kind: 'key', row: ['1'] }, row: ['2'] });
    expect(read('update with row')).toMatchObject({ old: { kind: 'full', row: ['1'] }, row: ['2'] });
    expect(read('delete')).toMatchObject({ kind: 'delete', old: { kind: 'key', row: ['1', null] } });
    expect(read('truncate')).toMatchObject({ relations: [1, 2], cascade: true, restartIdentity: true });
    expect(read('message')).toMatchObject({ transactional: false, lsn: 0x30n, prefix: 'prefix' });
    expect(read('stream start')).toEqual({ kind: 'stream-start', xid: 9, first: true });
    expect(read('stream abort')).toEqual({ kind: 'stream-abort', xid: 9, subxid: 10 });
    expect(read('origin')).toEqual({ kind: 'origin' });
    expect(read('type')).toEqual({ kind: 'type' });
  });

  test('tells its transaction inside a streamed block only, and the abort of protocol 4 its place', () => {
    const insert = new Bytes('I').uint32(77).uint32(16_384).letter('N').uint16(1).text('1').buffer();
    expect(decodePgoutput(insert, inBlock)).toMatchObject({ xid: 77, relation: 16_384, row: ['1'] });
    expect(() => decodePgoutput(insert, plain)).toThrow(PostgresError);
    const abort = new Bytes('A').uint32(9).uint32(10).uint64(1n).uint64(2n).buffer();
    expect(decodePgoutput(abort, { streaming: false, parallel: true })).toMatchObject({ subxid: 10 });
    expect(() => decodePgoutput(abort, plain)).toThrow(PostgresError);
  });

  test('keeps nothing of a buffer that the driver uses again', () => {
    const bytes = MESSAGES.message.buffer();
    const message = decodePgoutput(bytes, plain);
    bytes.fill(0x2a);
    expect(message).toMatchObject({ prefix: 'prefix', content: new Uint8Array([0, 255, 1]) });
  });

  test.each(Object.entries(MESSAGES))('%s, cut short or too long, is malformed', (_, bytes) => {
    const whole = bytes.buffer();
    for (let length = 0; length < whole.length; length++) {
      expect(problemOf(whole.subarray(0, length), plain)).toBe('malformed');
    }
    expect(problemOf(Buffer.concat([whole, Buffer.of(0)]), plain)).toBe('malformed');
  });

  test('of any bytes is read or malformed, and its error says nothing of them', () => {
    const tags = fc.constantFrom(...'BCORYIUDTMSEcAbPKrp\0');
    const anything = fc.tuple(tags, fc.uint8Array({ maxLength: 200 }), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(anything, ([tag, rest, streaming, parallel]) => {
        const bytes = Buffer.concat([Buffer.from(tag), rest]);
        expect([undefined, 'malformed']).toContain(problemOf(bytes, { streaming, parallel }));
      }),
      { numRuns: 5_000 },
    );
    const secret = new Bytes('I').uint32(1).letter('N').uint16(9).text('hunter2').buffer();
    expect(() => decodePgoutput(secret, plain)).toThrow(/^(?!.*hunter2)/);
  });

  test('that claims more columns or tables than there are ends at once', () => {
    const many = new Bytes('T').uint32(0xffff_ffff).byte(0).uint32(1).buffer();
    expect(problemOf(many, plain)).toBe('malformed');
    const long = new Bytes('I').uint32(1).letter('N').uint16(1).letter('t').uint32(0xffff_ffff).buffer();
    expect(problemOf(long, plain)).toBe('malformed');
  });
});

describe('the envelope of the walsender', () => {
  test('is opened, and a broken one is malformed', () => {
    const data = new Bytes('w').uint64(1n).uint64(2n).uint64(3n).letter('E').buffer();
    expect(decodeServerMessage(data)).toMatchObject({ kind: 'data', payload: Buffer.from('E') });
    const keepalive = new Bytes('k').uint64(1n).uint64(2n).byte(1).buffer();
    expect(decodeServerMessage(keepalive)).toEqual({ kind: 'keepalive', replyNow: true });
    for (const broken of [Buffer.alloc(0), keepalive.subarray(1), data.subarray(0, 20), Buffer.from('x')]) {
      expect(() => decodeServerMessage(broken)).toThrow(PostgresError);
    }
  });

  test('answers with exactly the position that was acknowledged, three times', () => {
    const status = encodeStatus(0x1_2345_6789n);
    expect(status).toHaveLength(34);
    expect(status.toString('latin1', 0, 1)).toBe('r');
    for (const at of [1, 9, 17]) expect(status.readBigUInt64BE(at)).toBe(0x1_2345_6789n);
    expect(status[33]).toBe(0);
  });
});

function problemOf(bytes: Buffer, context: { streaming: boolean; parallel: boolean }): string | undefined {
  try {
    decodePgoutput(bytes, context);
    return undefined;
  } catch (error) {
    return error instanceof PostgresError ? error.code : 'crash';
  }
}
