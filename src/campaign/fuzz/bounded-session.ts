import { type Session, withRun } from '../../engines/engine.ts';
import type { Case } from '../../model/case.ts';
import type { Outcome } from '../../model/outcome.ts';

/**
 * A session none of whose cases takes longer than a limit: an engine that hangs is told as what it is. Whether it heeds
 * the signal or not, the case has then failed; what it answers later is not looked at.
 */
export function boundedSession(session: Session, limitMs: number): Session {
  const runs = new BoundedRuns(session, limitMs);
  return withRun(session, (testCase, signal) => runs.run(testCase, signal));
}

/** Cases are small and many, so that they share one signal until one of them hangs. */
class BoundedRuns {
  readonly #session: Session;
  readonly #limitMs: number;
  #given: AbortSignal | undefined;
  #hung = new AbortController();
  #signal = this.#hung.signal;

  constructor(session: Session, limitMs: number) {
    this.#session = session;
    this.#limitMs = limitMs;
  }

  async run(testCase: Case, signal: AbortSignal): Promise<Outcome> {
    if (this.#given !== signal || this.#hung.signal.aborted) {
      this.#given = signal;
      this.#hung = new AbortController();
      this.#signal = AbortSignal.any([signal, this.#hung.signal]);
    }
    const hung = this.#hung;
    let timer: NodeJS.Timeout | undefined;
    const atLimit = new Promise<Outcome>((resolve) => {
      timer = setTimeout(() => {
        hung.abort();
        const message = `${this.#session.name} had not answered after ${this.#limitMs / 1_000} s`;
        resolve({ kind: 'failed', step: 'run', code: 'timeout', message });
      }, this.#limitMs);
    });
    try {
      return await Promise.race([this.#session.run(testCase, this.#signal), atLimit]);
    } finally {
      clearTimeout(timer);
    }
  }
}
