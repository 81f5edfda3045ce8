import {
  type Change,
  type Delivery,
  type ExpectedTransaction,
  type History,
  type HistoryTruth,
  type LedgerEntry,
  messageToken,
  type PgRecord,
  type SinkRun,
} from '../../../src/model/history/index.ts';

/** What a sink in memory does wrong. */
export interface SinkFaults {
  /** Writes rows first and the checkpoint after, so that a restart in between applies again. */
  readonly late?: boolean;
  /** Overwrites unchanged columns with null. */
  readonly nullsUnchanged?: boolean;
  /** Writes the row of a new key and leaves the old one. */
  readonly leavesMoved?: boolean;
  /** Takes a transaction for delivered before it is applied, and loses it at a restart. */
  readonly early?: boolean;
}

/**
 * A sink in memory: rows in lists, found by comparing columns. It is handed every delivery in turn; before every third
 * transaction it is restarted, and handed those since its last checkpoint again, and the one before.
 */
export function runModelSink(
  history: History,
  { deliveries }: HistoryTruth,
  mode: 'transaction' | 'library',
  faults: SinkFaults = {},
): SinkRun {
  const keys = new Map(
    history.tables.map(({ name, key, identity, indexes }) => [
      name,
      identity.kind === 'index' ? indexes.find((index) => index.name === identity.index)!.columns : key,
    ]),
  );
  const tables = new Map(history.tables.map(({ name }) => [name, [] as PgRecord[]]));
  const ledger: LedgerEntry[] = [];
  let session = 0;
  let transaction = 0;
  let checkpoint = -1;
  let redelivered = 0;
  const note = (effect: LedgerEntry['effect'], token: string) =>
    ledger.push({ effect, token, transaction: String(transaction), session });

  const applyChange = ({ op, table, record, old, unchanged }: Change) => {
    const rows = tables.get(table)!;
    if (op === 'truncate') {
      rows.length = 0;
      return;
    }
    const by = old ?? record!;
    const at = rows.findIndex((row) => keys.get(table)!.every((column) => row[column] === by[column]));
    const before = rows[at];
    if (op === 'delete') {
      if (before === undefined) return;
      rows.splice(at, 1);
      note('delete', before.token!);
      return;
    }
    if (before !== undefined && !(faults.leavesMoved && old !== undefined)) rows.splice(at, 1);
    // Applied again, the row is at its new key already.
    const there = rows.findIndex((row) =>
      keys.get(table)!.every((column) => row[column] === record![column]),
    );
    const base = before ?? rows[there];
    if (there >= 0) rows.splice(there, 1);
    const kept = Object.fromEntries(
      unchanged.map((column) => [column, faults.nullsUnchanged ? null : (base?.[column] ?? null)]),
    );
    rows.push({ ...record, ...kept });
    note('write', record!.token!);
  };
  const apply = ({ changes, messages }: ExpectedTransaction) => {
    transaction++;
    for (const change of changes) applyChange(change);
    for (const { content } of messages) note('message', messageToken(content)!);
  };
  const deliver = (delivery: Delivery, index: number, isLast: boolean) => {
    if (delivery.kind === 'message') {
      transaction++;
      note('message', messageToken(delivery.content)!);
      return;
    }
    if (index <= checkpoint) return;
    if (!(faults.early && isLast)) apply(delivery);
    // The library's checkpoint follows the answer, and a restart may come between.
    if (!(isLast && (mode === 'library' || faults.late))) checkpoint = index;
    if (faults.early) checkpoint = index;
  };

  for (const [index, delivery] of deliveries.entries()) {
    const isRestart = index % 3 === 2;
    deliver(delivery, index, isRestart);
    if (!isRestart) continue;
    session++;
    for (const again of [index - 1, index]) {
      const each = deliveries[again]!;
      if (each.kind === 'message' && again < index) continue;
      redelivered++;
      deliver(each, again, false);
    }
  }
  return { mode, sessions: session + 1, redelivered, takesMessages: true, ledger, tables };
}
