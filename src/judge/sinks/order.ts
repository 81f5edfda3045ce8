import type { LedgerEntry } from '../../model/history/index.ts';
import type { TokenLine } from './lineage.ts';
import type { SinkProblem } from './sink-verdict.ts';

/**
 * Transactions that first took effect after a later one had, and messages of no transaction likewise. The two kinds are
 * not compared with each other: a batch may wait for its last transaction while a message is taken. Rows that a snapshot
 * shows too are left out.
 */
export function orderProblems(
  first: readonly LedgerEntry[],
  lines: ReadonlyMap<string, TokenLine>,
  chunkOf: ReadonlyMap<string, number>,
): readonly SinkProblem[] {
  const latest = { transaction: -1, message: -1 };
  const overtaken = new Map<string, { step: number; session: number }>();
  for (const { token, session } of first) {
    const origin = lines.get(token)?.origin;
    if (origin === undefined || chunkOf.has(token)) continue;
    const { kind, index, step } = origin;
    if (index < latest[kind]) overtaken.set(`${kind} ${index}`, { step, session });
    else latest[kind] = index;
  }
  const [one] = overtaken.values();
  if (one === undefined) return [];
  const message = 'took effect after a later one had';
  return [{ kind: 'reordered', count: overtaken.size, ...one, message }];
}
