import type { Dataset } from '../../src/model/dataset.ts';
import { columnIndex } from '../../src/model/schema.ts';
import { type Relation, relationProperty, sameAsFirst } from './relation.ts';
import { isOnTime, uninterrupted } from './settings.ts';

const relation: Relation = {
  name: 'order-within-lag-changes-nothing',
  statement: 'the order of rows changes no result as long as none comes late',
  coverage: ['out-of-order', 'tie'],
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined || !isOnTime(testCase.dataset, traits)) return undefined;
    return sameAsFirst([whole, { ...whole, dataset: inOrderOfTime(whole.dataset) }]);
  },
};

/** Each partition's rows by event time, at the arrivals that it had. The greatest time, and W with it, stays. */
function inOrderOfTime(dataset: Dataset): Dataset {
  const streams = dataset.streams.map(({ schema, partitions }) => {
    const time = columnIndex(schema.columns, schema.eventTime);
    return {
      schema,
      partitions: partitions.map((events) => {
        const rows = events.map(({ row }) => row).sort((a, b) => (a[time] as number) - (b[time] as number));
        return events.map(({ arrival }, index) => ({ arrival, row: rows[index]! }));
      }),
    };
  });
  return { ...dataset, streams };
}

export const orderWithinLagChangesNothing = relationProperty(relation);
