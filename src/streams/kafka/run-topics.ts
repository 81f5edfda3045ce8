import type { Dataset } from '../../model/dataset.ts';
import type { Capture } from '../../model/outcome.ts';

/**
 * The topics of one run on one broker, `tidemark-RUN-…`. All are the run's own and are deleted when it is disposed;
 * nobody else's are touched.
 */
export interface RunTopics extends AsyncDisposable {
  /** `host:port,…`, as engines take it. */
  readonly brokers: string;
  /** More client properties for engines, by their Java names, such as `security.protocol`. May hold secrets. */
  readonly clientProperties: Readonly<Record<string, string>>;
  /**
   * The topic of each stream of a dataset, filled in per-partition order on the first call and the same ever after.
   * Values are plain row JSON (as `rowToJson` writes it), without keys; each partition of the stream is a partition.
   *
   * @throws KafkaError when the broker cannot be reached or does not take the rows within a limit.
   */
  produce(dataset: Dataset, signal: AbortSignal): Promise<ReadonlyMap<string, string>>;
  /** A new topic of one partition for an engine's output. @throws KafkaError */
  createSink(label: string): Promise<string>;
  /** The offset after the last record of a sink, transaction markers included. @throws KafkaError */
  endOffset(topic: string): Promise<bigint>;
  /** The offset of the first record of a sink that belongs to an open transaction; its end where none is open. */
  committedEnd(topic: string): Promise<bigint>;
  /**
   * Reads a sink, committed records only, exactly up to an offset taken before, into a file of `records` lines.
   *
   * @throws KafkaError when it does not get there within a limit.
   */
  drain(topic: string, endOffset: bigint, file: string, signal: AbortSignal): Promise<Drained>;
}

/** `records`: how many there are. An end beyond that counts transaction markers, and records that were aborted. */
export type Drained = Capture & { readonly records: number };

/** The broker could not be used. The message names the step and what to do, never a record. */
export class KafkaError extends Error {
  override readonly name = 'KafkaError';
  readonly code: KafkaErrorCode;

  constructor(code: KafkaErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type KafkaErrorCode =
  | 'broker-unreachable'
  | 'produce-failed'
  | 'topic-failed'
  | 'drain-failed'
  | 'timeout'
  | 'aborted'
  // Of a broker of our own:
  | 'missing-java'
  | 'missing-maven'
  | 'install-failed'
  | 'not-installed'
  | 'start-failed';
