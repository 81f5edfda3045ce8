import pg from 'pg';
import {
  type Applied,
  type CapturedTransaction,
  type Change,
  DELIVERY_MODES,
  type DeliveryMode,
  type Greeting,
  guarantees,
  type Lsn,
  messageToken,
  type PgRecord,
  type RelationChange,
  type Sink,
  type SinkEffect,
  SinkHalt,
  type SinkSetting,
  type SinkUnderTest,
  type SnapshotChunk,
  type SnapshotEnd,
  type SpilledDelivery,
  type StandaloneMessage,
  type TransactionItem,
} from 'tidemark/sinks';
import { quoted, Sql, type Statement } from './sql.ts';
import { createTable, STATE, setUp, statementsOf, upsert } from './statements.ts';

/**
 * A sink that writes to PostgreSQL, rows and checkpoint in one transaction: effect-once. It runs under a checkpoint of
 * the library's too, where it is at-least-once.
 */
export const sink: SinkUnderTest = {
  name: 'postgres',
  modes: DELIVERY_MODES,
  takesMessages: true,
  async prepare(setting) {
    const client = await connect(setting.postgresUrl);
    for (const text of setUp) await client.query(text);
    return {
      open: async () => new PostgresSink(await connect(setting.postgresUrl), setting),
      async ledger() {
        const { rows } = await client.query(
          `SELECT effect, token, transaction FROM ${STATE}.ledger ORDER BY place`,
        );
        return rows as SinkEffect[];
      },
      dump: () => dump(client),
      [Symbol.asyncDispose]: () => client.end(),
    };
  },
};

/** Values as PostgreSQL writes them, whatever the server's defaults are. */
async function connect(url: string): Promise<pg.Client> {
  const types = { getTypeParser: () => (text: string) => text };
  const client = new pg.Client({ connectionString: url, types } as pg.ClientConfig);
  // A connection that breaks shows at the next statement.
  client.on('error', () => {});
  await client.connect();
  await client.query(
    `SET datestyle = 'ISO, MDY'; SET timezone = 'UTC'; SET bytea_output = hex; SET extra_float_digits = 1`,
  );
  return client;
}

async function dump(client: pg.Client): Promise<ReadonlyMap<string, readonly PgRecord[]>> {
  const tables = await client.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`);
  const found = new Map<string, readonly PgRecord[]>();
  for (const { name } of tables.rows)
    found.set(name, (await client.query(`SELECT * FROM ${quoted(name)}`)).rows);
  return found;
}

class PostgresSink implements Sink {
  readonly #client: pg.Client;
  readonly #setting: SinkSetting;
  readonly #keys = new Map<string, readonly string[]>();
  #mode: DeliveryMode = 'transaction';

  constructor(client: pg.Client, setting: SinkSetting) {
    this.#client = client;
    this.#setting = setting;
  }

  async hello({ mode, relations }: Greeting): Promise<void> {
    this.#mode = mode;
    for (const relation of relations) {
      this.#keys.set(relation.table, relation.key);
      for (const text of createTable(relation)) await this.#run({ text, values: [] });
    }
  }

  async checkpoint(): Promise<Lsn | undefined> {
    return (await this.#state()).lsn;
  }

  transaction(transaction: CapturedTransaction): Promise<Applied> {
    return this.batch([transaction]);
  }

  async batch(transactions: readonly CapturedTransaction[]): Promise<Applied> {
    return this.#apply(transactions.at(-1)!.commit_lsn, async (done) => {
      for (const { commit_lsn, changes, messages } of transactions) {
        if (commit_lsn <= done) continue;
        for (const item of changes) await this.#write(item);
        for (const item of messages) await this.#write(item);
      }
    });
  }

  async spilled({ commit_lsn, items }: SpilledDelivery): Promise<Applied> {
    return this.#apply(commit_lsn, async (done) => {
      if (commit_lsn <= done) return;
      for await (const item of items()) await this.#write(item);
    });
  }

  async message(message: StandaloneMessage): Promise<void> {
    await this.#write(message);
  }

  async snapshotProgress(): Promise<number> {
    return (await this.#state()).chunks;
  }

  async snapshotChunk({ index, table, rows }: SnapshotChunk): Promise<void> {
    await this.#atomically(async () => {
      const { chunks } = await this.#state();
      if (this.#isMine && index < chunks) return;
      for (const record of rows) await this.#run(upsert(table, this.#key(table), record));
      await this.#setting.failPoint('before-checkpoint');
      await this.#advance('chunks', `${index + 1}`);
    });
  }

  async snapshotComplete({ kind, snapshotLsn }: SnapshotEnd): Promise<void> {
    // The next transaction may carry exactly the snapshot's position.
    if (kind === 'initial') await this.#advance('lsn', `${snapshotLsn - 1n}`);
  }

  async schemaChange({ kind, table, added }: RelationChange): Promise<void> {
    if (kind === 'destructive') throw new SinkHalt('schema-change', table);
    for (const { name, type } of added) {
      const text = `ALTER TABLE ${quoted(table)} ADD COLUMN IF NOT EXISTS ${quoted(name)} ${type}`;
      await this.#run({ text, values: [] });
    }
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  async kill(): Promise<void> {
    (this.#client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }

  /** Whether the checkpoint is this sink's to keep, so that it skips what comes again. */
  get #isMine(): boolean {
    return guarantees[this.#mode].checkpoint === 'sink';
  }

  /** Rows and checkpoint in one transaction. `write` is given how far the checkpoint is. */
  async #apply(lsn: Lsn, write: (done: Lsn) => Promise<void>): Promise<Applied> {
    return this.#atomically(async () => {
      const done = this.#isMine ? ((await this.#state()).lsn ?? 0n) : 0n;
      await write(done);
      await this.#setting.failPoint('before-checkpoint');
      if (this.#isMine) await this.#advance('lsn', `${lsn}`);
      return { lsn: lsn > done ? lsn : done };
    });
  }

  async #atomically<T>(work: () => Promise<T>): Promise<T> {
    await this.#run({ text: 'BEGIN', values: [] });
    try {
      const result = await work();
      await this.#run({ text: 'COMMIT', values: [] });
      return result;
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  }

  async #state(): Promise<{ readonly lsn: Lsn | undefined; readonly chunks: number }> {
    const [row] = await this.#run({ text: `SELECT lsn, chunks FROM ${STATE}.checkpoint`, values: [] });
    return { lsn: row?.lsn == null ? undefined : BigInt(row.lsn), chunks: Number(row?.chunks) };
  }

  /** What comes again never takes the checkpoint back. */
  async #advance(column: 'lsn' | 'chunks', value: string): Promise<void> {
    const text = `UPDATE ${STATE}.checkpoint SET ${column} = greatest(${column}, $1)`;
    await this.#run({ text, values: [value] });
  }

  #key(table: string): readonly string[] {
    const key = this.#keys.get(table);
    if (key === undefined) throw new SinkHalt('unsupported');
    return key;
  }

  async #write(item: TransactionItem): Promise<void> {
    for (const statement of 'op' in item ? this.#statements(item) : [noteMessage(item)])
      await this.#run(statement);
  }

  #statements(change: Change): readonly Statement[] {
    return statementsOf(change, this.#key(change.table));
  }

  /** The server's own errors quote rows: only its code is passed on. */
  async #run({ text, values }: Statement): Promise<readonly PgRecord[]> {
    try {
      return (await this.#client.query<Record<string, string | null>>(text, [...values])).rows;
    } catch (error) {
      throw new WriteFailed((error as { code?: unknown }).code);
    }
  }
}

/** A statement failed. Says the SQLSTATE and nothing of what was written. */
class WriteFailed extends Error {
  override readonly name = 'WriteFailed';

  constructor(code: unknown) {
    super(typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? `SQLSTATE ${code}` : 'no connection');
  }
}

function noteMessage({ content }: { readonly content: string }): Statement {
  const sql = new Sql();
  const token = sql.value(messageToken(content) ?? null);
  return sql.statement(`INSERT INTO ${STATE}.ledger (effect, token) VALUES ('message', ${token})`);
}
