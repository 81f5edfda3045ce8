import type { Dataset, StreamData } from '../../src/model/dataset.ts';
import { inArrivalOrder } from '../../src/model/dataset.ts';
import { type Relation, relationProperty, sameAsFirst } from './relation.ts';
import { drained, isOnTime } from './settings.ts';

const relation: Relation = {
  name: 'partitions-change-nothing',
  statement: 'over how many partitions the rows are spread changes no drained row where none comes late',
  coverage: ['several-partitions', 'out-of-order'],
  relate(testCase, traits) {
    const whole = drained(testCase, traits);
    if (whole === undefined || !isOnTime(testCase.dataset, traits)) return undefined;
    return sameAsFirst([
      whole,
      ...[1, 3].map((partitions) => ({ ...whole, dataset: spread(whole.dataset, partitions) })),
    ]);
  },
};

/** The rows in turn over so many partitions, in the order in which they arrived. */
function spread(dataset: Dataset, partitions: number): Dataset {
  const turned = (stream: StreamData): StreamData => {
    const events = inArrivalOrder(stream);
    return {
      schema: stream.schema,
      partitions: Array.from({ length: partitions }, (_, partition) =>
        events.filter((_, index) => index % partitions === partition),
      ),
    };
  };
  return { ...dataset, streams: dataset.streams.map(turned) };
}

export const partitionsChangeNothing = relationProperty(relation);
