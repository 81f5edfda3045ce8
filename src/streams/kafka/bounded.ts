import { type Bounds, bounded as boundedBy } from '../bounded.ts';
import { KafkaError } from './run-topics.ts';

/** Waits for work within bounds. @throws KafkaError `aborted` once the signal says so. */
export function bounded<T>(work: Promise<T>, bounds: Bounds): Promise<T> {
  return boundedBy(work, bounds, aborted);
}

/** The error of whoever asked for an end. */
export function aborted(): KafkaError {
  return new KafkaError('aborted', 'ended before it was done, as asked');
}

/** @throws KafkaError `aborted` once the signal says so. */
export function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw aborted();
}
