import type { Property } from '../../../properties/property.ts';
import type { Case } from '../../model/case.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Tally } from './summary.ts';

type Counted = 'held' | 'empty' | 'skipped' | 'undecided' | 'known' | 'failed';

/** Counts what became of the cases of one property on one engine, and what they reached. */
export class PropertyTally {
  readonly #property: Property;
  readonly #engine: string;
  readonly #counts: Record<Counted, number> = {
    held: 0,
    empty: 0,
    skipped: 0,
    undecided: 0,
    known: 0,
    failed: 0,
  };
  readonly #notGated: Record<string, number> = {};
  readonly #missing: Set<string>;

  constructor(property: Property, engine: string) {
    this.#property = property;
    this.#engine = engine;
    this.#missing = new Set(property.coverage);
  }

  /** A verdict other than a divergence. */
  count(testCase: Case, verdict: Exclude<Verdict, { kind: 'diverge' }>): void {
    switch (verdict.kind) {
      case 'agree':
        this.#counts.held += 1;
        this.#cover(testCase);
        return;
      case 'not-gated':
        this.#notGated[verdict.code] = (this.#notGated[verdict.code] ?? 0) + 1;
        return;
      case 'inconclusive':
        if (verdict.reason === 'both-empty') this.#counts.empty += 1;
        else if (verdict.reason === 'undecided') this.#counts.undecided += 1;
        else this.#counts.skipped += 1;
    }
  }

  diverged(testCase: Case, how: 'known' | 'failed'): void {
    this.#counts[how] += 1;
    this.#cover(testCase);
  }

  get tally(): Tally {
    return {
      property: this.#property.name,
      engine: this.#engine,
      ...this.#counts,
      notGated: this.#notGated,
      missing: [...this.#missing],
      verdict: this.#verdict,
    };
  }

  get #verdict(): Tally['verdict'] {
    const { failed, held, known, empty, undecided } = this.#counts;
    const notGated = Object.keys(this.#notGated).length;
    if (failed > 0) return 'failed';
    if (notGated > 0) return 'not-gated';
    // It claims nothing of what this engine can do.
    if (held + known + empty + undecided === 0) return 'not-asked';
    if (held + known < this.#property.minCases) return 'not-enough-cases';
    return this.#missing.size > 0 ? 'not-covered' : 'held';
  }

  #cover(testCase: Case): void {
    if (this.#missing.size === 0) return;
    for (const label of this.#property.cover(testCase)) this.#missing.delete(label);
  }
}
