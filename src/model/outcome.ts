/** What became of one run of a case. Engines resolve to this; they throw for nothing an engine did. */
export type Outcome = Output | Failed | Unsupported;

export interface Output {
  readonly kind: 'output';
  readonly capture: Capture;
  readonly evidence: Evidence;
}

/** A step of ours or the engine's failed: nothing can be judged (semantics §7). */
export interface Failed {
  readonly kind: 'failed';
  readonly step: Step;
  readonly code: string;
  /** What a person can act on. Holds no row value. */
  readonly message: string;
}

/** The engine is not made for this case. */
export interface Unsupported {
  readonly kind: 'unsupported';
  readonly reason: string;
}

export type Step = 'install' | 'open' | 'produce' | 'submit' | 'run' | 'settle' | 'drain' | 'decode';

/** How a run went, for the report. Times are wall seconds; `cpuSeconds` where the engine's can be told. */
export interface Evidence {
  readonly engine: string;
  readonly version: string;
  readonly sql: string;
  readonly seconds: number;
  readonly cpuSeconds?: number | undefined;
  /** What else was noticed, in words that hold no row value. */
  readonly notes?: readonly string[] | undefined;
}

/**
 * An engine's output as it left the engine, byte for byte; nothing was sorted, compared or repaired. NDJSON,
 * each line one of:
 *
 * - `rows`: the row, an object of the output's columns.
 * - `changelog`: `{"op":…,"row":{…}}`. Ops `+I` and `+U` write the row's key, `-U` and `-D` withdraw it.
 * - `retract`: lines alike, but every row is removed as it was added before another takes its key.
 * - `records`: `{"partition","offset","key","value"}` of a topic, key and value base64 or null; a null value
 *   withdraws the record's key.
 */
export interface Capture {
  readonly format: 'rows' | 'changelog' | 'retract' | 'records';
  readonly bytes: ByteSource;
  /** Gives back what holds the bytes, which cannot be read afterwards. Sessions do so for all at their end. */
  release?(): Promise<void>;
}

/** Bytes that can be read more than once, in chunks of any size. */
export interface ByteSource {
  /** A chunk is valid until the next is asked for: the next may lie where it lay. */
  open(): AsyncIterable<Uint8Array>;
  /** All of them, where they lie in memory in one piece: a reader needs not wait then. */
  readonly whole?: Uint8Array | undefined;
}
