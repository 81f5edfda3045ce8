import type { Row } from '../../../model/value.ts';
import { adds, type ChangeKind, type CloseReason, type Receiver } from '../change.ts';
import { copyOf } from '../copy.ts';
import type { Faults } from '../faults.ts';
import type { Key } from '../keys.ts';
import { sameRow } from '../rows.ts';
import { ChannelWatermarks, type KeyedInput, type StatefulTask } from '../task.ts';

/** The rows of one side by join key, with their duplicates. */
type Side = Map<Key, Row[]>;

interface Snapshot {
  readonly left: Side;
  readonly right: Side;
  readonly channels: readonly number[];
}

/** What one side of a join is joined by. */
export interface JoinSideSetting {
  readonly keyOf: (row: Row) => Key;
  /** Positions of the join columns. */
  readonly keys: readonly number[];
}

/** What a join's task is made for. */
export interface JoinSetting {
  readonly left: JoinSideSetting;
  readonly right: JoinSideSetting;
  /** What a pair is asked for besides equal keys, over the left columns and then the right ones. */
  readonly accepts: ((pair: Row) => boolean) | undefined;
}

/** Inner join: a change of one side is repeated for each row of the other it pairs with. NULL equals nothing. */
export class JoinTask implements StatefulTask {
  readonly left: KeyedInput;
  readonly right: KeyedInput;
  readonly #setting: JoinSetting;
  readonly #out: Receiver;
  readonly #channels: ChannelWatermarks;
  readonly #faults: Faults;
  readonly #probesOneSide: boolean;
  readonly #nullsMatch: boolean;
  readonly #losesDuplicates: boolean;
  readonly #conditionOneSided: boolean;
  readonly #withdrawsOne: boolean;
  #leftRows: Side = new Map();
  #rightRows: Side = new Map();

  /** `channels`: how many lead to it from each side. */
  constructor(setting: JoinSetting, channels: number, out: Receiver, faults: Faults) {
    this.#setting = setting;
    this.#out = out;
    this.#channels = new ChannelWatermarks(2 * channels, faults);
    this.#faults = faults;
    this.#probesOneSide = faults.has('join-probes-one-side');
    this.#nullsMatch = faults.has('null-join-keys-match');
    this.#losesDuplicates = faults.has('join-loses-duplicates');
    this.#conditionOneSided = faults.has('join-condition-one-sided');
    this.#withdrawsOne = faults.has('join-withdraws-one-pair');
    this.left = this.#input(0, (kind, row) => this.#changeLeft(kind, row));
    this.right = this.#input(channels, (kind, row) => this.#changeRight(kind, row));
  }

  snapshot(): Snapshot {
    return copyOf({
      left: this.#leftRows,
      right: this.#rightRows,
      channels: this.#channels.snapshot(),
    });
  }

  restore(snapshot: unknown): void {
    const { left, right, channels } = copyOf(snapshot as Snapshot);
    this.#leftRows = left;
    this.#rightRows = this.#faults.has('join-side-lost-at-restore') ? new Map() : right;
    this.#channels.restore(channels);
  }

  #input(firstChannel: number, change: KeyedInput['change']): KeyedInput {
    return {
      change,
      watermarkOn: (channel, atMs) => {
        this.#out.watermark(this.#channels.advance(firstChannel + channel, atMs));
      },
      close: (reason: CloseReason) => this.#out.close(reason),
    };
  }

  #changeLeft(kind: ChangeKind, row: Row): void {
    if (!this.#keep(this.#leftRows, this.#setting.left, kind, row) || this.#probesOneSide) return;
    const { accepts } = this.#setting;
    for (const other of this.#rightRows.get(this.#setting.left.keyOf(row)) ?? []) {
      const pair = [...row, ...other];
      if (accepts !== undefined && !accepts(pair)) continue;
      this.#out.change(kind, pair);
      if (this.#withdrawsOne && !adds(kind)) return;
    }
  }

  #changeRight(kind: ChangeKind, row: Row): void {
    if (!this.#keep(this.#rightRows, this.#setting.right, kind, row)) return;
    const accepts = this.#conditionOneSided ? undefined : this.#setting.accepts;
    for (const other of this.#leftRows.get(this.#setting.right.keyOf(row)) ?? []) {
      const pair = [...other, ...row];
      if (accepts !== undefined && !accepts(pair)) continue;
      this.#out.change(kind, pair);
      if (this.#withdrawsOne && !adds(kind)) return;
    }
  }

  /** Notes a change of a side. False where the row can have no pair. */
  #keep(side: Side, { keyOf, keys }: JoinSideSetting, kind: ChangeKind, row: Row): boolean {
    if (!this.#nullsMatch && keys.some((position) => row[position] === null)) return false;
    const key = keyOf(row);
    const rows = side.get(key);
    if (adds(kind)) {
      if (rows === undefined) side.set(key, [row]);
      else if (!this.#losesDuplicates || !rows.some((other) => sameRow(other, row))) rows.push(row);
      return true;
    }
    const place = rows?.findIndex((other) => sameRow(other, row)) ?? -1;
    if (place < 0) return false;
    rows!.splice(place, 1);
    if (rows!.length === 0) side.delete(key);
    return true;
  }
}
