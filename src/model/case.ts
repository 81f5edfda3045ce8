import type { Dataset } from './dataset.ts';
import type { CheckedQuery } from './query.ts';
import type { StopMode } from './traits.ts';

/**
 * How a case is run: on how many subtasks, and how it ends.
 *
 * For a run that is cancelled midway, about how far it comes before; as soon as there is output where both are absent.
 *
 * - `cancelAfterRows`: input rows, for engines that tell what they have read.
 * - `cancelAfterOutput`: output rows, for all others.
 */
export interface Schedule {
  readonly parallelism: number;
  readonly stop: StopMode;
  readonly cancelAfterRows?: number | undefined;
  readonly cancelAfterOutput?: number | undefined;
}

/** One question to an engine: this query over this dataset, run so. */
export interface Case {
  readonly query: CheckedQuery;
  readonly dataset: Dataset;
  readonly schedule: Schedule;
}
