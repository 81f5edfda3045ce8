import type { Relation } from './relation.ts';
import { relationProperty, sameAsFirst } from './relation.ts';
import { uninterrupted } from './settings.ts';

const relation: Relation = {
  name: 'restart-changes-nothing',
  statement: 'what a job gives that was restarted from its checkpoint is what it gives without',
  coverage: ['restart'],
  relate(testCase, traits) {
    const { steps = [] } = testCase.schedule;
    const whole = uninterrupted(testCase, traits);
    if (whole === undefined || traits.restart !== true || steps.length === 0) return undefined;
    return sameAsFirst([whole, testCase]);
  },
};

export const restartChangesNothing = relationProperty(relation);
