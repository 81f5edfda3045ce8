import type { Case } from '../model/case.ts';
import type { Capture, Outcome } from '../model/outcome.ts';
import type { Traits } from '../model/traits.ts';
import type { Session } from './engine.ts';
import { memoryBytes } from './memory-bytes.ts';

/** What an engine answers: lines as {@link Capture} has them, or why it has no answer. */
export type InProcessAnswer =
  | { readonly format: Capture['format']; readonly lines: readonly string[] }
  | { readonly unsupported: string };

export interface InProcessEngine {
  readonly name: string;
  readonly version: string;
  readonly traits: Traits;
  /** Runs one case. What it throws is told by its class alone: a message may quote rows. */
  run(testCase: Case, signal: AbortSignal): InProcessAnswer | Promise<InProcessAnswer>;
}

/** A session on an engine that is a function of this process: for engines in JavaScript, and for bindings to others. */
export function inProcessSession({ name, version, traits, run }: InProcessEngine): Session {
  return {
    name: `${name} ${version}`,
    version,
    traits,
    async run(testCase, signal): Promise<Outcome> {
      const started = performance.now();
      let answer: InProcessAnswer;
      try {
        answer = await run(testCase, signal);
      } catch (error) {
        const kind = error instanceof Error ? error.name : 'an unknown error';
        return { kind: 'failed', step: 'run', code: 'engine-error', message: `${name} failed with ${kind}` };
      }
      if ('unsupported' in answer) return { kind: 'unsupported', reason: answer.unsupported };
      return {
        kind: 'output',
        capture: {
          format: answer.format,
          bytes: memoryBytes(answer.lines.map((line) => `${line}\n`).join('')),
        },
        evidence: { engine: name, version, sql: '', seconds: (performance.now() - started) / 1_000 },
      };
    },
    async [Symbol.asyncDispose]() {},
  };
}
