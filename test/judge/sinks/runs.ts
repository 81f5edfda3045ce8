import { historyTruth } from '../../../oracles/history/truth.ts';
import { judgeSink } from '../../../src/judge/sinks/judge-sink.ts';
import type { SinkVerdict } from '../../../src/judge/sinks/sink-verdict.ts';
import type { History, LedgerEntry, PgRecord, SinkRun, Step } from '../../../src/model/history/index.ts';
import { history } from '../../support/histories.ts';

/**
 * A ledger in short: entries `token`, `-token` for a delete, `!token` for a message, those of one transaction of the sink
 * joined by spaces; `|` is a restart.
 */
export function ledger(...transactions: readonly string[]): LedgerEntry[] {
  let session = 0;
  const entries: LedgerEntry[] = [];
  for (const [number, text] of transactions.entries()) {
    if (text === '|') session++;
    else {
      for (const entry of text.split(' ')) {
        const effect = entry.startsWith('-') ? 'delete' : entry.startsWith('!') ? 'message' : 'write';
        const token = effect === 'write' ? entry : entry.slice(1);
        entries.push({ effect, token, transaction: `x${number}`, session });
      }
    }
  }
  return entries;
}

/** A run with this ledger, redelivery included, that holds these rows in `t`. */
export function runOf(
  mode: SinkRun['mode'],
  entries: readonly LedgerEntry[],
  rows: readonly PgRecord[],
  changed: Partial<SinkRun> = {},
): SinkRun {
  return {
    mode,
    sessions: 1 + Math.max(1, ...entries.map(({ session }) => session)),
    redelivered: 1,
    takesMessages: true,
    ledger: entries,
    tables: new Map([['t', rows]]),
    ...changed,
  };
}

export function judged(steps: readonly Step[], run: SinkRun, changed: Partial<History> = {}): SinkVerdict {
  return judgeSink(historyTruth(history(steps, changed)), run);
}

/** A verdict in short: its kind, or its problems with their counts. */
export function inShort(verdict: SinkVerdict): readonly string[] {
  if (verdict.kind === 'inconclusive') return [`inconclusive ${verdict.reason}`];
  if (verdict.kind !== 'diverge') return [verdict.kind];
  return verdict.problems.map(({ kind, count }) => `${kind} ${count}`);
}
