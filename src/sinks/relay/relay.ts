import {
  type DeliveryMode,
  guarantees,
  type LedgerEntry,
  type Lsn,
  type SinkRun,
  TOKEN_COLUMN,
} from '../../model/history/index.ts';
import type {
  Applied,
  RelationChange,
  Sink,
  SinkHome,
  SinkRelation,
  SnapshotChunk,
  SpilledDelivery,
} from '../sink.ts';
import type { DeliverySource, SourceConnection, SourceItem } from './delivery-source.ts';
import type { FaultPlan, ItemAddress } from './fault-plan.ts';
import type { Faults } from './faults.ts';
import { Interruption } from './interruption.ts';
import { Items } from './items.ts';
import { LibraryCheckpoint, type LibraryPosition } from './library-checkpoint.ts';
import { hasMessages, isBatched, isInitialSnapshot } from './mode.ts';
import { RelayError } from './relay-error.ts';
import { Halted, type SinkCalls } from './sink-calls.ts';

export interface RelayOptions {
  readonly mode: DeliveryMode;
  readonly source: DeliverySource;
  readonly home: SinkHome;
  readonly calls: SinkCalls;
  /** Whether messages have effects that the ledger shows. */
  readonly takesMessages: boolean;
  readonly acknowledgeEvery: FaultPlan['acknowledgeEvery'];
  readonly faults: Faults;
  readonly batchSize: number;
  /** Where the library's checkpoint is kept. */
  readonly directory: string;
}

/**
 * Delivers what a source holds to a sink, in one mode of semantics §10 and through the faults of a plan, and tells what
 * the sink made of it.
 *
 * The library's part of the rules: it acknowledges to the source only what is durable; a checkpoint of its own it writes
 * after the sink has answered, and skips what is at or before it, transactions and messages apart. Under a checkpoint of
 * the sink's it skips nothing: that is the sink's part.
 *
 * @throws RelayError, PostgresError where the sink could not be tried.
 */
export function relay(options: RelayOptions): Promise<SinkRun> {
  return new Relay(options).run();
}

/** What is delivered by one call, and how far everything is once it is durable. */
interface Unit {
  readonly items: readonly ItemAddress[];
  readonly position: Partial<LibraryPosition>;
  /** Undefined for chunks, which are no part of the log. */
  readonly endLsn: Lsn | undefined;
}

type TransactionItem = Extract<SourceItem, { kind: 'transaction' | 'spilled' }>;

class Relay {
  readonly #options: RelayOptions;
  readonly #items = new Items();
  readonly #library: LibraryCheckpoint | undefined;
  /** How long the ledger was when each session ended. */
  readonly #ledgerLengths: number[] = [];
  readonly #chunks: (readonly string[])[] = [];
  #relations: readonly SinkRelation[];
  #position: LibraryPosition = { transaction: undefined, message: undefined, chunks: 0 };
  #chunksDone = 0;
  #sink: Sink | undefined;
  #connection: SourceConnection | undefined;
  #sinceAcknowledged = 0;
  /** The last transaction that is durable in the sink, and the last that was acknowledged. */
  #durable: Lsn = 0n;
  #acknowledged: Lsn = 0n;
  #batch: Extract<SourceItem, { kind: 'transaction' }>[] = [];

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#relations = options.source.relations;
    const { checkpoint } = guarantees[options.mode];
    this.#library = checkpoint === 'library' ? new LibraryCheckpoint(options.directory) : undefined;
  }

  async run(): Promise<SinkRun> {
    try {
      for (;;) {
        const end = await this.#session();
        if (!(end instanceof Interruption)) return await this.#outcome(end);
        await this.#interrupt(end);
      }
    } finally {
      await this.#connection?.close();
      const sink = this.#sink;
      this.#sink = undefined;
      if (sink !== undefined) await this.#options.calls.use('close', () => sink.close());
    }
  }

  /** Delivers until the end, until the sink halts, or until a fault. */
  async #session(): Promise<Interruption | Halted | undefined> {
    try {
      await this.#start();
      if (isInitialSnapshot(this.#options.mode)) await this.#deliverSnapshot();
      this.#connection = await this.#options.source.connect();
      for (;;) {
        const item = await this.#connection.next();
        if (item.kind === 'end') break;
        await this.#take(item);
      }
      await this.#flush();
      return undefined;
    } catch (error) {
      if (error instanceof Interruption || error instanceof Halted) return error;
      throw error;
    }
  }

  async #start(): Promise<void> {
    this.#batch = [];
    this.#sinceAcknowledged = 0;
    if (this.#sink === undefined) await this.#open();
    if (this.#library !== undefined) {
      this.#position = await this.#library.read();
      this.#chunksDone = this.#position.chunks;
      return;
    }
    const lsn = await this.#sinkCheckpoint();
    // What was acknowledged does not come again: whoever forgot it cannot go on.
    if ((lsn ?? 0n) < this.#acknowledged) throw new Halted('checkpoint-lost');
    if (this.#chunksDone === 0) return;
    const progress = this.#method('snapshotProgress');
    const chunks = await this.#options.calls.use('snapshotProgress', () => progress());
    if (chunks < this.#chunksDone) throw new Halted('snapshot-progress-lost');
  }

  async #open(): Promise<void> {
    const { home, calls, mode } = this.#options;
    const sink = await calls.use('open', () => home.open());
    this.#sink = sink;
    const hello = () => sink.hello({ mode, relations: this.#relations });
    // One that greeted before and does not now has been brought to a halt by its restart.
    if (this.#ledgerLengths.length === 0) await calls.use('hello', hello);
    else await calls.deliver('hello', hello);
  }

  async #sinkCheckpoint(): Promise<Lsn | undefined> {
    const checkpoint = this.#method('checkpoint');
    return this.#options.calls.use('checkpoint', () => checkpoint());
  }

  /** Ends a session by a fault: of a kill, the sink too. */
  async #interrupt({ fault }: Interruption): Promise<void> {
    const { home, calls } = this.#options;
    this.#connection?.cut();
    this.#connection = undefined;
    if (fault.do === 'kill') {
      const sink = this.#sink;
      this.#sink = undefined;
      await calls.use('kill', async () => sink?.kill?.());
    }
    const ledger = await calls.use('ledger', () => home.ledger());
    this.#ledgerLengths.push(ledger.length);
  }

  async #outcome(halted: Halted | undefined): Promise<SinkRun> {
    const { mode, home, calls, takesMessages, batchSize } = this.#options;
    const effects = await calls.use('ledger', () => home.ledger());
    const sessionOf = (place: number) => this.#ledgerLengths.filter((length) => length <= place).length;
    return {
      mode,
      batchSize,
      sessions: this.#ledgerLengths.length + 1,
      redelivered: this.#items.redelivered,
      chunks: this.#chunks,
      takesMessages: takesMessages && hasMessages(mode),
      ledger: effects.map((effect, place): LedgerEntry => ({ ...effect, session: sessionOf(place) })),
      tables: await calls.use('dump', () => home.dump()),
      halt: halted === undefined ? undefined : { reason: halted.reason },
    };
  }

  async #deliverSnapshot(): Promise<void> {
    const { chunks, snapshotLsn } = this.#options.source;
    const at = this.#library === undefined ? await this.#sinkCheckpoint() : this.#position.transaction;
    if (at !== undefined) return;
    for (const chunk of chunks.slice(this.#chunksDone)) await this.#deliverChunk(chunk);
    const complete = this.#method('snapshotComplete');
    const end = { kind: 'initial', snapshotLsn, chunks: chunks.length } as const;
    await this.#options.calls.deliver('snapshotComplete', () => complete(end));
    // The next transaction may carry exactly the snapshot's position, and is not in it.
    await this.#advance({ transaction: snapshotLsn - 1n });
  }

  async #take(item: Exclude<SourceItem, { kind: 'end' }>): Promise<void> {
    switch (item.kind) {
      case 'message':
        return this.#takeMessage(item);
      case 'chunk':
        return this.#takeChunk(item);
      default:
        return this.#takeTransaction(item);
    }
  }

  async #takeTransaction(item: TransactionItem): Promise<void> {
    const { commit_lsn } = item.transaction;
    const { endLsn } = item;
    const address = this.#items.address('transaction', commit_lsn);
    if (this.#library !== undefined && commit_lsn <= (this.#position.transaction ?? 0n)) {
      this.#acknowledge(endLsn);
      return;
    }
    if (item.changes.length > 0) await this.#flush();
    for (const change of item.changes) await this.#tellChange(change);
    const unit: Unit = { items: [address], endLsn, position: { transaction: commit_lsn } };
    if (item.kind === 'spilled') {
      const spilled = this.#method('spilled');
      await this.#deliver('spilled', unit, () => spilled(this.#interruptible(item.transaction)));
    } else if (isBatched(this.#options.mode)) {
      this.#batch.push(item);
      if (this.#batch.length >= this.#options.batchSize) await this.#flush();
    } else {
      const transaction = this.#method('transaction');
      await this.#deliver('transaction', unit, () => transaction(item.transaction));
    }
  }

  /** A spilled transaction that may end after its first item. */
  #interruptible({ items, ...transaction }: SpilledDelivery): SpilledDelivery {
    const { faults } = this.#options;
    async function* read() {
      for await (const item of items()) {
        yield item;
        faults.inside('inside');
      }
    }
    return { ...transaction, items: read };
  }

  async #tellChange(change: RelationChange): Promise<void> {
    const sink = this.#sink!;
    await this.#options.calls.deliver('schemaChange', () => sink.schemaChange(change));
    this.#relations = this.#relations.map((relation) =>
      relation.table === change.table ? changed(relation, change) : relation,
    );
  }

  /** Delivers what has gathered for a batch. */
  async #flush(): Promise<void> {
    const transactions = this.#batch.map(({ transaction }) => transaction);
    const last = this.#batch.at(-1);
    this.#batch = [];
    if (last === undefined) return;
    const unit: Unit = {
      items: transactions.map(({ commit_lsn }) => this.#items.address('transaction', commit_lsn)),
      endLsn: last.endLsn,
      position: { transaction: last.transaction.commit_lsn },
    };
    const batch = this.#method('batch');
    await this.#deliver('batch', unit, () => batch(transactions));
  }

  async #takeMessage({ message }: Extract<SourceItem, { kind: 'message' }>): Promise<void> {
    const { lsn } = message;
    if (!hasMessages(this.#options.mode)) return;
    const address = this.#items.address('message', lsn);
    if (this.#library !== undefined && lsn <= (this.#position.message ?? 0n)) return;
    const take = this.#method('message');
    // Its position is the end of its record: acknowledging it skips no transaction that starts there.
    const unit: Unit = { items: [address], endLsn: lsn, position: { message: lsn } };
    await this.#deliver('message', unit, async () => void (await take(message)));
  }

  async #takeChunk({ chunk, isLast }: Extract<SourceItem, { kind: 'chunk' }>): Promise<void> {
    await this.#flush();
    if (chunk.index >= this.#chunksDone) await this.#deliverChunk(chunk);
    if (!isLast) return;
    const complete = this.#method('snapshotComplete');
    const end = { kind: 'incremental', snapshotLsn: chunk.snapshotLsn, chunks: chunk.index + 1 } as const;
    await this.#options.calls.deliver('snapshotComplete', () => complete(end));
  }

  async #deliverChunk(chunk: SnapshotChunk): Promise<void> {
    const address = this.#items.address('chunk', BigInt(chunk.index));
    this.#chunks[chunk.index] ??= chunk.rows.map((row) => row[TOKEN_COLUMN] ?? '');
    const chunks = chunk.index + 1;
    const take = this.#method('snapshotChunk');
    const unit: Unit = { items: [address], endLsn: undefined, position: { chunks } };
    await this.#deliver('snapshotChunk', unit, async () => void (await take(chunk)));
    this.#chunksDone = chunks;
  }

  /** One delivery with the faults around it, then the checkpoint, then the acknowledgement. */
  async #deliver(method: string, unit: Unit, work: () => Promise<Applied | undefined>): Promise<void> {
    const { faults, calls } = this.#options;
    const { items, position, endLsn } = unit;
    faults.at('before-send', items);
    this.#items.send(items);
    const applied = await faults.during(items, () => calls.deliver(method, work));
    faults.at('reply-lost', items);
    await this.#advance(position);
    faults.at('after-reply', items);
    // A sink may say that less is durable than it was given.
    const { transaction = 0n } = position;
    if (this.#library === undefined && (applied?.lsn ?? 0n) < transaction) return;
    if (transaction > this.#durable) this.#durable = transaction;
    if (endLsn !== undefined) this.#acknowledge(endLsn);
  }

  /** Writes the library's checkpoint, where it is the library's. */
  async #advance(position: Partial<LibraryPosition>): Promise<void> {
    if (this.#library === undefined) return;
    this.#position = { ...this.#position, ...position };
    await this.#library.write(this.#position);
  }

  #acknowledge(lsn: Lsn): void {
    this.#sinceAcknowledged++;
    if (this.#sinceAcknowledged < this.#options.acknowledgeEvery) return;
    this.#sinceAcknowledged = 0;
    this.#acknowledged = this.#durable;
    this.#connection?.acknowledge(lsn);
  }

  /** A method that the mode needs. @throws RelayError `sink-incomplete` */
  #method<K extends keyof Sink>(name: K): NonNullable<Sink[K]> {
    const sink = this.#sink!;
    const method = sink[name];
    if (method === undefined) {
      throw new RelayError('sink-incomplete', `mode ${this.#options.mode} needs a sink with ${name}`);
    }
    return (method as (...given: unknown[]) => unknown).bind(sink) as NonNullable<Sink[K]>;
  }
}

function changed(relation: SinkRelation, { added, dropped }: RelationChange): SinkRelation {
  const left = relation.columns.filter(({ name }) => !dropped.includes(name));
  return { ...relation, columns: [...left, ...added] };
}
