import { type Bounds, bounded } from '../../streams/bounded.ts';
import { PostgresError } from './error.ts';

/** Waits for work within bounds. @throws PostgresError `aborted` also for what else fails once the signal says so. */
export async function within<T>(work: Promise<T>, bounds: Bounds): Promise<T> {
  try {
    return await bounded(work, bounds, aborted);
  } catch (error) {
    if (bounds.signal?.aborted && !(error instanceof PostgresError)) throw aborted();
    throw error;
  }
}

/** The error of whoever asked for an end. */
export function aborted(): PostgresError {
  return new PostgresError('aborted', 'ended before it was done, as asked');
}

/** @throws PostgresError `aborted` once the signal says so. */
export function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw aborted();
}
