/** The judgement of what one sink made of one history in one mode (semantics §7, §10). Only `agree` is a pass. */
export type SinkVerdict = SinkAgree | SinkDiverge | SinkNotGated | SinkInconclusive;

/** All promises of the mode held, and something was delivered again to try them. */
export interface SinkAgree {
  readonly kind: 'agree';
  readonly numbers: SinkNumbers;
}

/** Problems in order of importance, a halt first; their counts are exact. */
export interface SinkDiverge {
  readonly kind: 'diverge';
  readonly numbers: SinkNumbers;
  readonly problems: readonly SinkProblem[];
}

/** Nothing could be judged: a step of the kit, the source or the sink failed. */
export interface SinkNotGated {
  readonly kind: 'not-gated';
  readonly code: string;
  readonly message: string;
}

/** Nothing is wrong and nothing is proved: no delivery, or none that came again. */
export interface SinkInconclusive {
  readonly kind: 'inconclusive';
  readonly reason: 'both-empty' | 'uncovered';
  readonly message: string;
  readonly numbers: SinkNumbers;
}

/**
 * The numbers of a run.
 *
 * - `transactions`, `messages`, `chunks`: what had to be delivered.
 * - `rows`: rows compared at the end; `doubtful`: those of them that differ only by what a transaction that was applied
 *   twice carried to another key without showing it, which no sink can keep.
 * - `dup`: transactions, messages and chunks that took effect again, each once for every restart.
 * - `loss`: those that had to take effect and did not, or not whole.
 */
export interface SinkNumbers {
  readonly transactions: number;
  readonly messages: number;
  readonly chunks: number;
  readonly rows: number;
  readonly doubtful: number;
  readonly redelivered: number;
  readonly dup: number;
  readonly loss: number;
  readonly restarts: readonly RestartNumbers[];
}

/**
 * What came of one restart or reconnect.
 *
 * - `dupTransactions`, `dupMessages`, `dupChunks`: what took effect again after it.
 * - `dupSpan`: transactions from the first of them to the last, those in between too.
 * - `loss`: what was passed over at it: before the next that took effect.
 */
export interface RestartNumbers {
  readonly dupTransactions: number;
  readonly dupSpan: number;
  readonly dupMessages: number;
  readonly dupChunks: number;
  readonly loss: number;
}

/**
 * What can be wrong:
 *
 * - `halted`: it takes no more, though nothing called for it.
 * - `no-halt`: it went on past a change of schema at which it must halt; `past-halt`: effects of what comes after it.
 * - `dup`: more took effect again after a restart than the mode allows.
 * - `unprompted-dup`: something took effect again without a restart.
 * - `loss`: something never took effect.
 * - `phantom`: an effect of what was rolled back, is not published, or is of no write at all.
 * - `reordered`: a transaction or message took effect before an earlier one.
 * - `row-lost`, `row-extra`, `row-altered`: the rows at the end.
 * - `toast`: of the altered rows, those that differ in a column that their last write left unchanged.
 * - `leak`: an error or a log held a value of a row or a message.
 */
export type SinkProblemKind =
  | 'halted'
  | 'no-halt'
  | 'past-halt'
  | 'loss'
  | 'dup'
  | 'unprompted-dup'
  | 'phantom'
  | 'reordered'
  | 'toast'
  | 'row-lost'
  | 'row-extra'
  | 'row-altered'
  | 'leak';

/**
 * One problem. `count`: transactions, effects or rows. Where it is known: the session it arose in (0 before any
 * restart), the step of the history it first concerns, the table, and the columns. Holds no value.
 */
export interface SinkProblem {
  readonly kind: SinkProblemKind;
  readonly count: number;
  readonly message: string;
  readonly session?: number;
  readonly step?: number;
  readonly table?: string;
  readonly columns?: readonly string[];
}
