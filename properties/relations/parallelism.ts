import { type Relation, relationProperty, sameAsFirst } from './relation.ts';
import { isOnTime, uninterrupted } from './settings.ts';

/** Subtasks to compare one with. */
const SEVERAL = [2, 3];

const relation: Relation = {
  name: 'parallelism-changes-nothing',
  statement: 'the number of subtasks changes no row where none comes late',
  coverage: ['several-partitions'],
  relate(testCase, traits) {
    const one = uninterrupted(testCase, traits);
    if (one === undefined || traits.mode === 'batch' || !isOnTime(testCase.dataset, traits)) return undefined;
    const { stop } = one.schedule;
    return sameAsFirst([1, ...SEVERAL].map((parallelism) => ({ ...one, schedule: { parallelism, stop } })));
  },
};

export const parallelismChangesNothing = relationProperty(relation);
