import type { Lsn } from '../../model/history/index.ts';
import { once } from '../../streams/bounded.ts';
import { Assembler, type AssemblerOptions } from './assembler.ts';
import type { Assembled, Delivered } from './delivered.ts';
import { openReplication, type ReplicationOptions, type ReplicationStream } from './replication-stream.ts';

export interface CaptureOptions extends ReplicationOptions, Omit<AssemblerOptions, 'parallel'> {}

/** Whole transactions of a source as they commit, for one connection. */
export interface Capture extends AsyncDisposable {
  /** The server's process that sends them. */
  readonly processId: number;
  /**
   * The next one. A spilled transaction that was not read by then is given up.
   *
   * @throws PostgresError `disconnected` when the connection is gone: another capture of the slot goes on from what was
   * acknowledged; what was not is delivered again.
   */
  next(): Promise<Delivered>;
  /** Tells the server exactly this position: what ends at or before it is not delivered again. */
  ack(lsn: Lsn): void;
  close(): Promise<void>;
  /** Ends it as a crash would. */
  cut(): void;
}

/**
 * Begins to capture from a slot. Where streaming cannot tell what a transaction is, it goes on without: the slot is read
 * again by protocol 1, and delivery goes on with that transaction. @throws PostgresError as `openReplication` does
 */
export async function openCapture(options: CaptureOptions): Promise<Capture> {
  return new SlotCapture(options, await openReplication(options));
}

class SlotCapture implements Capture {
  readonly close: () => Promise<void>;
  readonly #options: CaptureOptions;
  #stream: ReplicationStream;
  #assembler: Assembler;
  #arrived: readonly Buffer[] = [];
  #taken = 0;
  #last: Delivered | undefined;
  #acknowledged: Lsn | undefined;
  #ended = false;

  constructor(options: CaptureOptions, stream: ReplicationStream) {
    this.#options = options;
    this.#stream = stream;
    this.#assembler = new Assembler({ ...options, parallel: options.protocol === 4 });
    this.close = once(async () => {
      this.#forgetAll();
      await this.#stream.close();
    });
  }

  get processId(): number {
    return this.#stream.processId;
  }

  async next(): Promise<Delivered> {
    this.#forget();
    let assembled = await this.#assemble();
    if (assembled.kind === 'ambiguous') assembled = await this.#readAgain(assembled.commit_lsn);
    this.#last = assembled;
    return assembled;
  }

  ack(lsn: Lsn): void {
    this.#acknowledged = lsn;
    this.#stream.ack(lsn);
  }

  cut(): void {
    this.#forgetAll();
    this.#stream.cut();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #assemble(): Promise<Assembled> {
    for (;;) {
      while (this.#taken < this.#arrived.length) {
        const assembled = this.#assembler.take(this.#arrived[this.#taken++]!);
        if (assembled !== undefined) return assembled;
      }
      this.#arrived = await this.#stream.next();
      this.#taken = 0;
    }
  }

  /** Reads without streaming up to a transaction: what comes before it was delivered. */
  async #readAgain(commitLsn: Lsn): Promise<Delivered> {
    await this.#stream.close();
    this.#assembler.discard();
    const stream = await openReplication({ ...this.#options, protocol: 1 });
    this.#stream = stream;
    if (this.#ended) stream.cut();
    if (this.#acknowledged !== undefined) stream.ack(this.#acknowledged);
    this.#assembler = new Assembler({ ...this.#options, parallel: false });
    this.#arrived = [];
    this.#taken = 0;
    for (;;) {
      const assembled = await this.#assemble();
      if (assembled.kind === 'ambiguous' || assembled.kind === 'message') continue;
      if (assembled.transaction.commit_lsn === commitLsn) return assembled;
      if (assembled.kind === 'spilled') assembled.transaction.discard();
    }
  }

  #forget(): void {
    if (this.#last?.kind === 'spilled') this.#last.transaction.discard();
    this.#last = undefined;
  }

  #forgetAll(): void {
    this.#ended = true;
    this.#forget();
    this.#assembler.discard();
  }
}
