import {
  type CapturedMessage,
  type CapturedTransaction,
  type Change,
  DELIVERY_MODES,
  type DeliveryMode,
  guarantees,
  keyText,
  type Lsn,
  messageToken,
  type PgRecord,
} from '../../../src/model/history/index.ts';
import { SinkHalt } from '../../../src/sinks/halt.ts';
import type {
  Applied,
  Sink,
  SinkEffect,
  SinkRelation,
  SinkSetting,
  SinkUnderTest,
} from '../../../src/sinks/sink.ts';

/** What a sink may do wrong. */
export type Wrong =
  | 'checkpoint-apart'
  | 'no-fail-point'
  | 'checkpoint-goes-back'
  | 'replies-before-it-applies'
  | 'shared-watermark'
  | 'inserts'
  | 'deletes-and-inserts'
  | 'overwrites-toast'
  | 'leaks'
  | 'logs-rows'
  | 'ignores-checkpoint'
  | 'ignores-chunk-progress'
  | 'snapshot-moves-checkpoint'
  | 'goes-on';

/** What is durable: it outlives incarnations. */
class Store {
  tables = new Map<string, Map<string, PgRecord>>();
  ledger: SinkEffect[] = [];
  checkpoint: Lsn | undefined;
  chunks = 0;
  transactions = 0;
}

/** A sink in memory that keeps every promise, or breaks one. */
export function memorySink(wrong?: Wrong): SinkUnderTest {
  return {
    name: wrong === undefined ? 'memory' : `memory, ${wrong}`,
    modes: DELIVERY_MODES,
    takesMessages: true,
    async prepare(setting) {
      const store = new Store();
      return {
        open: async () => new MemorySink(store, setting, wrong),
        ledger: async () => store.ledger,
        dump: async () => new Map([...store.tables].map(([name, rows]) => [name, [...rows.values()]])),
        async [Symbol.asyncDispose]() {},
      };
    },
  };
}

class MemorySink implements Sink {
  readonly #store: Store;
  readonly #setting: SinkSetting;
  readonly #wrong: Wrong | undefined;
  #relations = new Map<string, SinkRelation>();
  #mode: DeliveryMode = 'transaction';
  /** What was answered for and is not applied yet, by the sink that answers first. */
  #late: CapturedTransaction | undefined;
  #watermark: Lsn = 0n;

  constructor(store: Store, setting: SinkSetting, wrong: Wrong | undefined) {
    this.#store = store;
    this.#setting = setting;
    this.#wrong = wrong;
  }

  async hello({ mode, relations }: Parameters<Sink['hello']>[0]): Promise<void> {
    this.#mode = mode;
    this.#relations = new Map(relations.map((relation) => [relation.table, relation]));
    for (const { table } of relations) {
      if (!this.#store.tables.has(table)) this.#store.tables.set(table, new Map());
    }
  }

  async checkpoint(): Promise<Lsn | undefined> {
    return this.#store.checkpoint;
  }

  transaction(transaction: CapturedTransaction): Promise<Applied> {
    return this.batch([transaction]);
  }

  async batch(transactions: readonly CapturedTransaction[]): Promise<Applied> {
    const lsn = transactions.at(-1)!.commit_lsn;
    if (this.#wrong === 'replies-before-it-applies') {
      const before = this.#late;
      this.#late = transactions[0];
      if (before !== undefined) await this.#apply([before]);
      return { lsn };
    }
    await this.#apply(transactions);
    return { lsn };
  }

  async spilled({ commit_lsn, xid, items }: Parameters<NonNullable<Sink['spilled']>>[0]): Promise<Applied> {
    const changes: Change[] = [];
    const messages: CapturedMessage[] = [];
    for await (const item of items()) {
      if ('op' in item) changes.push(item);
      else messages.push(item);
    }
    return this.transaction({ commit_lsn, xid, changes, messages });
  }

  async message({ content, lsn }: Parameters<NonNullable<Sink['message']>>[0]): Promise<void> {
    if (this.#wrong === 'shared-watermark') {
      if (lsn <= this.#watermark) return;
      this.#watermark = lsn;
    }
    this.#tell(content, `m${this.#store.transactions++}`);
  }

  async snapshotProgress(): Promise<number> {
    return this.#store.chunks;
  }

  async snapshotChunk({
    index,
    table,
    rows,
  }: Parameters<NonNullable<Sink['snapshotChunk']>>[0]): Promise<void> {
    const { checkpoint } = guarantees[this.#mode];
    if (checkpoint === 'sink' && index < this.#store.chunks && this.#wrong !== 'ignores-chunk-progress')
      return;
    const transaction = `c${this.#store.transactions++}`;
    await this.#atOnce(() => {
      for (const record of rows) this.#write(table, record, keyText(record, this.#key(table)), transaction);
    });
    this.#store.chunks = index + 1;
  }

  async snapshotComplete({
    kind,
    snapshotLsn,
  }: Parameters<NonNullable<Sink['snapshotComplete']>>[0]): Promise<void> {
    const moves = kind === 'initial' || this.#wrong === 'snapshot-moves-checkpoint';
    if (moves) this.#store.checkpoint = snapshotLsn - 1n;
  }

  async schemaChange({ kind, table, added }: Parameters<Sink['schemaChange']>[0]): Promise<void> {
    if (kind === 'destructive') {
      if (this.#wrong === 'goes-on') return;
      throw new SinkHalt('schema-change', table);
    }
    const relation = this.#relations.get(table)!;
    this.#relations.set(table, { ...relation, columns: [...relation.columns, ...added] });
  }

  async close(): Promise<void> {
    if (this.#late !== undefined) await this.#apply([this.#late]);
    this.#late = undefined;
  }

  async kill(): Promise<void> {
    this.#late = undefined;
  }

  async #apply(transactions: readonly CapturedTransaction[]): Promise<void> {
    const store = this.#store;
    const isOwn = guarantees[this.#mode].checkpoint === 'sink';
    const skips = isOwn && this.#wrong !== 'ignores-checkpoint';
    const transaction = `t${store.transactions++}`;
    await this.#atOnce(() => {
      for (const { commit_lsn, changes, messages } of transactions) {
        if (skips && commit_lsn <= (store.checkpoint ?? 0n)) continue;
        if (this.#wrong === 'shared-watermark') {
          if (commit_lsn <= this.#watermark) continue;
          this.#watermark = commit_lsn;
        }
        for (const change of changes) this.#change(change, transaction);
        for (const { content } of messages) this.#tell(content, transaction);
      }
    });
    const { commit_lsn } = transactions.at(-1)!;
    // What comes again must not take it back.
    const goesBack = this.#wrong === 'checkpoint-goes-back';
    if (goesBack || commit_lsn > (store.checkpoint ?? 0n)) store.checkpoint = commit_lsn;
  }

  /** All or nothing: the checkpoint and the rows are one. */
  async #atOnce(write: () => void): Promise<void> {
    const { tables, ledger } = this.#store;
    // Rows themselves never change.
    const rowsOf = [...tables].map(([table, rows]) => [table, new Map(rows)] as const);
    const before = { tables: new Map(rowsOf), ledger: [...ledger] };
    try {
      write();
      if (this.#wrong !== 'no-fail-point') await this.#setting.failPoint('before-checkpoint');
    } catch (error) {
      if (this.#wrong !== 'checkpoint-apart') Object.assign(this.#store, before);
      throw error;
    }
  }

  #key(table: string): readonly string[] {
    return this.#relations.get(table)!.key;
  }

  #change({ op, table, record, old, unchanged }: Change, transaction: string): void {
    const rows = this.#store.tables.get(table)!;
    const key = this.#key(table);
    if (op === 'truncate') {
      rows.clear();
      return;
    }
    if (this.#wrong === 'logs-rows') this.#setting.log(`changed ${JSON.stringify(record ?? old)}`);
    const from = keyText(old ?? record!, key);
    if (record === null) {
      const row = rows.get(from);
      if (row !== undefined) this.#effect('delete', row.token!, transaction);
      rows.delete(from);
      return;
    }
    const to = keyText(record, key);
    if (op === 'insert' && rows.has(to)) {
      if (this.#wrong === 'inserts') throw new Error('a row of this key is there');
      if (this.#wrong === 'leaks') throw new Error(`a row of the token ${record.token} is there`);
    }
    const row = op === 'update' ? rows.get(from) : undefined;
    const isMoved = from !== to;
    if (isMoved) rows.delete(from);
    const forgets = isMoved && this.#wrong === 'deletes-and-inserts';
    const kept = unchanged.map((name): [string, string | null] => {
      const isLost = forgets || this.#wrong === 'overwrites-toast';
      return [name, isLost ? null : (row?.[name] ?? null)];
    });
    this.#write(table, { ...record, ...Object.fromEntries(kept) }, to, transaction);
  }

  #write(table: string, row: PgRecord, key: string, transaction: string): void {
    this.#store.tables.get(table)!.set(key, row);
    this.#effect('write', row.token!, transaction);
  }

  #tell(content: string, transaction: string): void {
    this.#effect('message', messageToken(content) ?? '', transaction);
  }

  #effect(effect: SinkEffect['effect'], token: string, transaction: string): void {
    this.#store.ledger.push({ effect, token, transaction });
  }
}
