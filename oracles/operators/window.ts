import type { WindowKind } from '../../src/model/plan/window.ts';
import type { Value } from '../../src/model/value.ts';
import type { Lateness } from '../lateness.ts';
import { OracleRefusal } from '../refusal.ts';
import { Windows } from '../windows.ts';
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

/** Repeats each row for every window it is counted in; one that fired before the row came is left out (semantics §4). */
export function alignedWindow(
  input: RowStream,
  window: Aligned,
  time: TimeColumn,
  lateness: Lateness,
  fireEarlyMs: number,
): WindowedStream {
  return (emit) => {
    const windows = new Windows();
    input((row, _, before) => {
      visitWindows(window, (row[time.index] as number) + time.shiftMs, (start, end) => {
        if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end))
          throw new OracleRefusal('window-too-far');
        if (lateness.counts(before, end - fireEarlyMs)) emit(row, windows.of(start, end));
      });
    });
  };
}

/** The same rows with the bounds of their windows as two more columns. */
export function withBounds(input: WindowedStream): RowStream {
  return (emit) =>
    input((row, { bounds }) => {
      const values: Value[] = new Array(row.length + 2);
      for (let index = 0; index < row.length; index++) values[index] = row[index]!;
      values[row.length] = bounds[0]!;
      values[row.length + 1] = bounds[1]!;
      emit(values, bounds[1] as number, NEVER_LATE);
    });
}
