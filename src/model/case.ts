import type { Dataset } from './dataset.ts';
import type { CheckedQuery } from './query.ts';
import type { Delivery, StopMode } from './traits.ts';

/**
 * What happens to a running job once every row up to the arrival number `after` was read.
 *
 * - `checkpoint`: it takes one, as a barrier behind those rows.
 * - `restart`: it is killed and restored from its last checkpoint, from nothing where there is none.
 */
export interface ScheduleStep {
  readonly after: number;
  readonly do: 'checkpoint' | 'restart';
}

/**
 * How a case is run: on how many subtasks, what happens meanwhile, and how it ends.
 *
 * For a run that is cancelled midway, about how far it comes before; as soon as there is output where both are absent.
 *
 * - `cancelAfterRows`: input rows, for engines that tell what they have read.
 * - `cancelAfterOutput`: output rows, for all others.
 */
export interface Schedule {
  readonly parallelism: number;
  readonly stop: StopMode;
  /** How the sink delivers, over Kafka; at least once where absent. */
  readonly delivery?: Delivery | undefined;
  readonly cancelAfterRows?: number | undefined;
  readonly cancelAfterOutput?: number | undefined;
  /** In the order of `after`; none where absent. For engines with the trait `restart`. */
  readonly steps?: readonly ScheduleStep[] | undefined;
}

/** One question to an engine: this query over this dataset, run so. */
export interface Case {
  readonly query: CheckedQuery;
  readonly dataset: Dataset;
  readonly schedule: Schedule;
}
