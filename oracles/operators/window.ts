import type { WindowKind } from '../../src/model/plan/window.ts';
import type { Value } from '../../src/model/value.ts';
import type { Lateness } from '../lateness.ts';
import { OracleRefusal } from '../refusal.ts';
import { type Window, Windows } from '../windows.ts';
import { NEVER_LATE, type RowStream, type WindowedStream } from './stream.ts';

/** Where an operator finds a row's event time. */
export interface TimeColumn {
  readonly index: number;
  readonly shiftMs: number;
}

export type Aligned = Exclude<WindowKind, { kind: 'session' }>;

/**
 * Visits the bounds `[start, end)` of every window a row at `at` lies in, earliest end first (semantics §3). Written
 * with floor, so that it holds before the epoch. The least multiple above a time is one unit above its floor: it
 * is never the time itself, so that a row at a window's end is outside.
 */
export function visitWindows(window: Aligned, at: number, visit: (start: number, end: number) => void): void {
  switch (window.kind) {
    case 'tumble': {
      const start = floorTo(at, window.sizeMs, window.offsetMs);
      visit(start, start + window.sizeMs);
      break;
    }
    case 'hop': {
      const { sizeMs, slideMs, offsetMs } = window;
      const first = floorTo(at - sizeMs, slideMs, offsetMs) + slideMs;
      for (let start = first; start <= at; start += slideMs) visit(start, start + sizeMs);
      break;
    }
    case 'cumulate': {
      const { stepMs, sizeMs, offsetMs } = window;
      const start = floorTo(at, sizeMs, offsetMs);
      const first = floorTo(at, stepMs, offsetMs) + stepMs;
      for (let end = first; end <= start + sizeMs; end += stepMs) visit(start, end);
      break;
    }
  }
}

/** The greatest `k·unit + offset` that is at most `at`. */
function floorTo(at: number, unit: number, offset: number): number {
  return Math.floor((at - offset) / unit) * unit + offset;
}

/** Each row with the windows it is counted in; those that fired before it came are left out (semantics §4). */
export function alignedWindow(
  input: RowStream,
  window: Aligned,
  time: TimeColumn,
  lateness: Lateness,
  fireEarlyMs: number,
): WindowedStream {
  return (emit) => {
    const slices = new Slices(window);
    const isCounted = (before: number, { bounds }: Window) =>
      lateness.counts(before, (bounds[1] as number) - fireEarlyMs);
    input((row, _, before) => {
      const windows = slices.windowsOf((row[time.index] as number) + time.shiftMs);
      if (windows.length === 0) return;
      // The first fires first: where it counts the row, so do the others.
      if (isCounted(before, windows[0]!)) return emit(row, windows);
      const others = windows.filter((other, index) => index > 0 && isCounted(before, other));
      if (others.length > 0) emit(row, others);
    });
  };
}

/** The windows that hold a time, found once for all times between two neighbouring bounds: a slice. */
class Slices {
  readonly #window: Aligned;
  readonly #sliceMs: number;
  readonly #windows = new Windows();
  /** By slice, numbered from the offset. */
  readonly #known = new Map<number, readonly Window[]>();
  #lastSlice = Number.NaN;
  #last: readonly Window[] = [];

  constructor(window: Aligned) {
    this.#window = window;
    this.#sliceMs = sliceMsOf(window);
  }

  /**
   * Earliest end first.
   *
   * @throws OracleRefusal when a bound is no safe integer.
   */
  windowsOf(at: number): readonly Window[] {
    const slice = Math.floor((at - this.#window.offsetMs) / this.#sliceMs);
    if (slice === this.#lastSlice) return this.#last;
    let windows = this.#known.get(slice);
    if (windows === undefined) {
      windows = this.#find(at);
      this.#known.set(slice, windows);
    }
    this.#lastSlice = slice;
    this.#last = windows;
    return windows;
  }

  #find(at: number): readonly Window[] {
    const windows: Window[] = [];
    visitWindows(this.#window, at, (start, end) => {
      if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end))
        throw new OracleRefusal('window-too-far');
      windows.push(this.#windows.of(start, end));
    });
    return windows;
  }
}

/** All bounds are multiples of this many milliseconds from the offset. */
function sliceMsOf(window: Aligned): number {
  switch (window.kind) {
    case 'tumble':
      return window.sizeMs;
    case 'hop':
      return greatestDivisor(window.sizeMs, window.slideMs);
    case 'cumulate':
      return greatestDivisor(window.sizeMs, window.stepMs);
  }
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

/** The same rows, once for each of their windows, with its bounds as two more columns. */
export function withBounds(input: WindowedStream): RowStream {
  return (emit) =>
    input((row, windows) => {
      for (const { bounds } of windows) {
        const values: Value[] = new Array(row.length + 2);
        for (let index = 0; index < row.length; index++) values[index] = row[index]!;
        values[row.length] = bounds[0]!;
        values[row.length + 1] = bounds[1]!;
        emit(values, bounds[1] as number, NEVER_LATE);
      }
    });
}
