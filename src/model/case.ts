import type { Dataset } from './dataset.ts';
import type { CheckedQuery } from './query.ts';
import type { StopMode } from './traits.ts';

/**
 * How a case is run: on how many subtasks, and how it ends.
 *
 * `cancelAfterRows`: for a run that is cancelled midway, about how many input rows it reads before; as soon as there
 * is output where it is absent.
 */
export interface Schedule {
  readonly parallelism: number;
  readonly stop: StopMode;
  readonly cancelAfterRows?: number | undefined;
}

/** One question to an engine: this query over this dataset, run so. */
export interface Case {
  readonly query: CheckedQuery;
  readonly dataset: Dataset;
  readonly schedule: Schedule;
}
