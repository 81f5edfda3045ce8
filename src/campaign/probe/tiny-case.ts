import type { PlanBuilder } from '../../model/build.ts';
import type { Case, Schedule } from '../../model/case.ts';
import type { Dataset } from '../../model/dataset.ts';
import { checkPlan } from '../../model/plan/index.ts';
import { checkQuery, QUERY_VERSION } from '../../model/query.ts';
import type { StreamSchema } from '../../model/schema.ts';

/** What all probes read. */
const tickStream: StreamSchema = {
  name: 'tick',
  columns: [
    { name: 'k', type: 'STRING', nullable: false },
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'v', type: 'BIGINT', nullable: true },
    { name: 'seq', type: 'BIGINT', nullable: false },
  ],
  eventTime: 'at',
  unique: [['seq']],
};

/** `[k, at]` or `[k, at, v]`. Rows are numbered as they arrive, the first partition before the second. */
export type Tick = readonly [k: string, at: number, v?: number | bigint | null];

/** A question to an engine whose answer shows a trait. How the run ends is chosen when it is asked. */
export interface TinyCase {
  readonly name: string;
  readonly plan: PlanBuilder;
  readonly dataset: Dataset;
  readonly parallelism: number;
}

/** Ticks in partitions, all rows of one before those of the next. */
export function ticks(lagMs: number, ...partitions: (readonly Tick[])[]): Dataset {
  let arrival = 0;
  const events = partitions.map((rows) =>
    rows.map(([k, at, v = null]) => ({ arrival, row: [k, at, v, arrival++] })),
  );
  return { lagMs, provenance: 'captured', streams: [{ schema: tickStream, partitions: events }] };
}

/** The case as engines take it. */
export function caseOf({ name, plan, dataset, parallelism }: TinyCase, stop: Schedule['stop']): Case {
  const streams = [tickStream];
  const { output } = checkPlan(plan.plan, streams);
  const names = output.columns.map((column) => column.name);
  const query = checkQuery(
    {
      version: QUERY_VERSION,
      name: `probe-${name}`,
      title: `probe ${name}`,
      plan: plan.plan,
      declaration: {
        class: output.updating ? 'materialised' : 'append',
        reason: 'a probe reads all of the output',
        keys: output.updating ? (output.unique[0] ?? names) : names,
        fire: 'unknown',
      },
      premises: [],
    },
    streams,
  );
  return { query, dataset, schedule: { parallelism, stop } };
}
