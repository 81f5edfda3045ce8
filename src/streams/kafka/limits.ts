/** Milliseconds after which a step is given up. */
export interface Limits {
  /** To reach the brokers. */
  readonly connectMs: number;
  /** For one request about topics or offsets. */
  readonly topicMs: number;
  /** Of producing or draining without any progress. */
  readonly idleMs: number;
  /** Of producing a dataset or draining a topic in all. */
  readonly totalMs: number;
  /** To delete the topics of a run at its end. */
  readonly disposeMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  connectMs: 12_000,
  topicMs: 30_000,
  idleMs: 30_000,
  totalMs: 30 * 60_000,
  disposeMs: 15_000,
};
