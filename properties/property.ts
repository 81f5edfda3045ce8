import type { Session } from '../src/engines/engine.ts';
import type { Case } from '../src/model/case.ts';
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
  /** What a case reaches. */
  cover(testCase: Case): readonly string[];
  check(testCase: Case, sessions: readonly Session[], signal: AbortSignal): Promise<Verdict>;
}
