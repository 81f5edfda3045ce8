import { OracleRefusal } from '../oracles/refusal.ts';
import { type Truth, truth } from '../oracles/truth.ts';
import { appendedRows } from '../src/judge/appended-rows.ts';
import { explainPrefixes } from '../src/judge/explain-prefixes.ts';
import { type Explained, explainPanes } from '../src/judge/interrupted.ts';
import { type DifferenceVisitor, judge } from '../src/judge/judge.ts';
import type { Case } from '../src/model/case.ts';
import type { Output } from '../src/model/outcome.ts';
import type { Plan } from '../src/model/plan/index.ts';
import { WINDOW_END, WINDOW_START } from '../src/model/plan/relation.ts';
import type { Traits } from '../src/model/traits.ts';
import type { Verdict } from '../src/model/verdict.ts';
import { labelsOf } from './coverage.ts';
import type { Property } from './property.ts';
import { withoutOutput } from './relations/relation.ts';

/** The verdict on an interrupted run, and what it reached: nothing is proved where no pane was open. */
export interface InterruptedVerdict {
  readonly verdict: Verdict;
  /**
   * Undefined where the output was not judged by prefix. `open`: rows of the drained truth that were not there yet, be
   * it for input that was not read or for panes beyond the watermark of everything produced.
   */
  readonly explained?: Omit<Explained, 'rows'> | undefined;
}

/** The truth of a case so far, under an engine's traits. @throws OracleRefusal */
export type TruthOf = (until: 'settled' | 'drained') => Truth;

/**
 * Judges the output of a run that was cancelled while it read (semantics §5, Interrupted): it must be a prefix of the
 * truth, key by key where the engine distributes the work by key, and hold nothing beyond the watermark of everything
 * produced. What is neither a pane of an outermost window nor a row for a row is not judged yet, and says so.
 */
export async function judgeInterrupted(
  testCase: Case,
  output: Output,
  traits: Traits,
  truthOf: TruthOf = (until) => truth(testCase.query, testCase.dataset, until, traits),
  onDifference?: DifferenceVisitor,
): Promise<InterruptedVerdict> {
  const { query, schedule } = testCase;
  const { declaration } = query.definition;
  if (query.output.updating) {
    return notJudged('the state of an interrupted materialised query is not judged: stop it once settled');
  }
  const shape = shapeOf(query.plan);
  if (shape === undefined)
    return notJudged('an interrupted query of this shape has no prefix to be judged by');
  try {
    const settled = truthOf('settled');
    const drained = truthOf('drained');
    const actual = await appendedRows(query.columns, output.capture);
    const explained =
      shape.kind === 'per-record'
        ? explainPrefixes(perPartition(testCase, shape.stream, traits), actual)
        : explainPanes(settled, actual, schedule.parallelism === 1 ? [] : positions(testCase, shape.keys));
    if (explained === undefined) {
      const message = 'equal rows of several partitions leave open which of them were read';
      return { verdict: { kind: 'inconclusive', reason: 'undecided', message } };
    }
    const due = settled.watermark + traits.fireEarlyMs.window;
    const beyond = drained.rows.filter((_, index) => drained.firePoints[index]! > due);
    const verdict = await judge({
      columns: query.columns,
      declaration,
      expected: { rows: explained.rows },
      actual: { capture: output.capture },
      beyond,
      onDifference,
    });
    return { verdict, explained: { watermark: explained.watermark, open: explained.open + beyond.length } };
  } catch (error) {
    if (!(error instanceof OracleRefusal)) throw error;
    return { verdict: { kind: 'inconclusive', reason: 'undecided', message: error.message } };
  }
}

/** The same as a property: what a job shows that was cancelled while it read is a prefix of the truth. */
export const interruptedIsPrefix: Property = {
  name: 'interrupted-is-prefix',
  statement:
    'what a job has given when it is cancelled is a prefix of the truth, and nothing beyond its watermark',
  // That something was open when it was cancelled is asked of each case by itself.
  coverage: ['rows', 'several-partitions', 'null'],
  minCases: 30,
  cover: labelsOf,
  applies: ({ query, schedule }, traits) =>
    schedule.stop === 'cancel' &&
    !query.output.updating &&
    shapeOf(query.plan) !== undefined &&
    traits.every(({ mode, stops }) => mode === 'streaming' && stops.includes('cancel')),
  async check(testCase, sessions, signal) {
    let rows = 0;
    for (const session of sessions) {
      const outcome = await session.run(testCase, signal);
      if (outcome.kind !== 'output') return withoutOutput(outcome);
      const { verdict, explained } = await judgeInterrupted(testCase, outcome, session.traits);
      // Nothing is as it has to be where all that was read is still open (semantics §7).
      const isEmpty = verdict.kind === 'inconclusive' && verdict.reason === 'both-empty';
      if (isEmpty && (explained?.open ?? 0) > 0) rows += 1;
      else if (verdict.kind !== 'agree') return verdict;
      else rows += verdict.rows;
    }
    return { kind: 'agree', rows };
  },
};

function notJudged(message: string): InterruptedVerdict {
  return { verdict: { kind: 'not-gated', step: 'settle', code: 'interrupted', message } };
}

type Shape =
  | { readonly kind: 'per-record'; readonly stream: string }
  | { readonly kind: 'panes'; readonly keys: readonly string[]; readonly end: string };

/**
 * How the output of a plan grows: a row for a row of one stream, or pane by pane of an outermost window, whose `end` and
 * `keys` the output shows. Without them equal rows of several panes could not be told apart.
 */
function shapeOf(plan: Plan): Shape | undefined {
  switch (plan.op) {
    case 'scan':
      return { kind: 'per-record', stream: plan.stream };
    case 'filter':
      return shapeOf(plan.input);
    case 'project': {
      const inner = shapeOf(plan.input);
      if (inner?.kind !== 'panes') return inner;
      const shownAs = (name: string) =>
        plan.columns.find(({ value }) => 'col' in value && value.col === name)?.as;
      const keys = inner.keys.map(shownAs);
      const end = shownAs(inner.end);
      return end !== undefined && keys.every((name) => name !== undefined)
        ? { kind: 'panes', keys, end }
        : undefined;
    }
    case 'aggregate': {
      const keys = plan.keys.filter((key) => key !== WINDOW_START && key !== WINDOW_END);
      return keys.length < plan.keys.length ? { kind: 'panes', keys, end: WINDOW_END } : undefined;
    }
    default:
      return undefined;
  }
}

function positions({ query }: Case, names: readonly string[]): readonly number[] {
  return names.map((name) => query.columns.findIndex((column) => column.name === name));
}

/** The true rows of each partition of the one stream a per-record plan reads, in the partition's order. */
function perPartition({ query, dataset }: Case, stream: string, traits: Traits) {
  const { partitions, schema } = dataset.streams.find(({ schema: { name } }) => name === stream)!;
  return partitions.map((events) => {
    const alone = { ...dataset, streams: [{ schema, partitions: [events] }] };
    return truth(query, alone, 'drained', traits).rows;
  });
}
