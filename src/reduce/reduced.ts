import type { Case } from '../model/case.ts';
import type { Event } from '../model/dataset.ts';

/**
 * What became of a candidate:
 *
 * - `same`: it failed as the case that is reduced.
 * - `other`: it failed, but otherwise; `failure` names how, the same for the same failure.
 * - `none`: it did not fail, or nothing could be told.
 * - `not-a-case`: it was not run, since it is none for whoever asks. Costs nothing.
 *
 * `engineSeconds`: what the engine spent on it, in seconds; 0 where absent.
 */
export type Answer =
  | { readonly kind: 'same' | 'none'; readonly engineSeconds?: number | undefined }
  | { readonly kind: 'other'; readonly failure: string; readonly engineSeconds?: number | undefined }
  | { readonly kind: 'not-a-case' };

/** What a reduction may spend; without end where absent. */
export interface Budget {
  readonly runs?: number | undefined;
  readonly engineSeconds?: number | undefined;
}

export interface ReduceOptions {
  /** Runs a candidate. Asked for up to `sideBySide` candidates at once. */
  readonly stillFails: (candidate: Case) => Promise<Answer>;
  readonly budget?: Budget | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sets of the case's events that may be all it takes, as those behind the wrong rows; the best guess first. */
  readonly focus?: readonly ReadonlySet<Event>[] | undefined;
  /** Candidates that are run at once, default 1. What the reduction ends in does not depend on it. */
  readonly sideBySide?: number | undefined;
}

/** What one kind of step came to. */
export interface ReductionStep {
  readonly name: string;
  readonly runs: number;
  /** Candidates that were kept. */
  readonly kept: number;
}

/** A candidate that failed, but not as the case that is reduced. */
export interface OtherFailure {
  readonly failure: string;
  /** The smallest candidate that failed so. */
  readonly testCase: Case;
}

export interface Reduced {
  /** The smallest case found that fails the same; the input where there was none. */
  readonly testCase: Case;
  /** Candidates that were run, as many as if they were run one by one. */
  readonly runs: number;
  readonly engineSeconds: number;
  readonly steps: readonly ReductionStep[];
  /**
   * - `minimal`: no single event, operator, column, aggregate, partition or step of the schedule can be left out.
   * - `budget`, `interrupted`: it may be reduced further.
   */
  readonly stopped: 'minimal' | 'budget' | 'interrupted';
  readonly otherFailures: readonly OtherFailure[];
}
