import { KafkaError } from './run-topics.ts';

/** How long something may take, and who may end it before. */
export interface Bounds {
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What is thrown at the limit. */
  readonly atLimit: () => Error;
}

/** Waits for work within bounds. The work itself goes on: whoever bounds it has to end it. */
export async function bounded<T>(work: Promise<T>, { limitMs, signal, atLimit }: Bounds): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  // Nobody listens any more once the bounds are reached.
  work.catch(() => {});
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(atLimit()), limitMs);
        onAbort = () => reject(aborted());
        if (signal?.aborted) onAbort();
        else signal?.addEventListener('abort', onAbort);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
}

/** The error of whoever asked for an end. */
export function aborted(): KafkaError {
  return new KafkaError('aborted', 'ended before it was done, as asked');
}

/** @throws KafkaError `aborted` once the signal says so. */
export function refuseAborted(signal: AbortSignal): void {
  if (signal.aborted) throw aborted();
}
