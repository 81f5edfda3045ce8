import type { Case } from '../model/case.ts';
import { rowCount } from '../model/dataset.ts';
import { operatorsOf } from '../model/plan/rewrite.ts';
import { caseKey } from './case-key.ts';
import type { Answer, OtherFailure, ReduceOptions, ReductionStep } from './reduced.ts';

/** Candidates of one kind that are kept one after another; a round of reduction has an end by it, whatever fails. */
export const MOST_KEPT = 200;

/**
 * Asks for candidates in their order until one fails the same, within a budget and each candidate once.
 *
 * Run side by side, candidates behind the one that is kept are run in vain; they are counted if they are ever asked for
 * again, so that runs, budget and result are those of one by one.
 */
export class Asking {
  readonly #options: ReduceOptions;
  readonly #started = new Map<string, Promise<Answer>>();
  readonly #answers = new Map<string, Answer>();
  /** Cases that were the smallest once: nothing goes round in circles. */
  readonly #left = new Set<string>();
  readonly #others = new Map<string, OtherFailure>();
  readonly #steps = new Map<string, { name: string; runs: number; kept: number }>();
  #step = { name: '', runs: 0, kept: 0 };
  #best: Case;
  #stopped: 'budget' | 'interrupted' | undefined;
  #runs = 0;
  #engineSeconds = 0;

  constructor(testCase: Case, options: ReduceOptions) {
    this.#best = testCase;
    this.#options = options;
    this.#answers.set(caseKey(testCase), { kind: 'same' });
  }

  /** The smallest case so far. */
  get best(): Case {
    return this.#best;
  }

  /** Why nothing is asked any more. */
  get stopped(): 'budget' | 'interrupted' | undefined {
    return this.#stopped;
  }

  get runs(): number {
    return this.#runs;
  }

  get engineSeconds(): number {
    return this.#engineSeconds;
  }

  get otherFailures(): readonly OtherFailure[] {
    return [...this.#others.values()];
  }

  get steps(): readonly ReductionStep[] {
    return [...this.#steps.values()];
  }

  /** What is asked from now on belongs to the step of this name. */
  begin(name: string): void {
    this.#step = this.#steps.get(name) ?? { name, runs: 0, kept: 0 };
    this.#steps.set(name, this.#step);
  }

  /**
   * Keeps the first candidate that fails the same, and gives its place among those given; undefined where none does.
   * Those that are no case are passed over.
   */
  async keepFirst(candidates: Iterable<Case | undefined>): Promise<number | undefined> {
    const sideBySide = Math.max(1, this.#options.sideBySide ?? 1);
    const ahead: { readonly testCase: Case; readonly key: string; readonly place: number }[] = [];
    const source = candidates[Symbol.iterator]();
    const own = caseKey(this.#best);
    let place = -1;
    const fill = () => {
      while (ahead.length < sideBySide) {
        const next = source.next();
        if (next.done === true) return;
        place += 1;
        if (next.value === undefined) continue;
        const key = caseKey(next.value);
        if (key !== own && !this.#left.has(key) && !ahead.some((other) => other.key === key)) {
          ahead.push({ testCase: next.value, key, place });
        }
      }
    };
    try {
      for (fill(); ahead.length > 0; fill()) {
        const { testCase, key } = ahead[0]!;
        if (!this.#answers.has(key) && this.#isSpent()) return undefined;
        for (const [index, each] of ahead.slice(0, this.#affordable()).entries()) {
          if (index === 0 || !this.#answers.has(each.key)) this.#start(each.key, each.testCase);
        }
        const answer = await this.#consume(key);
        if (answer === undefined) return undefined;
        if (answer.kind === 'other') this.#noteOther(answer.failure, testCase);
        if (answer.kind === 'same') {
          this.#left.add(own);
          this.#best = testCase;
          this.#step.kept += 1;
          return ahead[0]!.place;
        }
        ahead.shift();
      }
      return undefined;
    } finally {
      // None is left running when whoever asked goes on.
      await Promise.allSettled(this.#started.values());
    }
  }

  /**
   * Keeps candidates until none fails, from the first one on each time: the case is another one. Every step leads to a
   * plainer case, of which there are few; should one ever not, {@link MOST_KEPT} of them are enough.
   */
  async keepAll(candidates: (testCase: Case) => Iterable<Case | undefined>): Promise<void> {
    for (let kept = 0; kept < MOST_KEPT; kept++) {
      if ((await this.keepFirst(candidates(this.#best))) === undefined) return;
    }
  }

  #isSpent(): boolean {
    const { budget, signal } = this.#options;
    if (this.#stopped === undefined) {
      if (signal?.aborted === true) this.#stopped = 'interrupted';
      else if (this.#runs >= (budget?.runs ?? Number.POSITIVE_INFINITY)) this.#stopped = 'budget';
      else if (this.#engineSeconds >= (budget?.engineSeconds ?? Number.POSITIVE_INFINITY))
        this.#stopped = 'budget';
    }
    return this.#stopped !== undefined;
  }

  #affordable(): number {
    return Math.max(1, (this.#options.budget?.runs ?? Number.POSITIVE_INFINITY) - this.#runs);
  }

  #start(key: string, testCase: Case): void {
    if (this.#answers.has(key) || this.#started.has(key)) return;
    const answer = this.#options.stillFails(testCase);
    // Told where it is awaited, if ever.
    answer.catch(() => {});
    this.#started.set(key, answer);
  }

  /** The answer, paid for when it is first needed; undefined where a signal came before it. */
  async #consume(key: string): Promise<Answer | undefined> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = await this.#started.get(key)!;
    if (this.#options.signal?.aborted === true && answer.kind !== 'same') {
      this.#stopped = 'interrupted';
      return undefined;
    }
    this.#started.delete(key);
    this.#answers.set(key, answer);
    if (answer.kind !== 'not-a-case') {
      this.#runs += 1;
      this.#step.runs += 1;
      this.#engineSeconds += answer.engineSeconds ?? 0;
    }
    return answer;
  }

  #noteOther(failure: string, testCase: Case): void {
    const before = this.#others.get(failure);
    if (before === undefined || sizeOf(testCase) < sizeOf(before.testCase)) {
      this.#others.set(failure, { failure, testCase });
    }
  }
}

/** Events first, then operators. */
function sizeOf({ query, dataset }: Case): number {
  const events = dataset.streams.reduce((sum, stream) => sum + rowCount(stream), 0);
  return events * 1_000 + operatorsOf(query.plan).length;
}
