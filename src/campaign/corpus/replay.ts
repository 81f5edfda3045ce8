import { judgeOutcome } from '../../../properties/agrees-with-truth.ts';
import { judgeInterrupted } from '../../../properties/interrupted-is-prefix.ts';
import type { Session } from '../../engines/engine.ts';
import type { DifferenceVisitor } from '../../judge/judge.ts';
import type { Outcome } from '../../model/outcome.ts';
import { type Transport, transports } from '../../model/traits.ts';
import type { Verdict } from '../../model/verdict.ts';
import { StepClock } from '../step-clock.ts';
import { shorten } from '../summary.ts';
import { Truths } from '../truths.ts';
import type { Finding } from './finding.ts';
import { KnownRows } from './known-rows.ts';

/**
 * What became of a finding's case when it was run again.
 *
 * - `still-fails`: every row that differs is one of the finding's.
 * - `no-longer-fails`: the output is true.
 * - `differs`: it is wrong in another way.
 * - `not-gated`: nothing could be judged.
 * - `skipped`: the engine is not here.
 */
export type ReplayKind = 'still-fails' | 'no-longer-fails' | 'differs' | 'not-gated' | 'skipped';

export interface Replayed {
  readonly finding: string;
  readonly engine: string;
  /** Absent where the engine is. */
  readonly version?: string;
  readonly kind: ReplayKind;
  /** What differs, or why nothing was judged; holds no row value. */
  readonly reason?: string | undefined;
}

/** An engine to replay on, once a finding asks for it; `open` gives the reason instead where it is not here. */
export interface ReplayEngine {
  /** Matches the engine of a finding's signature. */
  readonly engine: string;
  /** As it is told: `clink`, `clink@…`. */
  readonly name: string;
  open(transport: Transport): Promise<Session | string>;
}

/** Runs the case of each finding on its engine again, whatever its version is, and judges it by the oracle. */
export async function* replay(
  findings: readonly Finding[],
  engines: readonly ReplayEngine[],
  signal: AbortSignal,
): AsyncGenerator<Replayed, void, void> {
  for (const { engine, name, open } of engines) {
    for (const transport of transports) {
      const group = findings.filter(
        (finding) => finding.signature.engine === engine && transportOf(finding) === transport,
      );
      if (group.length === 0) continue;
      const session = await open(transport);
      if (typeof session === 'string') {
        for (const finding of group) {
          yield { finding: finding.name, engine: name, kind: 'skipped', reason: session };
        }
        continue;
      }
      try {
        const { version } = session;
        for (const finding of group) {
          const found = await replayUntilItFails(finding, session, signal);
          if (signal.aborted) return;
          yield { finding: finding.name, engine: name, version, ...found };
        }
      } finally {
        await session[Symbol.asyncDispose]();
      }
    }
  }
}

/** Where it does not matter, files: nothing needs to be started for them. */
function transportOf({ signature }: Finding): Transport {
  return signature.transport ?? 'files';
}

/** How likely a finding that shows now and then is missed by a replay. */
const MISSED = 0.001;

/** Runs a case that fails now and then until it does, or for so long that it would have. */
async function replayUntilItFails(
  finding: Finding,
  session: Session,
  signal: AbortSignal,
): Promise<Pick<Replayed, 'kind' | 'reason'>> {
  const { k, n } = finding.confirmed;
  const most = k === n ? 1 : Math.ceil(Math.log(MISSED) / Math.log(1 - k / n));
  for (let runs = 1; ; runs++) {
    const found = await replayOne(finding, session, signal);
    if (found.kind !== 'no-longer-fails' || signal.aborted || most === 1) return found;
    if (runs === most) return { ...found, reason: `in ${runs} runs` };
  }
}

async function replayOne(
  finding: Finding,
  session: Session,
  signal: AbortSignal,
): Promise<Pick<Replayed, 'kind' | 'reason'>> {
  const outcome = await session.run(finding.testCase, signal);
  const known = new KnownRows([finding], finding.testCase);
  const verdict = await judgeAgain(finding, outcome, session, known.onDifference);
  const { reason } = shorten(verdict);
  switch (verdict.kind) {
    case 'agree':
      return { kind: 'no-longer-fails' };
    case 'diverge':
      return { kind: known.explain(verdict).length > 0 ? 'still-fails' : 'differs', reason };
    case 'inconclusive':
      // A case whose truth is empty: nothing is what there has to be.
      if (verdict.reason === 'both-empty') return { kind: 'no-longer-fails' };
      return { kind: 'not-gated', reason };
    case 'not-gated':
      return { kind: 'not-gated', reason };
  }
}

async function judgeAgain(
  { testCase }: Finding,
  outcome: Outcome,
  { traits }: Session,
  onDifference: DifferenceVisitor | undefined,
): Promise<Verdict> {
  if (testCase.schedule.stop === 'cancel' && outcome.kind === 'output') {
    return (await judgeInterrupted(testCase, outcome, traits, undefined, onDifference)).verdict;
  }
  const truths = new Truths(testCase, new StepClock(), [traits]);
  const [expected, beyond] = [truths.for(traits), truths.beyond(traits)];
  return judgeOutcome(testCase, outcome, expected, beyond, onDifference, traits);
}
