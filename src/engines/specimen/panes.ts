import type { WindowKind } from '../../model/plan/window.ts';
import type { Faults } from './faults.ts';

/** Takes the windows of a row one by one: `[startMs, endMs)` in epoch milliseconds. */
export type PaneVisitor = (startMs: number, endMs: number) => void;

/** A window whose bounds do not depend on the rows. */
export type AlignedWindow = Exclude<WindowKind, { readonly kind: 'session' }>;

/** Tells each window that a time lies in, those that end first before the others (semantics §3). */
export function panesOf(window: AlignedWindow, faults: Faults): (atMs: number, visit: PaneVisitor) => void {
  const offset = faults.has('window-offset-ignored') ? 0 : window.offsetMs;
  const lineBefore = grid(faults);
  switch (window.kind) {
    case 'tumble': {
      const size = window.sizeMs;
      const endInclusive = faults.has('tumble-end-inclusive');
      const flushesOnEpochGrid = faults.has('unaligned-pane-misses-last-rows');
      return (atMs, visit) => {
        const start = lineBefore(endInclusive ? atMs - 1 : atMs, size, offset);
        const end = start + size;
        if (flushesOnEpochGrid) {
          const lastFlush = lineBefore(end, size, 0);
          if (lastFlush > start && atMs >= lastFlush) return;
        }
        visit(start, end);
      };
    }
    case 'hop': {
      const { sizeMs: size, slideMs: slide } = window;
      const clamped = faults.has('first-pane-clamped');
      const uneven = size % slide !== 0;
      const losesUneven = uneven && faults.has('hop-loses-uneven-pane');
      const gainsUneven = uneven && faults.has('hop-gains-uneven-pane');
      return (atMs, visit) => {
        const last = lineBefore(atMs, slide, offset);
        // The first start beyond atMs − size: an earlier window has ended.
        let first = lineBefore(atMs - size, slide, offset) + slide;
        if (losesUneven) first = Math.max(first, last - (Math.floor(size / slide) - 1) * slide);
        if (gainsUneven) first = Math.min(first, last - (Math.ceil(size / slide) - 1) * slide);
        for (let start = first; start <= last; start += slide) {
          if (clamped && start < 0) continue;
          visit(start, start + size);
        }
      };
    }
    case 'cumulate': {
      const { sizeMs: size, stepMs: step } = window;
      const lastStep = faults.has('cumulate-loses-last-step') ? size - step : size;
      const skipped = faults.has('cumulate-loses-first-step') && step < size ? step : 0;
      return (atMs, visit) => {
        const start = lineBefore(atMs, size, offset);
        const firstEnd = lineBefore(atMs, step, offset) + step + skipped;
        for (let end = firstEnd; end <= start + lastStep; end += step) visit(start, end);
      };
    }
  }
}

/** The greatest `k·step + offset` that is not after a time, also before the epoch. */
function grid(faults: Faults): (atMs: number, step: number, offset: number) => number {
  if (faults.has('negative-time-truncates')) {
    return (atMs, step, offset) => atMs - ((atMs - offset + step) % step);
  }
  return (atMs, step, offset) => Math.floor((atMs - offset) / step) * step + offset;
}
