import { setImmediate as turn } from 'node:timers/promises';
import type { Property } from '../../../properties/property.ts';
import type { Session } from '../../engines/engine.ts';
import type { Case } from '../../model/case.ts';
import type { Diverge, Verdict } from '../../model/verdict.ts';
import { type Answer, confirm } from '../../reduce/index.ts';
import type { Finding } from '../corpus/finding.ts';
import { isKnown, type Searched } from '../fuzz/known-failure.ts';
import { kindsOf, showsTheSame } from '../fuzz/signature.ts';
import { checkShowing, type ShownVerdict } from './shown.ts';

/** Of the answer for a candidate, where not every run fails. */
const CONFIDENCE = 0.95;
const MOST_RUNS = 20;

/** An engine in this process gives nobody a turn who wants to interrupt. */
const RUNS_BETWEEN_TURNS = 32;

/** What is asked of candidates. */
export interface Question {
  readonly property: Property;
  readonly engines: readonly Searched[];
  /** Failures that these explain are others. */
  readonly findings: readonly Finding[];
  readonly signal: AbortSignal;
}

/** What the runs of the case to be reduced came to. */
export interface Established {
  readonly testCase: Case;
  readonly k: number;
  readonly n: number;
  /** Of the last run. */
  readonly verdict: Verdict;
  /** What it showed when it failed; undefined where it never did. */
  readonly failed: ShownVerdict<Diverge> | undefined;
}

/**
 * Runs candidates of one failing case, and tells which fail as it does: the same property, by a difference of a kind that
 * the case showed. Keeps what each failing one showed, and sums up what all of them cost.
 */
export class StillFails {
  readonly #question: Question;
  readonly #failures = new WeakMap<Case, ShownVerdict<Diverge>>();
  readonly #sessions: readonly Session[];
  /** How the case to be reduced fails; undefined until it has. */
  #failure: Diverge | undefined;
  /** In which share of runs it does. */
  #rate = 1;
  #lastFailed: Case | undefined;
  #runs = 0;
  #engineSeconds = 0;

  constructor(question: Question) {
    this.#question = question;
    this.#sessions = question.engines.map(({ session }) => session);
  }

  /** Runs of cases so far, whatever they were run for. */
  get runs(): number {
    return this.#runs;
  }

  /** Seconds that they took. */
  get engineSeconds(): number {
    return this.#engineSeconds;
  }

  /** What a case showed when it failed last. */
  shownBy(testCase: Case): ShownVerdict<Diverge> | undefined {
    return this.#failures.get(testCase);
  }

  /** Whether there is no more running. */
  get isEnded(): boolean {
    return this.#question.signal.aborted;
  }

  /** The candidate that was last found to fail the same. */
  get lastFailed(): Case | undefined {
    return this.#lastFailed;
  }

  /**
   * Runs a case until it was run so many times; what it fails by first is the failure that candidates are to share.
   * `before`: how it failed when it was run already.
   */
  async establish(testCase: Case, times: number, before?: Diverge): Promise<Established> {
    let [k, n] = before === undefined ? [0, 0] : [1, 1];
    let verdict: Verdict | undefined = before;
    let failed: ShownVerdict<Diverge> | undefined = before && { verdict: before, shown: undefined };
    this.#failure = before;
    while (n < times && !(n > 0 && this.isEnded)) {
      const run = await this.#run(testCase);
      n += 1;
      ({ verdict } = run);
      if (run.verdict.kind !== 'diverge') continue;
      this.#failure ??= run.verdict;
      if (!showsTheSame(this.#failure, run.verdict)) continue;
      k += 1;
      failed = { verdict: run.verdict, shown: run.shown };
    }
    this.#rate = k === 0 ? 1 : k / n;
    return { testCase, k, n, verdict: verdict!, failed };
  }

  /** Whether a candidate fails the same, as often as the original where that failed now and then. */
  async fails(candidate: Case): Promise<boolean> {
    return (await this.ask(candidate)).kind === 'same';
  }

  async ask(candidate: Case): Promise<Answer> {
    const { property, engines } = this.#question;
    const traits = engines.map(({ session }) => session.traits);
    if (property.applies?.(candidate, traits) === false) return { kind: 'not-a-case' };
    let engineSeconds = 0;
    let other: string | undefined;
    const { fails } = await confirm(
      async () => {
        const { verdict, seconds } = await this.#run(candidate);
        engineSeconds += seconds;
        if (verdict.kind !== 'diverge') return false;
        const isSame = this.#failure !== undefined && showsTheSame(this.#failure, verdict);
        if (isSame && !(await this.#isKnown(candidate, verdict))) return true;
        other = isSame ? 'a known finding' : kindsOf(verdict).join(' + ');
        return false;
      },
      { rate: this.#rate, confidence: CONFIDENCE, most: this.#rate < 1 ? MOST_RUNS : 1 },
    );
    if (fails) {
      this.#lastFailed = candidate;
      return { kind: 'same', engineSeconds };
    }
    return other === undefined
      ? { kind: 'none', engineSeconds }
      : { kind: 'other', failure: other, engineSeconds };
  }

  async #run(testCase: Case): Promise<ShownVerdict & { readonly seconds: number }> {
    const { property, signal } = this.#question;
    if (this.#runs % RUNS_BETWEEN_TURNS === 0) await turn();
    const started = performance.now();
    const run = await checkShowing(property, testCase, this.#sessions, signal);
    const seconds = (performance.now() - started) / 1_000;
    this.#engineSeconds += seconds;
    this.#runs += 1;
    const { verdict, shown } = run;
    if (verdict.kind === 'diverge') this.#failures.set(testCase, { verdict, shown });
    return { ...run, seconds };
  }

  async #isKnown(candidate: Case, verdict: Diverge): Promise<boolean> {
    const { property, engines, findings, signal } = this.#question;
    return isKnown(candidate, verdict, property, engines.at(-1)!, findings, signal);
  }
}
