/** How long something may take, and who may end it before. */
export interface Bounds {
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** What is thrown at the limit. */
  readonly atLimit: () => Error;
}

/**
 * Waits for work within bounds; `atAbort` is what is thrown once the signal says so. The work itself goes on: whoever
 * bounds it has to end it.
 */
export async function bounded<T>(
  work: Promise<T>,
  { limitMs, signal, atLimit }: Bounds,
  atAbort: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  // Nobody listens any more once the bounds are reached.
  work.catch(() => {});
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(atLimit()), limitMs);
        onAbort = () => reject(atAbort());
        if (signal?.aborted) onAbort();
        else signal?.addEventListener('abort', onAbort);
      }),
    ]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
  }
}

/** Waits for work, at most so long, whatever becomes of it. */
export async function atMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const over = () => new Error('not yet');
  await bounded(work, { limitMs, atLimit: over }, over).catch(() => {});
}

/** Work that is done once however often it is asked for. */
export function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
