import { judge } from '../src/judge/judge.ts';
import type { Case } from '../src/model/case.ts';
import type { Output } from '../src/model/outcome.ts';
import type { Traits } from '../src/model/traits.ts';
import { labelsOf } from './coverage.ts';
import type { Property } from './property.ts';
import { withoutOutput } from './relations/relation.ts';
import { drained, isOnTime } from './relations/settings.ts';

/** Engines against each other, without any oracle, where their traits leave no row open (semantics §7, Pairs). */
export const sessionsAgree: Property = {
  name: 'sessions-agree',
  statement: 'engines that read the same rows to their end give the same rows',
  coverage: ['rows', 'null', 'tie', 'before-the-epoch'],
  minCases: 30,
  cover: labelsOf,
  applies: (testCase, traits) =>
    traits.length > 1 &&
    traits.every(
      (each) => isComparable(testCase, each) && each.sessionTouching === traits[0]!.sessionTouching,
    ),
  async check(testCase, sessions, signal) {
    const { columns, definition } = testCase.query;
    let first: Output | undefined;
    let rows = 0;
    for (const session of sessions) {
      const whole = drained(testCase, session.traits);
      if (whole === undefined) {
        return {
          kind: 'inconclusive',
          reason: 'skipped',
          message: `${session.name} does not read to an end`,
        };
      }
      const outcome = await session.run(whole, signal);
      if (outcome.kind !== 'output') return withoutOutput(outcome);
      if (first === undefined) {
        first = outcome;
        continue;
      }
      const verdict = await judge({
        columns,
        declaration: definition.declaration,
        expected: { capture: first.capture },
        actual: { capture: outcome.capture },
      });
      if (verdict.kind !== 'agree') return verdict;
      rows += verdict.rows;
    }
    return { kind: 'agree', rows };
  },
};

function isComparable(testCase: Case, traits: Traits): boolean {
  return (
    drained(testCase, traits) !== undefined && (traits.mode === 'batch' || isOnTime(testCase.dataset, traits))
  );
}
