import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Applied,
  type CapturedTransaction,
  messageToken,
  type PgRecord,
  type RelationChange,
  type Sink,
  type SinkEffect,
  SinkHalt,
  type SinkRelation,
  type SinkUnderTest,
  type SnapshotChunk,
  type SpilledDelivery,
  type StandaloneMessage,
  TOKEN_COLUMN,
  type TransactionItem,
} from 'tidemark/sinks';

/**
 * A sink that appends what it is given to a file, one line for each transaction, batch, message or chunk. It keeps no
 * checkpoint: the library does, after each answer. What comes again is appended again, and so its guarantee is
 * at-least-once.
 */
export const sink: SinkUnderTest = {
  name: 'append-file',
  modes: [
    'library',
    'library-batch',
    'message',
    'library-transactional-message',
    'library-initial-snapshot',
    'library-incremental-snapshot',
    'library-spilled',
  ],
  takesMessages: true,
  async prepare({ directory }) {
    const path = join(directory, 'changes.ndjson');
    return {
      open: () => openAppendFile(path),
      ledger: async () => (await replay(path)).ledger,
      dump: async () => (await replay(path)).tables,
      [Symbol.asyncDispose]: async () => {},
    };
  },
};

/** One line. `keys`: the columns that tell the rows of each table apart, as they were then. */
interface Line {
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly items: readonly LineItem[];
}

type LineItem =
  | Pick<Extract<TransactionItem, { op: string }>, 'op' | 'table' | 'record' | 'old' | 'unchanged'>
  | { readonly content: string };

async function openAppendFile(path: string): Promise<AppendFile> {
  const file = await open(path, 'a');
  // A line that was cut off by a crash never counted.
  const text = await readFile(path, 'utf8');
  const end = Buffer.byteLength(text.slice(0, text.lastIndexOf('\n') + 1));
  await truncate(path, end);
  return new AppendFile(file);
}

class AppendFile implements Sink {
  readonly #file: FileHandle;
  #relations: readonly SinkRelation[] = [];

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async hello({ relations }: { readonly relations: readonly SinkRelation[] }): Promise<void> {
    this.#relations = relations;
  }

  transaction(transaction: CapturedTransaction): Promise<Applied> {
    return this.batch([transaction]);
  }

  async batch(transactions: readonly CapturedTransaction[]): Promise<Applied> {
    await this.#append(
      transactions.flatMap(({ changes, messages }) =>
        [...changes, ...messages].sort((one, other) => one.ordinal - other.ordinal),
      ),
    );
    return { lsn: transactions.at(-1)!.commit_lsn };
  }

  async spilled({ commit_lsn, items }: SpilledDelivery): Promise<Applied> {
    // A sink for which this is too much writes as it reads, and a last line that makes it count.
    const all: TransactionItem[] = [];
    for await (const item of items()) all.push(item);
    await this.#append(all);
    return { lsn: commit_lsn };
  }

  message(message: StandaloneMessage): Promise<void> {
    return this.#append([message]);
  }

  snapshotChunk({ table, rows }: SnapshotChunk): Promise<void> {
    return this.#append(rows.map((record) => ({ op: 'insert', table, record, unchanged: [] })));
  }

  async snapshotComplete(): Promise<void> {}

  async schemaChange({ kind, table }: RelationChange): Promise<void> {
    if (kind === 'destructive') throw new SinkHalt('schema-change', table);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  /** Durable when it returns, whole or not at all. */
  async #append(items: readonly LineItem[]): Promise<void> {
    const keys = Object.fromEntries(this.#relations.map(({ table, key }) => [table, key]));
    await this.#file.appendFile(`${JSON.stringify({ keys, items } satisfies Line, withoutPositions)}\n`);
    await this.#file.datasync();
  }
}

/** JSON has no numbers for them, and nobody needs them here. */
function withoutPositions(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? undefined : value;
}

/** Reads the file from the beginning: the rows it comes to, and every effect; a line is a transaction. */
async function replay(path: string) {
  const ledger: SinkEffect[] = [];
  const tables = new Map<string, Map<string, PgRecord>>();
  const lines = (await readFile(path, 'utf8')).split('\n').slice(0, -1);
  for (const [number, text] of lines.entries()) {
    const { keys, items }: Line = JSON.parse(text);
    for (const item of items) {
      const note = (effect: SinkEffect['effect'], token: string | null | undefined) =>
        ledger.push({ effect, token: token ?? '', transaction: `${number}` });
      if ('content' in item) note('message', messageToken(item.content));
      else apply(item, keys[item.table] ?? [], note);
    }
  }
  return { ledger, tables: new Map([...tables].map(([table, rows]) => [table, [...rows.values()]])) };

  function apply(
    { op, table, record, old, unchanged }: Exclude<LineItem, { content: string }>,
    key: readonly string[],
    note: (effect: SinkEffect['effect'], token: string | null | undefined) => void,
  ): void {
    const rows = tables.get(table) ?? new Map<string, PgRecord>();
    tables.set(table, rows);
    const keyOf = (row: PgRecord) => JSON.stringify(key.map((name) => row[name]));
    if (op === 'truncate') {
      rows.clear();
      return;
    }
    const from = keyOf(old ?? record ?? {});
    const before = rows.get(from);
    rows.delete(from);
    if (record === null) {
      if (before !== undefined) note('delete', before[TOKEN_COLUMN]);
      return;
    }
    // What was not told is as it was.
    const kept = Object.fromEntries(unchanged.map((name) => [name, before?.[name] ?? null]));
    rows.set(keyOf(record), { ...record, ...kept });
    note('write', record[TOKEN_COLUMN]);
  }
}
