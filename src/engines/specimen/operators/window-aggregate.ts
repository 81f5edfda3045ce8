import type { Row, Value } from '../../../model/value.ts';
import { type ChangeKind, type CloseReason, INSERT, type Receiver } from '../change.ts';
import { copyOf } from '../copy.ts';
import type { Faults } from '../faults.ts';
import type { Key } from '../keys.ts';
import { ChannelWatermarks, type KeyedInput, type StatefulTask, type SubtaskPlace } from '../task.ts';
import { setTimer, type Timers, takeDue } from '../timers.ts';
import type { Accumulator, Aggregation } from '../values/accumulators.ts';

interface Pane {
  readonly keys: readonly Value[];
  readonly accumulators: Accumulator[];
}

interface State {
  watermarkMs: number;
  panes: Map<Key, Pane>;
  timers: Timers;
}

interface Snapshot {
  readonly state: State;
  readonly channels: readonly number[];
}

/** What a window aggregate's task is made for. */
export interface WindowAggregateSetting {
  /** Positions of the group keys, the bounds among them, in the input. */
  readonly keys: readonly number[];
  /** Key of a row's group within its window. */
  readonly paneKeyOf: (row: Row) => Key;
  readonly endPosition: number;
  /** Event time of a row, where a projection has not dropped it. */
  readonly timeOf: ((row: Row) => number) | undefined;
  /** Positions of the group keys besides the bounds. */
  readonly otherKeys: readonly number[];
  readonly aggregations: readonly Aggregation[];
  /** Whether every row of a window is given at once: sessions decide themselves what is late. */
  readonly lateDecidedBefore: boolean;
}

/** Rows for which, under the fault, the watermark seems to stand still. */
const BATCH_ROWS = 256;

/**
 * One row for each group of a window, once the watermark reaches the window's last millisecond (semantics §2, f = 1).
 * A row is late for a window that has fired, and then not counted there (§4). Windows without a row emit nothing.
 */
export class WindowAggregateTask implements KeyedInput, StatefulTask {
  readonly #setting: WindowAggregateSetting;
  readonly #out: Receiver;
  readonly #channels: ChannelWatermarks;
  readonly #faults: Faults;
  readonly #latestMs: (watermarkMs: number) => number;
  readonly #reopens: boolean;
  readonly #byRowTime: boolean;
  readonly #lateBelow: 0 | 1;
  readonly #batches: boolean;
  readonly #losesNull: boolean;
  readonly #firesTwice: boolean;
  readonly #lastOfMany: boolean;
  #state: State = { watermarkMs: Number.NEGATIVE_INFINITY, panes: new Map(), timers: [] };
  #rows = 0;
  #watermarkOfBatchMs = Number.NEGATIVE_INFINITY;

  constructor(setting: WindowAggregateSetting, place: SubtaskPlace, out: Receiver, faults: Faults) {
    this.#setting = setting;
    this.#out = out;
    this.#channels = new ChannelWatermarks(place.channels, faults);
    this.#lastOfMany = place.lastOfMany;
    this.#faults = faults;
    const shiftMs = faults.has('fires-one-ms-late') ? -1 : faults.has('fires-one-ms-early') ? 1 : 0;
    this.#latestMs = (watermarkMs) => watermarkMs + shiftMs;
    this.#reopens = faults.has('late-row-reopens-pane');
    this.#byRowTime = faults.has('late-by-row-time');
    this.#lateBelow = faults.has('late-test-off-by-one') ? 1 : 0;
    this.#batches = faults.has('batch-takes-late-rows');
    this.#losesNull = faults.has('null-group-lost');
    this.#firesTwice = faults.has('pane-fires-twice');
  }

  change(_kind: ChangeKind, row: Row): void {
    const { paneKeyOf, endPosition, keys, aggregations } = this.#setting;
    if (this.#losesNull && this.#setting.otherKeys.some((position) => row[position] === null)) return;
    const lastMs = (row[endPosition] as number) - 1;
    if (this.#isLate(lastMs, row)) return;
    const { panes, timers } = this.#state;
    const key = paneKeyOf(row);
    let pane = panes.get(key);
    if (pane === undefined) {
      pane = {
        keys: keys.map((position) => row[position]!),
        accumulators: aggregations.map((aggregation) => aggregation.create()),
      };
      panes.set(key, pane);
      setTimer(timers, lastMs, key);
    }
    for (let index = 0; index < aggregations.length; index++) {
      aggregations[index]!.update(pane.accumulators[index]!, row, 1);
    }
  }

  watermarkOn(channel: number, atMs: number): void {
    const watermark = this.#channels.advance(channel, atMs);
    const state = this.#state;
    if (watermark <= state.watermarkMs) return;
    this.#fire(watermark);
    state.watermarkMs = watermark;
    this.#out.watermark(watermark);
  }

  close(reason: CloseReason): void {
    const flushes =
      this.#faults.has('cancel-flushes-panes') ||
      (this.#lastOfMany && this.#faults.has('cancel-flushes-one-subtask'));
    if (reason === 'cancelled' && flushes) this.#fire(Number.POSITIVE_INFINITY);
    this.#out.close(reason);
  }

  snapshot(): Snapshot {
    return copyOf({ state: this.#state, channels: this.#channels.snapshot() });
  }

  restore(snapshot: unknown): void {
    const { state, channels } = copyOf(snapshot as Snapshot);
    this.#state = state;
    this.#channels.restore(channels);
    if (this.#faults.has('open-panes-lost-at-restore')) state.panes = new Map();
    if (this.#faults.has('timers-lost-at-restore')) state.timers = [];
    if (this.#faults.has('progress-lost-at-restore')) {
      state.watermarkMs = Number.NEGATIVE_INFINITY;
      this.#channels.forget();
    }
    if (this.#faults.has('distinct-lost-at-restore')) forgetDistinct(state);
  }

  #isLate(lastMs: number, row: Row): boolean {
    if (this.#reopens || this.#setting.lateDecidedBefore) return false;
    const watermark = this.#batches ? this.#watermarkBeforeBatch() : this.#state.watermarkMs;
    if (this.#byRowTime && this.#setting.timeOf !== undefined) return this.#setting.timeOf(row) <= watermark;
    return lastMs <= this.#latestMs(watermark) - this.#lateBelow;
  }

  #watermarkBeforeBatch(): number {
    if (this.#rows % BATCH_ROWS === 0) this.#watermarkOfBatchMs = this.#state.watermarkMs;
    this.#rows += 1;
    return this.#watermarkOfBatchMs;
  }

  #fire(watermarkMs: number): void {
    const { panes, timers } = this.#state;
    const { aggregations } = this.#setting;
    const due = takeDue(timers, this.#latestMs(watermarkMs));
    for (const { atMs, key } of due) {
      const pane = panes.get(key);
      if (pane === undefined) continue;
      const row = [...pane.keys];
      for (let index = 0; index < aggregations.length; index++) {
        row.push(aggregations[index]!.result(pane.accumulators[index]!));
      }
      if (atMs === watermarkMs && this.#firesTwice) setTimer(timers, atMs + 1, key);
      else panes.delete(key);
      this.#out.change(INSERT, row);
    }
  }
}

/** The fault: the values that distinct aggregates have seen are not in the checkpoint. */
function forgetDistinct({ panes }: State): void {
  for (const { accumulators } of panes.values()) {
    for (const accumulator of accumulators) accumulator.values?.clear();
  }
}
