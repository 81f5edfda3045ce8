import type { Row } from '../model/value.ts';
import { keyOf, RowBag } from './row-bag.ts';

/** The truth at the watermark of everything produced, with each row's fire point. */
export interface FiredRows {
  readonly rows: readonly Row[];
  readonly firePoints: readonly number[];
}

/** What an interrupted output must be, given what it got to, and how far it got. */
export interface Explained {
  /** The rows it must be, exactly. */
  readonly rows: readonly Row[];
  /**
   * The watermarks that explain every key: at least the fire point of the last pane seen, less than that of the first
   * that is not there, in epoch ms. `from` is −∞ where nothing was emitted, `to` +∞ where nothing is missing.
   */
  readonly watermark: { readonly from: number; readonly to: number };
  /** Rows of the truth that are not there yet: open panes, or input that was not read. */
  readonly open: number;
}

/**
 * The panes an interrupted engine must have emitted (semantics §5, Interrupted): for each key every pane before the
 * last that it shows, and of the last those rows that it shows. `keys`: positions of the columns by which the engine
 * distributes the operator; none where it runs on one subtask, so that one watermark must explain all.
 *
 * What the output holds beyond that is for the judge to find: the rows here are what it is compared with.
 */
export function explainPanes(truth: FiredRows, actual: readonly Row[], keys: readonly number[]): Explained {
  const fireOf = new Map<string, number>();
  for (const [index, row] of truth.rows.entries()) fireOf.set(keyOf(row), truth.firePoints[index]!);
  const group = (row: Row) => keyOf(keys.map((index) => row[index]!));
  const lastFire = new Map<string, number>();
  for (const row of actual) {
    const fire = fireOf.get(keyOf(row));
    // A row that is not true says nothing of the watermark.
    if (fire !== undefined) lastFire.set(group(row), Math.max(fire, lastFire.get(group(row)) ?? fire));
  }
  const shown = new RowBag(actual);
  const rows: Row[] = [];
  let from = Number.NEGATIVE_INFINITY;
  let to = Number.POSITIVE_INFINITY;
  for (const [index, row] of truth.rows.entries()) {
    const fire = truth.firePoints[index]!;
    const last = lastFire.get(group(row)) ?? Number.NEGATIVE_INFINITY;
    const isShown = shown.take(row);
    if (fire < last || isShown) rows.push(row);
    else to = Math.min(to, fire);
    if (isShown) from = Math.max(from, fire);
  }
  return { rows, watermark: { from, to }, open: truth.rows.length - rows.length };
}
