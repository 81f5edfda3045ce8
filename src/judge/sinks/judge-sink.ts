import { guarantees, type HistoryTruth, type SinkRun } from '../../model/history/index.ts';
import { duplicateProblems, duplicatesBySession, spanOf } from './duplicates.ts';
import { effectsOf } from './effects.ts';
import { haltingDelivery, haltProblems, publishedAfter } from './halt.ts';
import { lineage } from './lineage.ts';
import { lossesOf, lossProblems } from './losses.ts';
import { orderProblems } from './order.ts';
import { phantomProblems } from './phantoms.ts';
import { judgeRows } from './rows.ts';
import type { SinkNumbers, SinkVerdict } from './sink-verdict.ts';

/**
 * Judges what a sink made of a history under the guarantee of its mode (semantics §10): whether it halted when it had
 * to, its effects by the ledger, and its rows at the end by key.
 *
 * A sink that halts although nothing called for it is told of that first; what is missing since is no other problem.
 * Where nothing is wrong but nothing came again either, the verdict is inconclusive.
 */
export function judgeSink(truth: HistoryTruth, run: SinkRun): SinkVerdict {
  const { mode, sessions, chunks = [], takesMessages, ledger } = run;
  const guarantee = guarantees[mode];
  const batchSize = guarantee.unit === 'batch' ? (run.batchSize ?? 1) : 1;
  const end = haltingDelivery(truth);
  const isHaltedEarly = run.halt !== undefined && end === truth.deliveries.length;
  const all = lineage(truth, truth.deliveries.length);
  const lines = lineage(truth, end);

  const chunkOf = new Map(chunks.flatMap((tokens, index) => tokens.map((token) => [token, index] as const)));
  const { first, repeated } = effectsOf(ledger, lines, chunkOf);
  const bySession = duplicatesBySession(repeated, sessions);
  const again = new Set(bySession.flatMap(({ transactions }) => [...transactions]));
  const isIncremental = mode === 'incremental-snapshot' || mode === 'library-incremental-snapshot';
  const losses = isHaltedEarly
    ? []
    : lossesOf({ lines, first, chunkOf, sessions, batchSize, takesMessages, isIncremental });
  const judged = judgeRows(publishedAfter(truth, end), run.tables, lines, again);
  const problems = [
    ...haltProblems(truth, run, end, { before: lines, all }),
    ...lossProblems(losses),
    ...duplicateProblems(repeated, bySession, guarantee, batchSize),
    ...phantomProblems(ledger, all, truth),
    ...orderProblems(first, lines, chunkOf),
    ...(isHaltedEarly ? [] : judged.problems),
  ];

  const delivered = truth.deliveries.slice(0, end);
  const restarts = bySession.slice(1).map((dup, index) => ({
    dupTransactions: dup.transactions.size,
    dupSpan: spanOf(dup.transactions),
    dupMessages: dup.messages.size,
    dupChunks: dup.chunks.size,
    loss: losses.filter(({ session }) => session === index + 1).length,
  }));
  const numbers: SinkNumbers = {
    transactions: delivered.filter(({ kind }) => kind === 'transaction').length,
    messages: delivered.filter(({ kind }) => kind === 'message').length,
    chunks: chunks.length,
    rows: judged.rows,
    doubtful: judged.doubtful,
    redelivered: run.redelivered,
    dup: restarts.reduce((sum, each) => sum + each.dupTransactions + each.dupMessages + each.dupChunks, 0),
    loss: losses.length,
    restarts,
  };
  if (problems.length > 0) return { kind: 'diverge', numbers, problems };
  if (lines.size === 0 && delivered.length === 0) {
    return { kind: 'inconclusive', reason: 'both-empty', message: 'nothing was to be delivered', numbers };
  }
  if (run.redelivered === 0) {
    return { kind: 'inconclusive', reason: 'uncovered', message: 'nothing was delivered again', numbers };
  }
  return { kind: 'agree', numbers };
}
