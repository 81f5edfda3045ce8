import type { Guarantee } from '../../model/history/index.ts';
import type { RepeatedEffect } from './effects.ts';
import type { SinkProblem } from './sink-verdict.ts';

/** What took effect again after one restart: transactions and chunks by index, messages counted. */
export interface Duplicates {
  readonly transactions: ReadonlySet<number>;
  readonly messages: ReadonlySet<number>;
  readonly chunks: ReadonlySet<number>;
}

/** By session, from 0 on, which has none that a restart prompted. */
export function duplicatesBySession(
  repeated: readonly RepeatedEffect[],
  sessions: number,
): readonly Duplicates[] {
  return Array.from({ length: sessions }, (_, session) => {
    const items = repeated
      .filter((each) => each.prompted && each.session === session)
      .map(({ item }) => item);
    const ofKind = (kind: RepeatedEffect['item']['kind']) =>
      new Set(items.filter((item) => item.kind === kind).map(({ index }) => index));
    return { transactions: ofKind('transaction'), messages: ofKind('message'), chunks: ofKind('chunk') };
  });
}

/** Transactions from the first of these to the last. */
export function spanOf(transactions: ReadonlySet<number>): number {
  return transactions.size === 0 ? 0 : Math.max(...transactions) - Math.min(...transactions) + 1;
}

/**
 * What is beyond the bound of the mode (semantics §10), for each restart: of transactions one, or as many as are in a
 * batch, next to each other; of chunks one; of messages of no transaction any number. And what came again unasked.
 */
export function duplicateProblems(
  repeated: readonly RepeatedEffect[],
  bySession: readonly Duplicates[],
  guarantee: Guarantee,
  batchSize: number,
): readonly SinkProblem[] {
  const { dupUnits, unit } = guarantee;
  const problems: SinkProblem[] = [];
  const most = dupUnits === 0 ? 0 : unit === 'batch' ? batchSize : 1;
  for (const [session, { transactions, chunks }] of bySession.entries()) {
    const span = spanOf(transactions);
    if (span > most) {
      problems.push({
        kind: 'dup',
        count: transactions.size,
        session,
        message: `${transactions.size} transactions over ${span} took effect again, the bound is ${most}`,
      });
    }
    const mostChunks = unit === 'chunk' && dupUnits !== 0 ? 1 : 0;
    if (chunks.size > mostChunks) {
      problems.push({
        kind: 'dup',
        count: chunks.size,
        session,
        message: `${chunks.size} chunks took effect again, the bound is ${mostChunks}`,
      });
    }
  }
  const unprompted = repeated.filter(({ prompted, item }) => !prompted && item.kind !== 'message');
  if (unprompted.length > 0) {
    problems.push({
      kind: 'unprompted-dup',
      count: unprompted.length,
      session: unprompted[0]!.session,
      message: 'effects came again without a restart',
    });
  }
  return problems;
}
