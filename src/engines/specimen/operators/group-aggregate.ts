import type { Row, Value } from '../../../model/value.ts';
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
import type { Accumulator, Aggregation } from '../values/accumulators.ts';

interface Group {
  readonly keys: readonly Value[];
  readonly accumulators: Accumulator[];
  /** Rows of the input in the group. */
  rows: number;
  /** The row that was emitted last. */
  last: Row | undefined;
}

type Groups = Map<Key, Group>;

interface Snapshot {
  readonly groups: Groups;
  readonly channels: readonly number[];
}

/** What an unbounded aggregate's task is made for. */
export interface GroupAggregateSetting {
  /** Positions of the group keys in the input. */
  readonly keys: readonly number[];
  readonly keyOf: (row: Row) => Key;
  readonly aggregations: readonly Aggregation[];
}

/** Groups that a subtask keeps under the fault. */
const CACHED_GROUPS = 16;

/** One row for each group so far, updated by every change of the input; a group without rows has none. */
export class GroupAggregateTask implements KeyedInput, StatefulTask {
  readonly #setting: GroupAggregateSetting;
  readonly #out: Receiver;
  readonly #channels: ChannelWatermarks;
  readonly #faults: Faults;
  readonly #evicts: boolean;
  readonly #losesNull: boolean;
  readonly #countsUpdates: boolean;
  readonly #keepsBefore: boolean;
  #groups: Groups = new Map();

  constructor(setting: GroupAggregateSetting, channels: number, out: Receiver, faults: Faults) {
    this.#setting = setting;
    this.#out = out;
    this.#channels = new ChannelWatermarks(channels, faults);
    this.#faults = faults;
    this.#evicts = faults.has('hot-keys-evicted');
    this.#losesNull = faults.has('null-group-lost');
    this.#countsUpdates = faults.has('updates-count-twice');
    this.#keepsBefore = faults.has('update-before-not-sent');
  }

  change(kind: ChangeKind, row: Row): void {
    const { keys, keyOf, aggregations } = this.#setting;
    if (this.#losesNull && keys.some((position) => row[position] === null)) return;
    if (this.#countsUpdates && kind === UPDATE_BEFORE) return;
    const key = keyOf(row);
    const group = this.#groups.get(key) ?? this.#open(key, row);
    const sign = adds(kind) ? 1 : -1;
    group.rows += sign;
    for (let index = 0; index < aggregations.length; index++) {
      aggregations[index]!.update(group.accumulators[index]!, row, sign);
    }
    this.#tell(key, group);
  }

  watermarkOn(channel: number, atMs: number): void {
    this.#out.watermark(this.#channels.advance(channel, atMs));
  }

  close(reason: CloseReason): void {
    this.#out.close(reason);
  }

  snapshot(): Snapshot {
    return copyOf({ groups: this.#groups, channels: this.#channels.snapshot() });
  }

  restore(snapshot: unknown): void {
    const { groups, channels } = copyOf(snapshot as Snapshot);
    this.#groups = this.#faults.has('groups-lost-at-restore') ? new Map() : groups;
    this.#channels.restore(channels);
    if (this.#faults.has('distinct-lost-at-restore')) {
      for (const { accumulators } of groups.values()) {
        for (const accumulator of accumulators) accumulator.values?.clear();
      }
    }
  }

  #open(key: Key, row: Row): Group {
    const { keys, aggregations } = this.#setting;
    const group: Group = {
      keys: keys.map((position) => row[position]!),
      accumulators: aggregations.map((aggregation) => aggregation.create()),
      rows: 0,
      last: undefined,
    };
    if (this.#evicts && this.#groups.size === CACHED_GROUPS) {
      const [oldest] = this.#groups.keys();
      this.#groups.delete(oldest!);
    }
    this.#groups.set(key, group);
    return group;
  }

  #tell(key: Key, group: Group): void {
    const { last } = group;
    if (group.rows <= 0) {
      this.#groups.delete(key);
      if (last !== undefined) this.#out.change(DELETE, last);
      return;
    }
    const row = [...group.keys];
    const { aggregations } = this.#setting;
    for (let index = 0; index < aggregations.length; index++) {
      row.push(aggregations[index]!.result(group.accumulators[index]!));
    }
    if (last !== undefined && sameRow(last, row)) return;
    group.last = row;
    if (last === undefined) {
      this.#out.change(INSERT, row);
      return;
    }
    if (!this.#keepsBefore) this.#out.change(UPDATE_BEFORE, last);
    this.#out.change(UPDATE_AFTER, row);
  }
}
