import type { HistoryTruth, LedgerEntry } from '../../model/history/index.ts';
import type { TokenLine } from './lineage.ts';
import type { SinkProblem } from './sink-verdict.ts';

/** Effects that no delivery may have: of what was rolled back, of what is not published, of nothing that was written. */
export function phantomProblems(
  ledger: readonly LedgerEntry[],
  lines: ReadonlyMap<string, TokenLine>,
  { aborted, hidden }: HistoryTruth,
): readonly SinkProblem[] {
  const why = (token: string) => {
    if (aborted.has(token)) return 'rolled back';
    return hidden.has(token) ? 'not published' : 'never written';
  };
  const counts = new Map<string, { count: number; session: number }>();
  for (const { token, session } of ledger) {
    if (lines.has(token)) continue;
    const reason = why(token);
    const before = counts.get(reason);
    counts.set(reason, { count: (before?.count ?? 0) + 1, session: before?.session ?? session });
  }
  return [...counts].map(([reason, { count, session }]) => ({
    kind: 'phantom',
    count,
    session,
    message: `effects of what was ${reason}`,
  }));
}
