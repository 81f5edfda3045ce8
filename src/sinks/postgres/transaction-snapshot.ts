import { PostgresError } from './error.ts';

const TEXT = /^(\d+):(\d+):((?:\d+(?:,\d+)*)?)$/;
const EPOCH = 1n << 32n;

/** Which transactions a statement saw: what `pg_current_snapshot()` says. */
export class TransactionSnapshot {
  readonly #first: bigint;
  readonly #end: bigint;
  readonly #running: ReadonlySet<bigint>;

  /** @throws PostgresError `malformed` */
  constructor(text: string | null | undefined) {
    const parts = TEXT.exec(text ?? '');
    if (parts === null) throw new PostgresError('malformed', 'a snapshot of the server cannot be read');
    this.#first = BigInt(parts[1]!);
    this.#end = BigInt(parts[2]!);
    this.#running = new Set((parts[3] === '' ? [] : parts[3]!.split(',')).map(BigInt));
  }

  /** Whether it saw a transaction that was committed, given its number without the epoch. */
  sees(xid: number): boolean {
    const whole = this.#withEpoch(xid);
    if (whole < this.#first) return true;
    return whole < this.#end && !this.#running.has(whole);
  }

  /** The number nearest to the snapshot's: two that are in use are less than half an epoch apart. */
  #withEpoch(xid: number): bigint {
    const near = (this.#end & ~(EPOCH - 1n)) + BigInt(xid);
    if (near > this.#end + EPOCH / 2n && near >= EPOCH) return near - EPOCH;
    return near < this.#end - EPOCH / 2n ? near + EPOCH : near;
  }
}
