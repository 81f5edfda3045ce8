import type { CapturedMessage, Change, Lsn } from '../../model/history/index.ts';
import type { Assembled, Delivered, TransactionItem } from './delivered.ts';
import type { Relation } from './pgoutput/message.ts';
import { SpillFile, type TaggedItem } from './spill-file.ts';

/** What an item costs in memory beside its text, about, in bytes. */
const ITEM_BYTES = 256;

export interface SpillOptions {
  /** About how many bytes of memory a transaction may take before it goes to disk. */
  readonly spillAboveBytes: number;
  /** Where to; default the system's temporary directory. */
  readonly directory?: string | undefined;
}

/** A transaction that has not ended yet: in memory while it is small, then on disk. */
export class PendingTransaction {
  readonly #options: SpillOptions;
  readonly #rolledBack = new Set<number>();
  /** Items of each savepoint's transaction that stand. */
  readonly #counts = new Map<number | undefined, number>();
  /** Tables as its changes show them, each with the savepoints' transactions that have such changes. */
  readonly #relations = new Map<Relation, Set<number | undefined>>();
  #items: TaggedItem[] = [];
  #bytes = 0;
  #hasMessages = false;
  #isAmbiguous = false;
  #spill: SpillFile | undefined;

  constructor(options: SpillOptions) {
    this.#options = options;
  }

  /**
   * `size`: bytes it took on the wire; `relation`: the table of a change. The ordinal of an item is given when the
   * transaction commits.
   */
  add(tagged: TaggedItem, size: number, relation: Relation | undefined): void {
    if (relation !== undefined) {
      const xids = this.#relations.get(relation) ?? new Set();
      this.#relations.set(relation, xids.add(tagged.xid));
    }
    this.#hasMessages ||= !('op' in tagged.item);
    this.#counts.set(tagged.xid, (this.#counts.get(tagged.xid) ?? 0) + 1);
    if (this.#spill !== undefined) {
      this.#spill.add(tagged);
      return;
    }
    this.#items.push(tagged);
    this.#bytes += ITEM_BYTES + 2 * size;
    if (this.#bytes <= this.#options.spillAboveBytes) return;
    this.#spill = new SpillFile(this.#options.directory);
    for (const item of this.#items) this.#spill.add(item);
    this.#items = [];
  }

  /** Takes back what a savepoint's transaction did. */
  rollBack(xid: number): void {
    this.#rolledBack.add(xid);
    this.#counts.delete(xid);
    // The server tags a message with the whole transaction, whatever savepoint it belongs to.
    this.#isAmbiguous ||= this.#hasMessages;
  }

  /** The transaction; undefined when nothing of it is left, which a server that streams tells too. */
  commit(xid: number, commit_lsn: Lsn, endLsn: Lsn): Assembled | undefined {
    if (this.#isAmbiguous) {
      this.discard();
      return { kind: 'ambiguous', commit_lsn };
    }
    if (this.#counts.size === 0) {
      this.discard();
      return undefined;
    }
    if (this.#spill !== undefined) return this.#spilled(this.#spill, xid, commit_lsn, endLsn);
    const changes: Change[] = [];
    const messages: CapturedMessage[] = [];
    let ordinal = 0;
    for (const tagged of this.#items) {
      if (!this.#stands(tagged)) continue;
      const item = numbered(tagged.item, ordinal++);
      if ('op' in item) changes.push(item);
      else messages.push(item);
    }
    const transaction = { commit_lsn, xid, changes, messages };
    return { kind: 'transaction', transaction, relations: this.#shown(), endLsn };
  }

  /** Gives the disk back. */
  discard(): void {
    this.#spill?.close();
  }

  /** The tables as what stands shows them, in the order in which it does. */
  #shown(): readonly Relation[] {
    const shown = [...this.#relations].filter(([, xids]) => [...xids].some((xid) => this.#stands({ xid })));
    return shown.map(([relation]) => relation);
  }

  #stands({ xid }: Pick<TaggedItem, 'xid'>): boolean {
    return xid === undefined || !this.#rolledBack.has(xid);
  }

  #spilled(file: SpillFile, xid: number, commit_lsn: Lsn, endLsn: Lsn): Delivered {
    const stands = (tagged: TaggedItem) => this.#stands(tagged);
    let taken = false;
    async function* read(): AsyncGenerator<TransactionItem> {
      let ordinal = 0;
      for await (const tagged of file.read()) if (stands(tagged)) yield numbered(tagged.item, ordinal++);
    }
    const items = () => {
      if (taken) throw new Error('a spilled transaction is read once');
      taken = true;
      return read();
    };
    const discard = () => file.close();
    const transaction = { commit_lsn, xid, items, discard };
    return { kind: 'spilled', transaction, relations: this.#shown(), endLsn };
  }
}

function numbered(item: TransactionItem, ordinal: number): TransactionItem {
  return { ...item, ordinal };
}
