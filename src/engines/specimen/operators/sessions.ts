import type { Row } from '../../../model/value.ts';
import { type ChangeKind, type CloseReason, INSERT, type Receiver } from '../change.ts';
import { copyOf } from '../copy.ts';
import type { Faults } from '../faults.ts';
import type { Key } from '../keys.ts';
import { ChannelWatermarks, type KeyedInput, type StatefulTask, type SubtaskPlace } from '../task.ts';
import { setTimer, type Timers, takeDue } from '../timers.ts';

/** An open session: its rows in arrival order, and its bounds, the end a gap behind the last row's time. */
interface OpenSession {
  startMs: number;
  endMs: number;
  rows: Row[];
  /** Has merged into another and should not be here: it fires, and merges no more. */
  isMerged?: boolean;
}

interface State {
  watermarkMs: number;
  sessions: Map<Key, OpenSession[]>;
  timers: Timers;
}

interface Snapshot {
  readonly state: State;
  readonly channels: readonly number[];
}

/** What a session task is made for. */
export interface SessionSetting {
  readonly gapMs: number;
  readonly keyOf: (row: Row) => Key;
  readonly timeOf: (row: Row) => number;
}

/**
 * Sessions (semantics §3): a row merges with every open session of its key whose distance is at most the gap; a fired
 * one never merges. A session fires once the watermark reaches its last millisecond, and its rows go on with its
 * bounds. A row is dropped when the session it would be in has fired already.
 */
export class SessionTask implements KeyedInput, StatefulTask {
  readonly #setting: SessionSetting;
  readonly #out: Receiver;
  readonly #channels: ChannelWatermarks;
  readonly #faults: Faults;
  readonly #keyless: boolean;
  readonly #mergesOne: boolean;
  readonly #keepsMerged: boolean;
  readonly #fixesStart: boolean;
  readonly #reachMs: number;
  readonly #opensLate: boolean;
  readonly #judgesBeforeMerge: boolean;
  readonly #lastOfMany: boolean;
  #state: State = { watermarkMs: Number.NEGATIVE_INFINITY, sessions: new Map(), timers: [] };

  constructor(setting: SessionSetting, place: SubtaskPlace, out: Receiver, faults: Faults) {
    this.#setting = setting;
    this.#out = out;
    this.#channels = new ChannelWatermarks(place.channels, faults);
    this.#lastOfMany = place.lastOfMany;
    this.#faults = faults;
    this.#keyless = faults.has('sessions-merge-across-keys');
    this.#mergesOne = faults.has('bridge-merges-one-session');
    this.#keepsMerged = faults.has('merged-session-kept');
    this.#fixesStart = faults.has('session-start-fixed');
    this.#reachMs = faults.has('touching-sessions-separate') ? setting.gapMs - 1 : setting.gapMs;
    this.#opensLate = faults.has('late-row-opens-session');
    this.#judgesBeforeMerge = faults.has('late-row-misses-live-session');
  }

  change(_kind: ChangeKind, row: Row): void {
    const { gapMs } = this.#setting;
    const atMs = this.#setting.timeOf(row);
    const key = this.#keyless ? null : this.#setting.keyOf(row);
    const state = this.#state;
    const merged: OpenSession = { startMs: atMs, endMs: atMs + gapMs, rows: [] };
    if (this.#judgesBeforeMerge && this.#hasFired(merged.endMs)) return;

    const open = state.sessions.get(key) ?? [];
    const apart: OpenSession[] = [];
    let found = 0;
    for (const session of open) {
      const lastMs = session.endMs - gapMs;
      const within =
        session.isMerged !== true &&
        atMs - lastMs <= this.#reachMs &&
        session.startMs - atMs <= this.#reachMs;
      if (!within || (this.#mergesOne && found === 1)) {
        apart.push(session);
        continue;
      }
      found += 1;
      if (this.#keepsMerged && found > 1) apart.push({ ...session, isMerged: true });
      merged.startMs = this.#fixesStart ? session.startMs : Math.min(merged.startMs, session.startMs);
      merged.endMs = Math.max(merged.endMs, session.endMs);
      // The row's own list is made of those it merges, which are as a rule one: its list is extended in place.
      if (merged.rows.length === 0) merged.rows = session.rows;
      else merged.rows = [...merged.rows, ...session.rows];
    }
    if (this.#hasFired(merged.endMs) && !this.#opensLate) return;
    merged.rows.push(row);
    apart.push(merged);
    state.sessions.set(key, apart);
    setTimer(state.timers, merged.endMs - 1, key);
  }

  watermarkOn(channel: number, atMs: number): void {
    const watermark = this.#channels.advance(channel, atMs);
    const state = this.#state;
    if (watermark <= state.watermarkMs) return;
    const lost = watermark === Number.POSITIVE_INFINITY && this.#faults.has('drain-loses-sessions');
    if (!lost) this.#fire(watermark);
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
    if (this.#faults.has('open-sessions-lost-at-restore')) state.sessions = new Map();
    if (this.#faults.has('timers-lost-at-restore')) state.timers = [];
    if (this.#faults.has('progress-lost-at-restore')) {
      state.watermarkMs = Number.NEGATIVE_INFINITY;
      this.#channels.forget();
    }
  }

  #hasFired(endMs: number): boolean {
    return endMs - 1 <= this.#state.watermarkMs;
  }

  #fire(watermarkMs: number): void {
    const { sessions, timers } = this.#state;
    for (const { key } of takeDue(timers, watermarkMs)) {
      const open = sessions.get(key);
      if (open === undefined) continue;
      const due = open.filter(({ endMs }) => endMs - 1 <= watermarkMs);
      // A timer outlives the session it was set for when that one has grown.
      if (due.length === 0) continue;
      const left = open.filter(({ endMs }) => endMs - 1 > watermarkMs);
      if (left.length === 0) sessions.delete(key);
      else sessions.set(key, left);
      for (const { startMs, endMs, rows } of due) {
        for (const row of rows) this.#out.change(INSERT, [...row, startMs, endMs]);
      }
    }
  }
}
