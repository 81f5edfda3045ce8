import type { Dataset } from '../../src/model/dataset.ts';
import { type Relation, relationProperty, sameAsFirst } from './relation.ts';
import { isOnTime, uninterrupted } from './settings.ts';

const relation: Relation = {
  name: 'interleaving-changes-nothing',
  statement: 'in which order partitions are read changes no row where none comes late',
  coverage: ['several-partitions'],
  relate(testCase, traits) {
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined || traits.mode === 'batch' || !isOnTime(testCase.dataset, traits))
      return undefined;
    if (testCase.dataset.streams.every(({ partitions }) => partitions.length === 1)) return undefined;
    // Read one after the other, rows lie far behind those of other partitions, and yet none is late in its own (§4).
    const dataset = oneAfterAnother(whole.dataset);
    // To a reader that sees all partitions as one, they are.
    if (traits.watermarkScope === 'reader' && !isOnTime(dataset, traits)) return undefined;
    return sameAsFirst([whole, { ...whole, dataset }]);
  },
};

/** Each partition whole before the next, the last one first. */
function oneAfterAnother(dataset: Dataset): Dataset {
  let arrival = 0;
  const streams = dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions
      .toReversed()
      .map((events) => events.map(({ row }) => ({ arrival: arrival++, row })))
      .toReversed(),
  }));
  return { ...dataset, streams };
}

export const interleavingChangesNothing = relationProperty(relation);
