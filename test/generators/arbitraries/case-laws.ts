import { expect } from 'vitest';
import type { Case } from '../../../src/model/case.ts';
import { type Dataset, inArrivalOrder } from '../../../src/model/dataset.ts';
import { checkQuery, querySchema } from '../../../src/model/query.ts';
import { rowFromJson, rowToJson } from '../../../src/model/row-json.ts';
import { columnIndex } from '../../../src/model/schema.ts';
import { disorder } from '../reading.ts';

/** What holds for any case, however it was drawn: see semantics §1, §3 and §4. `late`: rows may exceed the lag. */
export function expectLawful({ query, dataset, schedule }: Case, { late }: { readonly late: boolean }): void {
  const { definition } = query;
  const schemas = dataset.streams.map(({ schema }) => schema);
  expect(querySchema.parse(JSON.parse(JSON.stringify(definition)))).toMatchObject({ name: definition.name });
  expect(checkQuery(definition, schemas).columns).toEqual(query.columns);

  expectValid(dataset);
  for (const { kind, stream, columns } of definition.premises) {
    const { schema, partitions } = dataset.streams.find((each) => each.schema.name === stream)!;
    const values = partitions
      .flat()
      .map(({ row }) => columns.map((name) => row[columnIndex(schema.columns, name)]));
    if (kind === 'not-null') expect(values.flat()).not.toContain(null);
    else expect(new Set(values.map((key) => key.map(String).join('\n'))).size).toBe(values.length);
  }
  if (!late) {
    expect(dataset.lagMs).toBeGreaterThanOrEqual(2);
    expect(disorder(dataset)).toBeLessThanOrEqual(dataset.lagMs - 2);
  }

  const arrivals = dataset.streams.flatMap((stream) => inArrivalOrder(stream).map(({ arrival }) => arrival));
  const steps = schedule.steps ?? [];
  for (const [index, { after }] of steps.entries()) {
    expect(arrivals).toContain(after);
    expect(after).toBeLessThan(Math.max(...arrivals));
    expect(after).toBeGreaterThanOrEqual(steps[index - 1]?.after ?? 0);
  }
  expect(schedule.parallelism).toBeGreaterThanOrEqual(1);
  if (schedule.cancelAfterRows !== undefined) {
    expect(schedule.stop).toBe('cancel');
    expect(schedule.cancelAfterRows).toBeGreaterThanOrEqual(1);
    expect(schedule.cancelAfterRows).toBeLessThanOrEqual(arrivals.length);
  }
}

function expectValid(dataset: Dataset): void {
  const arrivals = new Set<number>();
  let rows = 0;
  for (const { schema, partitions } of dataset.streams) {
    expect(partitions.length).toBeGreaterThanOrEqual(1);
    for (const events of partitions) {
      let latest = -1;
      for (const { arrival } of events) {
        if (arrival <= latest) expect(arrival).toBeGreaterThan(latest);
        latest = arrival;
        arrivals.add(arrival);
        rows++;
      }
    }
    // The JSON form knows one representation of each value, and refuses null where a column has none.
    const all = partitions.flat().map(({ row }) => row);
    expect(all.map((row) => rowFromJson(schema.columns, rowToJson(schema.columns, row)))).toEqual(all);
    for (const set of schema.unique) {
      const keys = all.map((row) => set.map((name) => row[columnIndex(schema.columns, name)]).join('\n'));
      expect(new Set(keys).size).toBe(keys.length);
    }
  }
  expect(arrivals.size).toBe(rows);
}
