import type { StopMode } from '../../../src/model/traits.ts';
import type { QueryShape } from '../queries/query-shape.ts';

/** What kind of cases a search runs. All values are choices: an entry repeated is an entry more often drawn. */
export interface Profile {
  readonly name: string;
  /** What breaks engines there, in one sentence. */
  readonly aim: string;
  /** Labels of coverage that its cases must reach. */
  readonly covers: readonly string[];
  /** How often it is drawn in the default mix, against the others. */
  readonly weight: number;
  /** Which queries it is about, by default all; those with some variant for which this holds. */
  readonly queries?: ((shape: QueryShape) => boolean) | undefined;
  readonly data: DataShape;
  readonly schedule: ScheduleShape;
}

/** From `least` to `most`, both included. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** How a dataset is made. The first choice of each list is what a case shrinks to. */
export interface DataShape {
  /** Most rows drawn, over all streams. */
  readonly maxRows: number;
  /** Rows in all: as many as drawn, or exactly so many, for which the drawn rows are repeated at later times. */
  readonly exactly: readonly ('drawn' | number)[];
  /** How often a row comes in a row, equal in all but what makes it unique. */
  readonly copies: readonly number[];
  /** Event time before the first step, in epoch milliseconds. */
  readonly startMs: readonly Range[];
  readonly steps: readonly Step[];
  readonly latenesses: readonly Lateness[];
  /** The lag `L` of semantics §2. Unless `beyondLag`, at least 2 and disorder over all partitions at most `L - 2` (§4). */
  readonly lagMs: readonly number[];
  readonly beyondLag: boolean;
  readonly partitions: readonly number[];
  readonly spread: readonly Spread[];
  readonly keys: readonly KeySpread[];
  readonly integers: readonly IntegerKind[];
  readonly texts: readonly TextKind[];
  readonly nulls: 'few' | 'many';
}

/**
 * How far the clock goes on before a row:
 *
 * - `ms`: so many milliseconds.
 * - `part`: up to the length of the query's longest window.
 * - `edge`: to the next edge of one of its windows, or beside it.
 * - `gap`: a session gap, or beside it.
 */
export type Step =
  | ({ readonly kind: 'ms' } & Range)
  | { readonly kind: 'part' }
  | { readonly kind: 'edge' | 'gap'; readonly besideMs: number };

/**
 * How far a row lies behind the clock:
 *
 * - `none`, `part` of the greatest disorder, `most` of it.
 * - `edge`: as far as the edge of a window before, or beside it.
 * - `half-gap`: half a session gap, so that it lies between two sessions.
 * - `lag`: the lag, or beside it; `beyond`: up to two windows more. Only where data may lie beyond the lag.
 */
export type Lateness =
  | { readonly kind: 'none' | 'part' | 'most' | 'half-gap' | 'beyond' }
  | { readonly kind: 'edge' | 'lag'; readonly besideMs: number };

/** Over which partitions rows are spread: the last may stay empty or start late, the first may hold most. */
export type Spread = 'even' | 'skewed' | 'one-empty' | 'late-start';

/** How many values the columns take that rows are grouped by. */
export type KeySpread = 'few' | 'single' | 'hot' | 'many';

export type IntegerKind = 'plain' | 'signed' | 'extreme';
export type TextKind = 'plain' | 'empty' | 'unicode';

/** How a case is run. */
export interface ScheduleShape {
  readonly stops: readonly StopMode[];
  /** Subtasks: a number, or one for each partition. */
  readonly parallelism: readonly (number | 'partitions')[];
  readonly restarts: readonly Restarts[];
}

/** Checkpoints and restarts: both once or twice, one alone, or none. */
export type Restarts = 'none' | 'checkpoint' | 'restart' | 'checkpoint-restart' | 'twice';
