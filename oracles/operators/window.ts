import type { WindowKind } from '../../src/model/plan/window.ts';
import type { Lateness } from '../lateness.ts';
import { OracleRefusal } from '../refusal.ts';
import type { RowStream } from './stream.ts';

/** Where an operator finds a row's event time. */
export interface TimeColumn {
  readonly index: number;
  readonly shiftMs: number;
}

type Aligned = Exclude<WindowKind, { kind: 'session' }>;

/**
 * The bounds `[start, end)` of every window a row at `at` lies in, earliest end first (semantics §3). Written with
 * floor, so that it holds before the epoch, and with `<`, so that a row at a window's end is outside.
 */
export function windowsAt(window: Aligned, at: number): readonly (readonly [start: number, end: number])[] {
  const bounds: (readonly [number, number])[] = [];
  switch (window.kind) {
    case 'tumble': {
      const start = floorTo(at, window.sizeMs, window.offsetMs);
      bounds.push([start, start + window.sizeMs]);
      break;
    }
    case 'hop': {
      const last = floorTo(at, window.slideMs, window.offsetMs);
      for (let start = last; at < start + window.sizeMs; start -= window.slideMs) {
        bounds.push([start, start + window.sizeMs]);
      }
      bounds.reverse();
      break;
    }
    case 'cumulate': {
      const start = floorTo(at, window.sizeMs, window.offsetMs);
      for (let end = start + window.stepMs; end <= start + window.sizeMs; end += window.stepMs) {
        if (at < end) bounds.push([start, end]);
      }
      break;
    }
  }
  for (const [start, end] of bounds) {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end)) throw new OracleRefusal('window-too-far');
  }
  return bounds;
}

/** The greatest `k·unit + offset` that is at most `at`. */
function floorTo(at: number, unit: number, offset: number): number {
  return Math.floor((at - offset) / unit) * unit + offset;
}

/**
 * Repeats each row for every window it is counted in, with the bounds as two more columns; a window that fired
 * before the row came is left out (semantics §4).
 */
export function alignedWindow(
  input: RowStream,
  window: Aligned,
  time: TimeColumn,
  lateness: Lateness,
  fireEarlyMs: number,
): RowStream {
  return (emit) =>
    input((row, fire, before) => {
      for (const [start, end] of windowsAt(window, (row[time.index] as number) + time.shiftMs)) {
        if (lateness.counts(before, end - fireEarlyMs)) emit([...row, start, end], fire, before);
      }
    });
}
