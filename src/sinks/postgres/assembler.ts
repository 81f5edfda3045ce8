import type { CapturedMessage, Change, PgRecord, PgText } from '../../model/history/index.ts';
import type { Assembled } from './delivered.ts';
import { tableLabel } from './names.ts';
import { PendingTransaction, type SpillOptions } from './pending-transaction.ts';
import { malformed } from './pgoutput/byte-reader.ts';
import { decodePgoutput } from './pgoutput/decode.ts';
import { type OldRow, type PgoutputMessage, type Relation, type Row, UNCHANGED } from './pgoutput/message.ts';

const SPILL_ABOVE_BYTES = 8 << 20;

export interface AssemblerOptions extends Partial<SpillOptions> {
  /** Whether the stream is of protocol 4. */
  readonly parallel: boolean;
}

/**
 * Puts whole transactions together from pgoutput messages in the order of their arrival, of a connection's beginning.
 *
 * With protocols 2 and 4 several transactions are open at a time, each in blocks; what their savepoints rolled back is
 * left out when they commit.
 */
export class Assembler {
  readonly #parallel: boolean;
  readonly #spill: SpillOptions;
  /** As they were told outside of streamed transactions. */
  readonly #relations = new Map<number, Relation>();
  readonly #streamed = new Map<number, Streamed>();
  #current: (Open & { readonly xid: number }) | undefined;
  #block: (Streamed & { readonly xid: number }) | undefined;

  constructor({ parallel, spillAboveBytes, directory }: AssemblerOptions) {
    this.#parallel = parallel;
    this.#spill = { spillAboveBytes: spillAboveBytes ?? SPILL_ABOVE_BYTES, directory };
  }

  /** Takes one message, of which nothing is kept. @throws PostgresError `malformed` */
  take(bytes: Buffer): Assembled | undefined {
    const streaming = this.#block !== undefined;
    const message = decodePgoutput(bytes, { streaming, parallel: this.#parallel });
    switch (message.kind) {
      case 'begin':
        if (this.#current !== undefined) throw outOfPlace();
        this.#current = { xid: message.xid, pending: new PendingTransaction(this.#spill) };
        return undefined;
      case 'commit': {
        const { xid, pending } = expected(this.#current);
        this.#current = undefined;
        return pending.commit(xid, message.commitLsn, message.endLsn);
      }
      case 'stream-start':
        this.#startBlock(message.xid, message.first);
        return undefined;
      case 'stream-stop':
        expected(this.#block);
        this.#block = undefined;
        return undefined;
      case 'stream-commit':
        return this.#commitStreamed(message);
      case 'stream-abort':
        this.#abortStreamed(message.xid, message.subxid);
        return undefined;
      case 'relation':
        this.#relationsNow().set(message.relation.id, message.relation);
        return undefined;
      case 'message':
        if (message.transactional) this.#addMessage(message, bytes.length);
        else return { kind: 'message', message: { ...captured(message), ordinal: 0 } };
        return undefined;
      case 'insert':
      case 'update':
      case 'delete':
      case 'truncate':
        for (const [change, relation] of this.#changes(message)) {
          this.#add(message.xid, change, bytes.length, relation);
        }
        return undefined;
      case 'origin':
      case 'type':
        return undefined;
    }
  }

  /** Gives back what is kept of transactions that have not ended. */
  discard(): void {
    this.#current?.pending.discard();
    for (const { pending } of this.#streamed.values()) pending.discard();
    this.#streamed.clear();
    this.#current = undefined;
    this.#block = undefined;
  }

  #startBlock(xid: number, first: boolean): void {
    if (this.#block !== undefined || this.#current !== undefined) throw outOfPlace();
    let streamed = this.#streamed.get(xid);
    if (first === (streamed !== undefined)) throw outOfPlace();
    streamed ??= { pending: new PendingTransaction(this.#spill), relations: new Map() };
    this.#streamed.set(xid, streamed);
    this.#block = { ...streamed, xid };
  }

  #commitStreamed({
    xid,
    commitLsn,
    endLsn,
  }: PgoutputMessage & { kind: 'stream-commit' }): Assembled | undefined {
    const { pending, relations } = expected(this.#streamed.get(xid));
    this.#streamed.delete(xid);
    // From here on the server takes what it told inside for told.
    for (const [id, relation] of relations) this.#relations.set(id, relation);
    return pending.commit(xid, commitLsn, endLsn);
  }

  #abortStreamed(xid: number, subxid: number): void {
    const { pending } = expected(this.#streamed.get(xid));
    if (subxid !== xid) {
      pending.rollBack(subxid);
      return;
    }
    pending.discard();
    this.#streamed.delete(xid);
  }

  /** A table may look different inside a transaction that alters it and outside of it. */
  #relationsNow(): Map<number, Relation> {
    return this.#block?.relations ?? this.#relations;
  }

  #relation(id: number): Relation {
    const found = this.#block?.relations.get(id) ?? this.#relations.get(id);
    if (found === undefined) throw malformed('is about a table that was not told');
    return found;
  }

  #changes(message: PgoutputMessage & { kind: Change['op'] }): readonly (readonly [Change, Relation])[] {
    if (message.kind === 'truncate') {
      return message.relations.map((id) => {
        const relation = this.#relation(id);
        const table = tableLabel(relation);
        return [{ op: 'truncate', table, ordinal: 0, record: null, unchanged: [] }, relation];
      });
    }
    const relation = this.#relation(message.relation);
    const { record, unchanged } =
      message.kind === 'delete' ? { record: null, unchanged: [] } : newRow(relation, message.row);
    const old =
      message.kind === 'insert' || message.old === undefined ? {} : { old: oldRow(relation, message.old) };
    const table = tableLabel(relation);
    return [[{ op: message.kind, table, ordinal: 0, record, ...old, unchanged }, relation]];
  }

  #addMessage(message: PgoutputMessage & { kind: 'message' }, size: number): void {
    this.#add(message.xid, captured(message), size);
  }

  #add(
    xid: number | undefined,
    item: Change | CapturedMessage,
    size: number,
    relation?: Relation | undefined,
  ): void {
    const { pending } = expected(this.#block ?? this.#current);
    pending.add({ xid, item }, size, relation);
  }
}

interface Open {
  readonly pending: PendingTransaction;
}

interface Streamed extends Open {
  readonly relations: Map<number, Relation>;
}

function captured({ lsn, prefix, content }: PgoutputMessage & { kind: 'message' }): CapturedMessage {
  return { ordinal: 0, prefix, content: Buffer.from(content).toString('base64'), lsn };
}

function newRow(relation: Relation, row: Row) {
  const told: [string, PgText][] = [];
  const unchanged: string[] = [];
  for (const [index, field] of fieldsOf(relation, row)) {
    const { name } = relation.columns[index]!;
    if (field === UNCHANGED) unchanged.push(name);
    else told.push([name, field]);
  }
  return { record: Object.fromEntries(told) as PgRecord, unchanged };
}

/** A key is told among nulls for the other columns. */
function oldRow(relation: Relation, { kind, row }: OldRow): PgRecord {
  const told: [string, PgText][] = [];
  for (const [index, field] of fieldsOf(relation, row)) {
    const { name, key } = relation.columns[index]!;
    if (field !== UNCHANGED && (kind === 'full' || key)) told.push([name, field]);
  }
  return Object.fromEntries(told);
}

function fieldsOf(relation: Relation, row: Row) {
  if (row.length !== relation.columns.length) throw malformed('has another number of columns than its table');
  return row.entries();
}

function expected<T>(value: T | undefined): T {
  if (value === undefined) throw outOfPlace();
  return value;
}

function outOfPlace() {
  return malformed('comes where it cannot');
}
