import { type Bounds, bounded } from '../../streams/kafka/bounded.ts';
import { PostgresError } from './error.ts';

/** Waits for work within bounds. The work itself goes on: whoever bounds it has to end it. */
export async function within<T>(work: Promise<T>, bounds: Bounds): Promise<T> {
  try {
    return await bounded(work, bounds);
  } catch (error) {
    if (bounds.signal?.aborted && !(error instanceof PostgresError)) throw aborted();
    throw error;
  }
}

/** Waits for work, at most so long, whatever becomes of it. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  await bounded(work, { limitMs, atLimit: () => new Error('not yet') }).catch(() => {});
}

/** The error of whoever asked for an end. */
export function aborted(): PostgresError {
  return new PostgresError('aborted', 'ended before it was done, as asked');
}

/** @throws PostgresError `aborted` once the signal says so. */
export function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw aborted();
}

/** Work that is done once however often it is asked for. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
