import type { Step } from './outcome.ts';
import type { Row } from './value.ts';

/** The judgement of one output (semantics §7). Only `agree` is a pass. */
export type Verdict = Agree | Diverge | NotGated | Inconclusive;

/** Every row is as it must be. `rows`: the number of rows compared on each side, at least one. */
export interface Agree {
  readonly kind: 'agree';
  readonly rows: number;
}

/** The output is wrong. `counts` are exact; `samples` are the first few of each kind. */
export interface Diverge {
  readonly kind: 'diverge';
  readonly counts: DifferenceCounts;
  readonly samples: readonly Difference[];
}

/** Nothing could be judged: a step failed. */
export interface NotGated {
  readonly kind: 'not-gated';
  readonly step: Step;
  readonly code: string;
  readonly message: string;
}

/** The comparison proves nothing either way. */
export interface Inconclusive {
  readonly kind: 'inconclusive';
  readonly reason: InconclusiveReason;
  readonly message: string;
}

export type InconclusiveReason = 'both-empty' | 'undecided' | 'skipped' | 'uncovered';

/**
 * The kinds of difference:
 *
 * - `lost`: a row of the truth that the output lacks.
 * - `premature`: a row that is true later, but beyond the watermark.
 * - `altered`: a row that has the key of a lost one but other values.
 * - `extra`: any other row that the truth lacks, or has fewer times.
 * - `corrupt`: a line that is no row of the output's columns.
 */
export type DifferenceKind = 'lost' | 'premature' | 'altered' | 'extra' | 'corrupt';

/** How many rows differ in each way; an altered row counts once. */
export type DifferenceCounts = Readonly<Record<DifferenceKind, number>>;

/** Rows that differ, in whatever way. */
export function differingRows(counts: DifferenceCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Whether the samples of a divergence are all that differs. */
export function isToldWhole({ counts, samples }: Diverge): boolean {
  return samples.reduce((sum, { count }) => sum + count, 0) === differingRows(counts);
}

/** One difference. `count`: how many equal rows it stands for. */
export type Difference =
  | { readonly kind: 'lost'; readonly count: number; readonly expected: Row }
  | { readonly kind: 'premature' | 'extra'; readonly count: number; readonly actual: Row }
  | {
      readonly kind: 'altered';
      readonly count: number;
      readonly expected: Row;
      readonly actual: Row;
      readonly columns: readonly string[];
    }
  | { readonly kind: 'corrupt'; readonly count: 1; readonly position: CorruptPosition };

/** Where a corrupt line stands and what is wrong with it; never what it holds. */
export interface CorruptPosition {
  /** Line number from 1. */
  readonly line: number;
  /** Byte within the line from 0. */
  readonly byte: number;
  readonly problem: string;
  readonly column?: string | undefined;
}
