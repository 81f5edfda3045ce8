import { inStableOrder, truth, type Until } from '../../oracles/truth.ts';
import type { PlanBuilder } from '../../src/model/build.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import { checkPlan } from '../../src/model/plan/index.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import { neutralTraits, type Traits } from '../../src/model/traits.ts';
import type { Row, Value } from '../../src/model/value.ts';

/** A stream small enough to write out by hand. */
export const clickStream: StreamSchema = {
  name: 'click',
  columns: [
    { name: 'k', type: 'STRING', nullable: true },
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'v', type: 'BIGINT', nullable: true },
    { name: 'seq', type: 'BIGINT', nullable: false },
  ],
  eventTime: 'at',
  unique: [['seq']],
};

/** `[k, at]` or `[k, at, v]`; rows are numbered by arrival. */
export type Click = readonly [k: string | null, at: number, v?: number | bigint | null];

/** Clicks of one partition in arrival order. */
export function clicks(lagMs: number, ...rows: Click[]): Dataset {
  return partitionedClicks(lagMs, ...rows.map((row) => [0, row] as const));
}

/** Clicks with their partitions, in one arrival order over all. */
export function partitionedClicks(
  lagMs: number,
  ...rows: (readonly [partition: number, row: Click])[]
): Dataset {
  const partitions: { arrival: number; row: Row }[][] = [[]];
  for (const [arrival, [partition, [k, at, v = null]]] of rows.entries()) {
    while (partitions.length <= partition) partitions.push([]);
    partitions[partition]!.push({ arrival, row: [k, at, v, arrival] });
  }
  return { lagMs, provenance: 'captured', streams: [{ schema: clickStream, partitions }] };
}

/** The truth as rows that each end in their fire point, in a stable order. */
export function truthOf(
  query: PlanBuilder,
  dataset: Dataset,
  until: Until = 'drained',
  traits: Partial<Traits> = {},
): readonly (readonly (Value | number)[])[] {
  const checked = checkPlan(
    query.plan,
    dataset.streams.map(({ schema }) => schema),
  );
  const result = inStableOrder(truth(checked, dataset, until, { ...neutralTraits, ...traits }));
  return result.rows.map((row, index) => [...row, result.firePoints[index]!]);
}
