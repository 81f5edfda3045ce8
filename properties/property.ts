import type { Session } from '../src/engines/engine.ts';
import type { Case } from '../src/model/case.ts';
import type { Traits } from '../src/model/traits.ts';
import type { Verdict } from '../src/model/verdict.ts';

/** A statement that joins generators, oracles, engines and judge; run by vitest, by fuzzing and by the CLI alike. */
export interface Property {
  readonly name: string;
  /** What is claimed, in one sentence. */
  readonly statement: string;
  /** Labels of {@link cover} that all must occur before the property is said to hold (semantics §7). */
  readonly coverage: readonly string[];
  /** Least number of cases that are not empty. */
  readonly minCases: number;
  /** About which share of all cases it claims something of, where that is little: a search then asks it early. */
  readonly share?: number;
  /** What a case reaches. */
  cover(testCase: Case): readonly string[];
  /** Whether the property claims anything of a case on engines of these traits. All cases where absent. */
  applies?(testCase: Case, traits: readonly Traits[]): boolean;
  /** The cases that {@link check} runs, where they are others than the one it is given. */
  cases?(testCase: Case, traits: Traits): readonly Case[];
  check(testCase: Case, sessions: readonly Session[], signal: AbortSignal): Promise<Verdict>;
}
