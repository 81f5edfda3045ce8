import { ByteReader, malformed } from './byte-reader.ts';
import {
  type Field,
  type OldRow,
  type PgoutputMessage,
  type Relation,
  type RelationColumn,
  type ReplicaIdentity,
  type Row,
  UNCHANGED,
} from './message.ts';

/** What a message's form depends on besides its first byte. */
export interface DecodeContext {
  /** Between Stream Start and Stream Stop, where every message tells its transaction. */
  readonly streaming: boolean;
  /** Of protocol 4 with `streaming` `parallel`, where Stream Abort tells more. */
  readonly parallel: boolean;
}

/** Decodes one message. Nothing of `bytes` is kept. @throws PostgresError `malformed` */
export function decodePgoutput(bytes: Buffer, { streaming, parallel }: DecodeContext): PgoutputMessage {
  const reader = new ByteReader(bytes);
  const tag = reader.letter();
  const read = FORMS[tag];
  if (read === undefined) throw malformed('is of an unknown kind');
  if (streaming && OUTSIDE.has(tag)) throw malformed('is of a kind that cannot be streamed');
  const xid = streaming && TELLS_TRANSACTION.has(tag) ? reader.uint32() : undefined;
  const message = read(reader, xid, parallel);
  reader.end();
  return message;
}

const TELLS_TRANSACTION = new Set(['R', 'Y', 'I', 'U', 'D', 'T', 'M']);
const OUTSIDE = new Set(['B', 'C', 'S', 'c', 'A']);

type Form = (reader: ByteReader, xid: number | undefined, parallel: boolean) => PgoutputMessage;

const FORMS: Readonly<Record<string, Form>> = {
  B(reader) {
    const commitLsn = reader.uint64();
    reader.uint64(); // the time
    return { kind: 'begin', commitLsn, xid: reader.uint32() };
  },
  C(reader) {
    return { kind: 'commit', ...committed(reader) };
  },
  O(reader) {
    reader.uint64();
    reader.zeroEnded();
    return { kind: 'origin' };
  },
  R(reader) {
    return { kind: 'relation', relation: relation(reader) };
  },
  Y(reader) {
    reader.uint32();
    reader.zeroEnded();
    reader.zeroEnded();
    return { kind: 'type' };
  },
  I(reader, xid) {
    const id = reader.uint32();
    expect(reader, 'N');
    return { kind: 'insert', xid, relation: id, row: row(reader) };
  },
  U(reader, xid) {
    const id = reader.uint32();
    const part = reader.letter();
    if (part === 'N') return { kind: 'update', xid, relation: id, old: undefined, row: row(reader) };
    const old = oldRow(reader, part);
    expect(reader, 'N');
    return { kind: 'update', xid, relation: id, old, row: row(reader) };
  },
  D(reader, xid) {
    const id = reader.uint32();
    return { kind: 'delete', xid, relation: id, old: oldRow(reader, reader.letter()) };
  },
  T(reader, xid) {
    const count = reader.uint32();
    const options = reader.byte();
    const relations: number[] = [];
    for (let index = 0; index < count; index++) relations.push(reader.uint32());
    return {
      kind: 'truncate',
      xid,
      relations,
      cascade: (options & 1) !== 0,
      restartIdentity: (options & 2) !== 0,
    };
  },
  M(reader, xid) {
    const transactional = (reader.byte() & 1) !== 0;
    const lsn = reader.uint64();
    const prefix = reader.zeroEnded();
    return { kind: 'message', xid, transactional, lsn, prefix, content: reader.blob() };
  },
  S(reader) {
    const xid = reader.uint32();
    return { kind: 'stream-start', xid, first: reader.byte() === 1 };
  },
  E() {
    return { kind: 'stream-stop' };
  },
  c(reader) {
    const xid = reader.uint32();
    return { kind: 'stream-commit', xid, ...committed(reader) };
  },
  A(reader, _, parallel) {
    const xid = reader.uint32();
    const subxid = reader.uint32();
    if (parallel) {
      reader.uint64(); // the position and the time of the abort
      reader.uint64();
    }
    return { kind: 'stream-abort', xid, subxid };
  },
};

function committed(reader: ByteReader) {
  reader.byte(); // flags, unused
  const commitLsn = reader.uint64();
  const endLsn = reader.uint64();
  reader.uint64(); // the time
  return { commitLsn, endLsn };
}

const IDENTITIES: Readonly<Record<string, ReplicaIdentity>> = {
  d: 'default',
  n: 'nothing',
  f: 'full',
  i: 'index',
};

function relation(reader: ByteReader): Relation {
  const id = reader.uint32();
  // The system's own schema is told as nothing.
  const schema = reader.zeroEnded() || 'pg_catalog';
  const name = reader.zeroEnded();
  const identity = IDENTITIES[reader.letter()];
  if (identity === undefined) throw malformed('tells an unknown replica identity');
  const count = reader.uint16();
  const columns: RelationColumn[] = [];
  for (let index = 0; index < count; index++) {
    const key = (reader.byte() & 1) !== 0;
    columns.push({ name: reader.zeroEnded(), key, type: reader.uint32(), modifier: reader.int32() });
  }
  return { id, schema, name, identity, columns };
}

function oldRow(reader: ByteReader, part: string): OldRow {
  if (part === 'K') return { kind: 'key', row: row(reader) };
  if (part === 'O') return { kind: 'full', row: row(reader) };
  throw malformed('lacks a row');
}

function expect(reader: ByteReader, part: string): void {
  if (reader.letter() !== part) throw malformed('lacks a row');
}

function row(reader: ByteReader): Row {
  const count = reader.uint16();
  const fields: Field[] = [];
  for (let index = 0; index < count; index++) {
    const form = reader.letter();
    if (form === 't') fields.push(reader.text());
    else if (form === 'n') fields.push(null);
    else if (form === 'u') fields.push(UNCHANGED);
    else throw malformed('tells a value in a form that was not asked for');
  }
  return fields;
}
