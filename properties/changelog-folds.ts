import type { Case } from '../src/model/case.ts';
import { agreesWithTruth } from './agrees-with-truth.ts';
import { labelsOf } from './coverage.ts';
import type { Property } from './property.ts';
import { drained } from './relations/settings.ts';

/**
 * Of queries that update their rows: each change must be legal where it stands, and all of them together must come to
 * the batch result (semantics §6, §7).
 */
export const changelogFoldsToBatchResult: Property = {
  name: 'changelog-folds-to-batch-result',
  statement: 'a changelog is legal at every step, and what it comes to is the result over all rows',
  coverage: ['rows', 'null', 'tie'],
  minCases: 30,
  share: 0.25,
  cover: labelsOf,
  applies: (testCase, traits) =>
    testCase.query.output.updating && traits.every((each) => drained(testCase, each) !== undefined),
  cases: (testCase) => [toItsEnd(testCase)],
  check: (testCase, sessions, signal) => agreesWithTruth.check(toItsEnd(testCase), sessions, signal),
};

/** The case read to the end of its input, however it was to stop. */
function toItsEnd({ schedule: { parallelism }, ...rest }: Case): Case {
  return { ...rest, schedule: { parallelism, stop: 'drain' } };
}
