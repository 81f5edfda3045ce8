import {
  type Change,
  type HistoryTruth,
  keyText,
  messageToken,
  rowKey,
  type Table,
  TOKEN_COLUMN,
} from '../../model/history/index.ts';

/** What must be delivered, counted apart: the first, second, … transaction, or message of none. */
export interface Origin {
  readonly kind: 'transaction' | 'message';
  readonly index: number;
  /** The step of the history that commits or emits it. */
  readonly step: number;
}

/** Where a token comes from and what became of its row. */
export interface TokenLine {
  /** Undefined for rows that were there before delivery began, which only a snapshot shows. */
  readonly origin: Origin | undefined;
  readonly isMessage: boolean;
  /** The index of the transaction that wrote over the row, or deleted it or truncated its table. */
  ended: { readonly by: number; readonly isWrittenOver: boolean } | undefined;
  /** The columns that the write left unchanged. */
  readonly unchanged: readonly string[];
  /**
   * By column, the transactions that moved the row and left the column unchanged, since it was last assigned. Applied
   * again, such a change finds no row at the old key, or another one, and the value cannot be had any more.
   */
  readonly carried: ReadonlyMap<string, ReadonlySet<number>>;
}

/** Every token that may take effect, by what is there at the start and the first deliveries, so many of them. */
export function lineage({ start, deliveries }: HistoryTruth, until: number): Map<string, TokenLine> {
  const lines = new Map<string, TokenLine>();
  /** The token of each row there is, by table and row key. */
  const rows = new Map<string, Map<string, string>>();
  const tables = new Map<string, Table>();
  for (const [name, { table, rows: started }] of start.published) {
    tables.set(name, table);
    const tokens = [...started].map(([key, row]): [string, string] => [key, row[TOKEN_COLUMN]!]);
    rows.set(name, new Map(tokens));
    for (const [, token] of tokens) {
      lines.set(token, {
        origin: undefined,
        isMessage: false,
        ended: undefined,
        unchanged: [],
        carried: new Map(),
      });
    }
  }
  let transactions = 0;
  let messages = 0;
  for (const delivery of deliveries.slice(0, until)) {
    if (delivery.kind === 'message') {
      tell(delivery.content, { kind: 'message', index: messages++, step: delivery.step });
      continue;
    }
    const origin: Origin = { kind: 'transaction', index: transactions++, step: delivery.step };
    for (const change of delivery.changes) apply(change, origin);
    for (const { content } of delivery.messages) tell(content, origin);
  }
  return lines;

  function tell(content: string, origin: Origin): void {
    lines.set(messageToken(content)!, {
      origin,
      isMessage: true,
      ended: undefined,
      unchanged: [],
      carried: new Map(),
    });
  }

  function apply({ op, table, record, old, unchanged }: Change, origin: Origin): void {
    const live = rows.get(table)!;
    const columns = rowKey(tables.get(table)!);
    const end = (key: string) => {
      const token = live.get(key);
      if (token !== undefined) lines.get(token)!.ended = { by: origin.index, isWrittenOver: record !== null };
      live.delete(key);
    };
    if (op === 'truncate') {
      for (const key of [...live.keys()]) end(key);
      return;
    }
    const from = old === undefined ? undefined : keyText(old, columns);
    const to = record === null ? undefined : keyText(record, columns);
    const before = lines.get(live.get(from ?? to ?? '') ?? '');
    if (from !== undefined) end(from);
    if (record === null || to === undefined) return;
    end(to);
    const token = record[TOKEN_COLUMN]!;
    live.set(to, token);
    const moved = from !== undefined && from !== to ? [origin.index] : [];
    const carried = new Map(
      unchanged.map((name) => [name, new Set([...(before?.carried.get(name) ?? []), ...moved])]),
    );
    lines.set(token, { origin, isMessage: false, ended: undefined, unchanged, carried });
  }
}
