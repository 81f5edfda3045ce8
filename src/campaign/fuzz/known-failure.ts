import { agreesWithTruth, judgeOutcome, truthFor } from '../../../properties/agrees-with-truth.ts';
import { interruptedIsPrefix } from '../../../properties/interrupted-is-prefix.ts';
import type { Property } from '../../../properties/property.ts';
import type { Session } from '../../engines/engine.ts';
import type { DifferenceVisitor } from '../../judge/judge.ts';
import type { Case } from '../../model/case.ts';
import type { Transport } from '../../model/traits.ts';
import { type Diverge, isToldWhole, type Verdict } from '../../model/verdict.ts';
import { type Finding, propertyNames } from '../corpus/finding.ts';
import { findingsFor, KnownRows } from '../corpus/known-rows.ts';

/** An engine of a search, by the name it was asked for. */
export interface Searched {
  readonly name: string;
  readonly session: Session;
  /** What its session reads; files where absent. */
  readonly transport?: Transport | undefined;
}

/**
 * Whether known findings explain all that is wrong (semantics §8). Findings speak of the truth: where a property compares
 * outputs with each other, each of its cases must be true, or wrong as is known, and one at least the latter.
 */
export async function isKnown(
  testCase: Case,
  verdict: Diverge,
  property: Property,
  { name, session, transport = 'files' }: Searched,
  findings: readonly Finding[],
  signal: AbortSignal,
): Promise<boolean> {
  if (findings.length === 0) return false;
  const explains = async (one: Case, wrong: Diverge, held: (typeof propertyNames)[number]) => {
    const setting = { engine: name, version: session.version, transport, property: held } as const;
    const rows = new KnownRows(findingsFor(findings, setting), one);
    if (rows.onDifference === undefined) return false;
    if (held === 'agrees-with-truth' && !isToldWhole(wrong)) {
      return rows.explain(await judgedAgain(one, session, rows.onDifference, signal)).length > 0;
    }
    for (const difference of wrong.samples) rows.onDifference(difference);
    return rows.explain(wrong).length > 0;
  };
  const named = propertyNames.find((each) => each === property.name);
  if (named !== undefined) return await explains(testCase, verdict, named);
  let known = false;
  for (const one of property.cases?.(testCase, session.traits) ?? [testCase]) {
    const truth = one.schedule.stop === 'cancel' ? interruptedIsPrefix : agreesWithTruth;
    const found = await truth.check(one, [session], signal);
    if (found.kind !== 'diverge') continue;
    const held = truth === agreesWithTruth ? 'agrees-with-truth' : 'interrupted-is-prefix';
    if (!(await explains(one, found, held))) return false;
    known = true;
  }
  return known;
}

/** Runs a case once more, to be told of every row that differs. */
async function judgedAgain(
  testCase: Case,
  session: Session,
  onDifference: DifferenceVisitor,
  signal: AbortSignal,
): Promise<Verdict> {
  const { traits } = session;
  const outcome = await session.run(testCase, signal);
  return judgeOutcome(testCase, outcome, truthFor(testCase, traits), [], onDifference, traits);
}
