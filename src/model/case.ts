import type { Dataset } from './dataset.ts';
import type { CheckedQuery } from './query.ts';
import type { StopMode } from './traits.ts';

/** How a case is run: on how many subtasks, and how it ends. */
export interface Schedule {
  readonly parallelism: number;
  readonly stop: StopMode;
}

/** One question to an engine: this query over this dataset, run so. */
export interface Case {
  readonly query: CheckedQuery;
  readonly dataset: Dataset;
  readonly schedule: Schedule;
}
