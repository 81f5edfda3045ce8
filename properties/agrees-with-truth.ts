import { truthCandidates } from '../oracles/candidates/index.ts';
import { OracleRefusal } from '../oracles/refusal.ts';
import { type Truth, truth, type Until } from '../oracles/truth.ts';
import { appendedRows } from '../src/judge/appended-rows.ts';
import { type DifferenceVisitor, type JudgeOptions, judge } from '../src/judge/judge.ts';
import type { Case } from '../src/model/case.ts';
import type { Capture, Outcome } from '../src/model/outcome.ts';
import type { StopMode, Traits } from '../src/model/traits.ts';
import type { Row } from '../src/model/value.ts';
import type { Inconclusive, Verdict } from '../src/model/verdict.ts';
import { coverage, labelsOf } from './coverage.ts';
import { explainByLateness } from './explained-by-lateness.ts';
import type { Property } from './property.ts';

/** The output of each session is the truth at its own watermark, no more and no less (semantics §5). */
export const agreesWithTruth: Property = {
  name: 'agrees-with-truth',
  statement: 'the output of an engine is the truth at its watermark',
  coverage,
  minCases: 100,
  cover: labelsOf,
  applies: ({ schedule: { stop } }, traits) =>
    (stop === 'drain' || stop === 'settle-cancel') && traits.every(({ stops }) => stops.includes(stop)),
  async check(testCase, sessions, signal) {
    let rows = 0;
    for (const session of sessions) {
      const expected = truthFor(testCase, session.traits);
      const outcome = await session.run(testCase, signal);
      const verdict = await judgeOutcome(testCase, outcome, expected, [], undefined, session.traits);
      if (verdict.kind !== 'agree') return verdict;
      rows += verdict.rows;
    }
    return { kind: 'agree', rows };
  },
};

/** How far the truth reaches for a run that ends so: a cancelled one shows a prefix of it (semantics §5). */
export function untilOf(stop: StopMode): Until | undefined {
  if (stop === 'drain') return 'drained';
  return stop === 'kill' ? undefined : 'settled';
}

/** The truth a session is held to, or why there is none. */
export function truthFor(testCase: Case, traits: Traits): Truth | OracleRefusal {
  const until = untilOf(testCase.schedule.stop);
  if (until === undefined) throw new Error(`a run that ends in ${testCase.schedule.stop} has no one truth`);
  try {
    return truth(testCase.query, testCase.dataset, until, traits);
  } catch (error) {
    if (error instanceof OracleRefusal) return error;
    throw error;
  }
}

/**
 * Judges what became of a run against the truth it was held to. `beyond`: rows true after the watermark only.
 * `onDifference`: see the judge's option. `traits`: those of the engine; with them, a truth that late rows leave open is
 * one of several (semantics §4), without them it is undecided.
 */
export async function judgeOutcome(
  testCase: Case,
  outcome: Outcome,
  expected: Truth | OracleRefusal,
  beyond: readonly Row[] = [],
  onDifference?: DifferenceVisitor,
  traits?: Traits,
): Promise<Verdict> {
  switch (outcome.kind) {
    case 'failed':
      return { kind: 'not-gated', step: outcome.step, code: outcome.code, message: outcome.message };
    case 'unsupported':
      return { kind: 'inconclusive', reason: 'skipped', message: outcome.reason };
    case 'output':
      if (expected instanceof OracleRefusal) {
        const { capture } = outcome;
        return traits !== undefined && expected.code === 'undecided-lateness'
          ? judgeByLateness(testCase, capture, traits, { beyond, onDifference })
          : undecided(expected.message);
      }
      return judge({
        columns: testCase.query.columns,
        declaration: testCase.query.definition.declaration,
        expected: { rows: expected.rows },
        actual: { capture: outcome.capture },
        beyond,
        onDifference,
      });
  }
}

/** Judges an output by whether one choice of the late rows that may be counted explains it all (semantics §4). */
async function judgeByLateness(
  testCase: Case,
  capture: Capture,
  traits: Traits,
  rest: Pick<JudgeOptions, 'beyond' | 'onDifference'>,
): Promise<Verdict> {
  const { query, dataset, schedule } = testCase;
  const { columns, definition } = query;
  const { declaration } = definition;
  try {
    const until = untilOf(schedule.stop);
    const candidates = until === undefined ? undefined : truthCandidates(query, dataset, until, traits);
    if (candidates === undefined) return undecided(new OracleRefusal('undecided-lateness').message);
    const actual = await appendedRows(columns, capture);
    const explained = explainByLateness(candidates, actual, columns, declaration);
    const expected = { rows: explained.rows };
    const verdict = await judge({ columns, declaration, expected, actual: { capture }, ...rest });
    return verdict.kind === 'agree' && explained.undecided > 0
      ? undecided(`${explained.undecided} groups of panes have more candidates than are looked through`)
      : verdict;
  } catch (error) {
    if (error instanceof OracleRefusal) return undecided(error.message);
    throw error;
  }
}

function undecided(message: string): Inconclusive {
  return { kind: 'inconclusive', reason: 'undecided', message };
}
