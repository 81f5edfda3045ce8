import type { HistoryTruth, LedgerEntry, SinkRun, TableImage } from '../../model/history/index.ts';
import type { TokenLine } from './lineage.ts';
import type { SinkProblem } from './sink-verdict.ts';

/**
 * The place among the deliveries of the first transaction that shows a column gone or another replica identity, so that
 * nothing of it may take effect any more (semantics §10, invariant 4); the number of deliveries where none does.
 */
export function haltingDelivery({ deliveries }: HistoryTruth): number {
  const place = deliveries.findIndex(
    (delivery) =>
      delivery.kind === 'transaction' && delivery.schemaChanges.some(({ kind }) => kind === 'destructive'),
  );
  return place < 0 ? deliveries.length : place;
}

/** The tables a sink must hold that has applied the first deliveries, so many of them. */
export function publishedAfter(
  { start, deliveries, commits }: HistoryTruth,
  count: number,
): ReadonlyMap<string, TableImage> {
  const next = deliveries[count];
  const done = next === undefined ? commits : commits.filter(({ step }) => step < next.step);
  return (done.at(-1) ?? start).published;
}

/** What is wrong with whether the sink halted, given the place where it must. */
export function haltProblems(
  { deliveries }: HistoryTruth,
  { halt, ledger }: SinkRun,
  place: number,
  lines: { readonly before: ReadonlyMap<string, TokenLine>; readonly all: ReadonlyMap<string, TokenLine> },
): readonly SinkProblem[] {
  const halting = deliveries[place];
  if (halting === undefined) {
    return halt === undefined ? [] : [{ kind: 'halted', count: 1, message: 'it takes no more deliveries' }];
  }
  const { step } = halting;
  const problems: SinkProblem[] = [];
  if (halt === undefined) {
    problems.push({
      kind: 'no-halt',
      count: 1,
      step,
      message: 'it goes on past a dropped column or another identity',
    });
  }
  const isPast = ({ token }: LedgerEntry) => !lines.before.has(token) && lines.all.has(token);
  const past = ledger.filter(isPast);
  if (past.length > 0) {
    problems.push({
      kind: 'past-halt',
      count: past.length,
      step,
      message: 'effects of what it must halt at',
    });
  }
  return problems;
}
