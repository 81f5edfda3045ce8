import type { Session } from '../../src/engines/engine.ts';
import { judge } from '../../src/judge/judge.ts';
import { RowBag } from '../../src/judge/row-bag.ts';
import type { Case } from '../../src/model/case.ts';
import type { Capture, Outcome } from '../../src/model/outcome.ts';
import type { CheckedQuery } from '../../src/model/query.ts';
import type { Traits } from '../../src/model/traits.ts';
import type { Row } from '../../src/model/value.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { labelsOf } from '../coverage.ts';
import { outputRows } from '../output-rows.ts';
import type { Property } from '../property.ts';

/** Rows that have to be the same, as bags, under the columns of a query. */
export interface Claim {
  readonly query: CheckedQuery;
  readonly expected: readonly Row[];
  readonly actual: readonly Row[];
}

/**
 * A relation between what one engine answers to several cases, all made of one. It takes no oracle, so that it also
 * shows where oracle and engine might err alike.
 */
export interface Relation {
  readonly name: string;
  readonly statement: string;
  /** Labels without which the relation is not shown to hold, beside that there are rows. */
  readonly coverage: readonly string[];
  /** As of a {@link Property}. */
  readonly share?: number;
  /**
   * The cases to be run, and what their outputs owe each other; undefined where the relation claims nothing. Outputs are
   * in the order of the cases, materialised ones as their final state.
   */
  relate(testCase: Case, traits: Traits): Related | undefined;
}

export interface Related {
  readonly cases: readonly Case[];
  claims(outputs: readonly (readonly Row[])[]): readonly Claim[];
}

/** A relation as a property: it holds for each engine by itself. */
export function relationProperty({ name, statement, coverage, share, ...relation }: Relation): Property {
  // What it claims of a case is asked for several times in a row, and costs checking queries.
  let last: { readonly of: Case; readonly traits: Traits; readonly related: Related | undefined } | undefined;
  const relate = (testCase: Case, traits: Traits) => {
    if (last?.of === testCase && last.traits === traits) return last.related;
    const related = relation.relate(testCase, traits);
    last = { of: testCase, traits, related };
    return related;
  };
  return {
    name,
    statement,
    coverage: ['rows', ...coverage],
    minCases: 30,
    ...(share === undefined ? {} : { share }),
    cover: labelsOf,
    applies: (testCase, traits) => traits.every((each) => relate(testCase, each) !== undefined),
    cases: (testCase, traits) => relate(testCase, traits)?.cases ?? [],
    async check(testCase, sessions, signal) {
      let rows = 0;
      for (const session of sessions) {
        const related = relate(testCase, session.traits);
        if (related === undefined) return passedOver(`${name} claims nothing of this case`);
        const verdict = await checkOn(session, related, signal);
        if (verdict.kind !== 'agree') return verdict;
        rows += verdict.rows;
      }
      return { kind: 'agree', rows };
    },
  };
}

async function checkOn(session: Session, { cases, claims }: Related, signal: AbortSignal): Promise<Verdict> {
  const outputs: (readonly Row[])[] = [];
  let before: ReadOutput | undefined;
  for (const each of cases) {
    const outcome = await session.run(each, signal);
    if (outcome.kind !== 'output') return withoutOutput(outcome);
    const { capture } = outcome;
    // Most outputs that should be equal are so byte for byte: one of them is read.
    const rows =
      before?.query === each.query && isSameCapture(before.capture, capture)
        ? before.rows
        : await outputRows(each.query, outcome);
    await capture.release?.();
    if ('kind' in rows) return rows;
    outputs.push(rows);
    // Released bytes may be others' by the next run.
    before = capture.release === undefined ? { query: each.query, capture, rows } : undefined;
  }
  let agreed = 0;
  for (const { query, expected, actual } of claims(outputs)) {
    if (isSameBag(expected, actual)) {
      agreed += expected.length;
      continue;
    }
    const verdict = await judge({
      columns: query.columns,
      declaration: { ...query.definition.declaration, class: 'append' },
      expected: { rows: expected },
      actual: { rows: actual },
    });
    if (verdict.kind === 'diverge') return verdict;
    if (verdict.kind === 'agree') agreed += verdict.rows;
  }
  if (agreed > 0) return { kind: 'agree', rows: agreed };
  return { kind: 'inconclusive', reason: 'both-empty', message: 'no output held a row' };
}

interface ReadOutput {
  readonly query: CheckedQuery;
  readonly capture: Capture;
  readonly rows: readonly Row[];
}

/** Equal bytes, as far as both lie in memory. */
function isSameCapture(a: Capture, b: Capture): boolean {
  const [one, other] = [a.bytes.whole, b.bytes.whole];
  if (one === undefined || other === undefined) return false;
  return a.format === b.format && Buffer.compare(one, other) === 0;
}

/** Equal rows, each as often: the judge is asked only for what differs. */
function isSameBag(expected: readonly Row[], actual: readonly Row[]): boolean {
  if (expected === actual) return true;
  if (expected.length !== actual.length) return false;
  if (expected.every((row, index) => isSameRow(row, actual[index]!))) return true;
  const bag = new RowBag(expected);
  return actual.every((row) => bag.take(row));
}

function isSameRow(a: Row, b: Row): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!Object.is(a[index], b[index])) return false;
  return true;
}

/** The verdict on a run that gave nothing to judge (semantics §7). */
export function withoutOutput(outcome: Exclude<Outcome, { kind: 'output' }>): Verdict {
  if (outcome.kind === 'unsupported') return passedOver(outcome.reason);
  return { kind: 'not-gated', step: outcome.step, code: outcome.code, message: outcome.message };
}

function passedOver(message: string): Verdict {
  return { kind: 'inconclusive', reason: 'skipped', message };
}

/** That every case gives what the first gives. */
export function sameAsFirst(cases: readonly Case[]): Related {
  return {
    cases,
    claims: ([first, ...others]) =>
      others.map((actual, index) => ({ query: cases[index + 1]!.query, expected: first!, actual })),
  };
}
