/** An output has to be quiet for at least this long before it counts as settled. */
export const LEAST_QUIET_MS = 10_000;

/** And for so many times the longest gap between two outputs so far. */
const GAPS = 5;

/** CPU time is looked at over this long. */
const IDLE_WINDOW_MS = 2_000;

/** An engine that only polls its topics takes about 0.05 of a core. */
const IDLE_SHARE = 0.2;

/** One look at a running engine. */
export interface Look {
  readonly atMs: number;
  /** Records in the sink so far. */
  readonly records: bigint;
  /** CPU time of the process so far; absent where it cannot be told. */
  readonly cpuSeconds?: number | undefined;
}

/**
 * Tells when an engine that reports no progress is through: by the quiet of its output and of its CPU. That is all
 * that can be seen from outside, so an output that is empty and quiet proves nothing.
 */
export class Quiet {
  #records = 0n;
  #changedMs: number;
  #longestGapMs = 0;
  #atMs: number;
  /** CPU times of the window, oldest first. */
  #cpu: { readonly atMs: number; readonly seconds: number }[] = [];
  #cpuKnown = false;

  constructor(startedMs: number) {
    this.#changedMs = startedMs;
    this.#atMs = startedMs;
  }

  see({ atMs, records, cpuSeconds }: Look): void {
    this.#atMs = atMs;
    if (records > this.#records) {
      if (this.#records > 0n) this.#longestGapMs = Math.max(this.#longestGapMs, atMs - this.#changedMs);
      this.#records = records;
      this.#changedMs = atMs;
    }
    if (cpuSeconds === undefined) return;
    this.#cpuKnown = true;
    this.#cpu.push({ atMs, seconds: cpuSeconds });
    // The window's oldest look is the last one that is a whole window old.
    while (this.#cpu.length > 1 && this.#cpu[1]!.atMs <= atMs - IDLE_WINDOW_MS) this.#cpu.shift();
  }

  /** How long the output has not grown. */
  get quietMs(): number {
    return this.#atMs - this.#changedMs;
  }

  /** When the output grew last. */
  get changedMs(): number {
    return this.#changedMs;
  }

  get state(): 'busy' | 'settled' | 'nothing-seen' {
    const enough = Math.max(LEAST_QUIET_MS, GAPS * this.#longestGapMs);
    if (this.quietMs < enough || !this.#idle) return 'busy';
    return this.#records > 0n ? 'settled' : 'nothing-seen';
  }

  get #idle(): boolean {
    if (!this.#cpuKnown) return true;
    const [oldest] = this.#cpu;
    const newest = this.#cpu.at(-1)!;
    const spanMs = newest.atMs - oldest!.atMs;
    if (spanMs < IDLE_WINDOW_MS) return false;
    return ((newest.seconds - oldest!.seconds) * 1_000) / spanMs < IDLE_SHARE;
  }
}
