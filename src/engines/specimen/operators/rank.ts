import type { TypedColumn } from '../../../model/expression.ts';
import type { OrderKey } from '../../../model/plan/rank.ts';
import type { Row } from '../../../model/value.ts';
import {
  adds,
  type ChangeKind,
  type CloseReason,
  DELETE,
  INSERT,
  type Receiver,
  UPDATE_AFTER,
  UPDATE_BEFORE,
} from '../change.ts';
import { copyOf } from '../copy.ts';
import type { Faults } from '../faults.ts';
import type { Key } from '../keys.ts';
import { sameRow } from '../rows.ts';
import { ChannelWatermarks, type KeyedInput, type StatefulTask } from '../task.ts';
import { orderOf } from '../values/order.ts';

/** Which row stands before which. */
export type RowOrder = (a: Row, b: Row) => number;

/** The order of a rank's rows: column by column, NULL where each was asked to have it. */
export function rowOrder(
  keys: readonly OrderKey[],
  columns: readonly TypedColumn[],
  faults: Faults,
): RowOrder {
  const used = faults.has('tie-breaker-ignored') ? keys.slice(0, 1) : keys;
  const parts = used.map(({ column, direction, nulls }): RowOrder => {
    const position = columns.findIndex(({ name }) => name === column);
    const order = orderOf(columns[position]!.type, faults);
    const sign = direction === 'asc' ? 1 : -1;
    const nullSign = faults.has('null-order-by-direction') ? sign : nulls === 'first' ? -1 : 1;
    return (a, b) => {
      const left = a[position]!;
      const right = b[position]!;
      if (left === null || right === null) {
        return left === right ? 0 : left === null ? nullSign : -nullSign;
      }
      return sign * order(left, right);
    };
  });
  return (a, b) => {
    for (const part of parts) {
      const difference = part(a, b);
      if (difference !== 0) return difference;
    }
    return 0;
  };
}

/** The rows of each partition, best first: no more than the visible ones where rows never leave. */
type Partitions = Map<Key, Row[]>;

interface Snapshot {
  readonly partitions: Partitions;
  readonly channels: readonly number[];
}

/** What a rank's task is made for. */
export interface RankSetting {
  readonly keyOf: (row: Row) => Key;
  readonly order: RowOrder;
  readonly limit: number;
  /** Whether rows of the input may be withdrawn, so that those below the cut are needed. */
  readonly withdraws: boolean;
}

/** The best rows of each partition; a better row pushes the last one out, and the next one follows a row withdrawn. */
export class RankTask implements KeyedInput, StatefulTask {
  readonly #setting: RankSetting;
  readonly #out: Receiver;
  readonly #channels: ChannelWatermarks;
  readonly #faults: Faults;
  readonly #limit: number;
  readonly #kept: number;
  readonly #keepsPushedOut: boolean;
  readonly #keepsGhosts: boolean;
  #partitions: Partitions = new Map();

  constructor(setting: RankSetting, channels: number, out: Receiver, faults: Faults) {
    this.#setting = setting;
    this.#out = out;
    this.#channels = new ChannelWatermarks(channels, faults);
    this.#faults = faults;
    this.#limit = setting.limit + (faults.has('top-n-one-too-many') ? 1 : 0);
    const forgets = !setting.withdraws || faults.has('top-n-forgets-cut-rows');
    this.#kept = forgets ? this.#limit : Number.POSITIVE_INFINITY;
    this.#keepsPushedOut = faults.has('top-n-keeps-pushed-out-row');
    this.#keepsGhosts = faults.has('ghost-in-top-n');
  }

  change(kind: ChangeKind, row: Row): void {
    const key = this.#setting.keyOf(row);
    let rows = this.#partitions.get(key);
    if (rows === undefined) {
      rows = [];
      this.#partitions.set(key, rows);
    }
    if (adds(kind)) this.#add(rows, row);
    else this.#remove(rows, row);
    if (rows.length === 0) this.#partitions.delete(key);
  }

  watermarkOn(channel: number, atMs: number): void {
    this.#out.watermark(this.#channels.advance(channel, atMs));
  }

  close(reason: CloseReason): void {
    this.#out.close(reason);
  }

  snapshot(): Snapshot {
    return copyOf({ partitions: this.#partitions, channels: this.#channels.snapshot() });
  }

  restore(snapshot: unknown): void {
    const { partitions, channels } = copyOf(snapshot as Snapshot);
    this.#partitions = partitions;
    this.#channels.restore(channels);
    if (this.#faults.has('top-n-cut-lost-at-restore')) {
      for (const rows of partitions.values()) rows.splice(this.#limit);
    }
  }

  #add(rows: Row[], row: Row): void {
    const place = placeOf(rows, row, this.#setting.order);
    rows.splice(place, 0, row);
    const pushedOut = rows[this.#limit];
    if (rows.length > this.#kept) rows.pop();
    if (place >= this.#limit) return;
    const replaces = pushedOut !== undefined && this.#limit === 1;
    if (pushedOut !== undefined && !this.#keepsPushedOut) {
      this.#out.change(replaces ? UPDATE_BEFORE : DELETE, pushedOut);
    }
    this.#out.change(replaces ? UPDATE_AFTER : INSERT, row);
  }

  #remove(rows: Row[], row: Row): void {
    const place = rows.findIndex((other) => sameRow(other, row));
    if (place < 0 || (this.#keepsGhosts && place >= this.#limit)) return;
    rows.splice(place, 1);
    if (place >= this.#limit) return;
    this.#out.change(DELETE, row);
    const next = rows[this.#limit - 1];
    if (next !== undefined) this.#out.change(INSERT, next);
  }
}

/** The position behind all rows that are not after `row`. */
function placeOf(rows: readonly Row[], row: Row, order: RowOrder): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (order(rows[middle]!, row) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
