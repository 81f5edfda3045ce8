import type { CapturedMessage, Change, History } from '../../../src/model/history/index.ts';

/** What a transaction's items are, by their ordinals. */
export interface Items {
  readonly changes: readonly Change[];
  readonly messages: readonly Pick<CapturedMessage, 'ordinal' | 'prefix' | 'content'>[];
}

/**
 * Puts messages back before the changes that follow them.
 *
 * PostgreSQL keeps a change by where its record starts and a transactional message by where its record ends, which is
 * where the next record starts. When the two belong to different savepoints it merges them by position, finds a tie, and
 * may tell the change first.
 */
export function settleTies<T extends Items>(captured: T, expected: Items): T {
  const items = inOrder(captured);
  const wanted = inOrder(expected);
  for (let index = 0; index + 1 < items.length; index++) {
    const [change, message] = [items[index]!, items[index + 1]!];
    const told = wanted[index];
    if (told === undefined || 'op' in told || !('op' in change) || 'op' in message) continue;
    if (message.content !== told.content || message.prefix !== told.prefix) continue;
    items[index] = message;
    items[index + 1] = change;
  }
  const numbered = items.map((item, ordinal) => ({ ...item, ordinal }));
  return {
    ...captured,
    changes: numbered.filter((item) => 'op' in item),
    messages: numbered.filter((item) => !('op' in item)),
  };
}

function inOrder({ changes, messages }: Items) {
  return [...changes, ...messages].toSorted((left, right) => left.ordinal - right.ordinal);
}

/** The steps that commit a transaction in which there was a savepoint. */
export function savepointCommits({ steps }: History): ReadonlySet<number> {
  const commits = new Set<number>();
  const marked = new Set<number>();
  for (const [number, step] of steps.entries()) {
    if (step.do === 'savepoint') marked.add(step.connection);
    if (step.do !== 'commit' && step.do !== 'rollback') continue;
    if (step.do === 'commit' && marked.has(step.connection)) commits.add(number);
    marked.delete(step.connection);
  }
  return commits;
}
