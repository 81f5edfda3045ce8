import { InputError } from '../model/errors.ts';
import type { Failed, Step } from '../model/outcome.ts';
import { KafkaError } from '../streams/kafka/run-topics.ts';
import { EngineError } from './engine.ts';

/** The outcome of a run in which a step failed. `message` holds no row value. */
export function failed(step: Step, code: string, message: string): Failed {
  return { kind: 'failed', step, code, message };
}

export const aborted = (step: Step = 'run'): Failed => failed(step, 'aborted', 'the run was aborted');

/** Carries the outcome of a failed step out of what it was called by. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
  readonly outcome: Failed;

  constructor(outcome: Failed) {
    super(outcome.message);
    this.outcome = outcome;
  }
}

/** Does a step on files, an engine or a broker; what these fail with becomes the step's failure. @throws StepFailed */
export async function atStep<T>(step: Step, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof KafkaError && error.code === 'aborted') throw new StepFailed(aborted());
    if (error instanceof KafkaError || error instanceof EngineError) {
      throw new StepFailed(failed(step, error.code, error.message));
    }
    if (error instanceof InputError) throw new StepFailed(failed(step, 'input-error', error.message));
    throw error;
  }
}
