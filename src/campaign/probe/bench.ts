import type { Session } from '../../engines/engine.ts';
import type { Capture, Outcome } from '../../model/outcome.ts';
import type { StopMode } from '../../model/traits.ts';
import type { Row } from '../../model/value.ts';
import { CorruptOutput, outputRows } from './output-rows.ts';
import { NotMeasured } from './probe.ts';
import { caseOf, type TinyCase } from './tiny-case.ts';

/** What became of a tiny case. */
export type Answer =
  | { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly format: Capture['format'] }
  | { readonly kind: 'corrupt'; readonly problem: string }
  | Exclude<Outcome, { kind: 'output' }>;

/** Puts tiny cases to a session, each at most once for each way to end, and not too many at a time. */
export class Bench {
  readonly #session: Session;
  readonly #signal: AbortSignal;
  readonly #answers = new Map<TinyCase, Map<StopMode, Promise<Answer>>>();
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(session: Session, signal: AbortSignal) {
    this.#session = session;
    this.#signal = signal;
    this.#free = session.mostAtOnce ?? 1;
  }

  ask(tiny: TinyCase, stop: StopMode): Promise<Answer> {
    const known = this.#answers.get(tiny) ?? new Map<StopMode, Promise<Answer>>();
    this.#answers.set(tiny, known);
    const answer = known.get(stop) ?? this.#run(tiny, stop);
    known.set(stop, answer);
    return answer;
  }

  /** The rows of its output. @throws NotMeasured where there is none. */
  async rows(tiny: TinyCase, stop: StopMode): Promise<readonly Row[]> {
    const answer = await this.ask(tiny, stop);
    if (answer.kind === 'rows') return answer.rows;
    throw new NotMeasured(whyNoRows(answer));
  }

  async #run(tiny: TinyCase, stop: StopMode): Promise<Answer> {
    await this.#turn();
    try {
      const testCase = caseOf(tiny, stop);
      const outcome = await this.#session.run(testCase, this.#signal);
      this.#signal.throwIfAborted();
      if (outcome.kind !== 'output') return outcome;
      const { capture } = outcome;
      const rows = await outputRows(testCase.query, capture);
      await capture.release?.();
      return { kind: 'rows', rows, format: capture.format };
    } catch (error) {
      if (error instanceof CorruptOutput) return { kind: 'corrupt', problem: error.message };
      throw error;
    } finally {
      this.#free += 1;
      this.#waiting.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#free -= 1;
  }
}

/** Why an answer holds no rows. */
export function whyNoRows(answer: Exclude<Answer, { kind: 'rows' }>): string {
  switch (answer.kind) {
    case 'unsupported':
      return `the engine does not run the case: ${answer.reason}`;
    case 'corrupt':
      return answer.problem;
    case 'failed':
      return `the case failed (${answer.step}, ${answer.code}): ${answer.message}`;
  }
}
