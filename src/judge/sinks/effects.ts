import type { LedgerEntry } from '../../model/history/index.ts';
import type { TokenLine } from './lineage.ts';

/** What may be delivered and take effect as one. Chunks are those of a snapshot. */
export interface Item {
  readonly kind: 'transaction' | 'message' | 'chunk';
  readonly index: number;
}

/** An effect that had been before in another transaction of the sink. */
export interface RepeatedEffect {
  readonly item: Item;
  /** The session of the repetition. */
  readonly session: number;
  /** Whether a restart lies between the two. */
  readonly prompted: boolean;
}

/** The ledger by token. */
export interface Effects {
  /** In the order of the ledger, each token's first. Deletes are not among them: a row may be written over instead. */
  readonly first: readonly LedgerEntry[];
  readonly repeated: readonly RepeatedEffect[];
}

/**
 * Finds what took effect more than once: a token in more distinct transactions of the sink than there were items that
 * bring it, be it by a write or, apart from it, by a delete. A row that a snapshot shows and the stream too may be
 * written by both. A delete counts only where the row was deleted in the source: a sink may write over a row by deleting
 * it first.
 */
export function effectsOf(
  ledger: readonly LedgerEntry[],
  lines: ReadonlyMap<string, TokenLine>,
  chunkOf: ReadonlyMap<string, number>,
): Effects {
  const first: LedgerEntry[] = [];
  const repeated: RepeatedEffect[] = [];
  const written = new Set(ledger.filter(({ effect }) => effect !== 'delete').map(placeOf));
  const seen = new Map<string, { readonly places: Set<string>; session: number; left: number }>();
  for (const entry of ledger) {
    const line = lines.get(entry.token);
    if (line === undefined) continue;
    const isDelete = entry.effect === 'delete';
    const place = placeOf(entry);
    if (isDelete && (line.ended === undefined || line.ended.isWrittenOver || written.has(place))) continue;
    const chunk = chunkOf.get(entry.token);
    const id = `${isDelete ? '-' : '+'}${entry.token}`;
    const before = seen.get(id);
    if (before === undefined) {
      if (!isDelete) first.push(entry);
      const isBoth = line.origin !== undefined && chunk !== undefined;
      seen.set(id, { places: new Set([place]), session: entry.session, left: isBoth ? 1 : 0 });
      continue;
    }
    if (before.places.has(place)) continue;
    before.places.add(place);
    if (before.left > 0) {
      before.left--;
    } else {
      const item = itemOf(line, chunk, isDelete);
      repeated.push({ item, session: entry.session, prompted: entry.session > before.session });
    }
    before.session = entry.session;
  }
  return { first, repeated };
}

function placeOf({ token, transaction }: LedgerEntry): string {
  return `${transaction} ${token}`;
}

function itemOf({ origin, ended }: TokenLine, chunk: number | undefined, isDelete: boolean): Item {
  // That a row of the token went away twice is due to what ended it.
  if (isDelete) return { kind: 'transaction', index: ended!.by };
  if (chunk !== undefined || origin === undefined) return { kind: 'chunk', index: chunk ?? 0 };
  return origin;
}
