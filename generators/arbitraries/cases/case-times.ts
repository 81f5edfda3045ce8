import type { WindowKind } from '../../../src/model/plan/window.ts';
import type { Digits } from './digits.ts';
import type { Lateness, Range, Step } from './profile.ts';

/** The places in time that matter to a query, in milliseconds. */
export interface CaseTimes {
  /** Edges of windows: every `unit` from `offset`. */
  readonly edges: readonly { readonly unitMs: number; readonly offsetMs: number }[];
  readonly gapsMs: readonly number[];
  /** Length of the longest window. */
  readonly spanMs: number;
}

/** Taken where a query has no window of that kind, so that its times tie and touch as well. */
const DEFAULT_EDGE = { unitMs: 2_000, offsetMs: 0 };
const DEFAULT_MS = 10_000;

export function caseTimes(windows: readonly WindowKind[]): CaseTimes {
  const edges = windows.flatMap(edgesOf);
  const gapsMs = windows.flatMap((window) => (window.kind === 'session' ? [window.gapMs] : []));
  const lengths = windows.map((window) => (window.kind === 'session' ? window.gapMs : window.sizeMs));
  return {
    edges: edges.length === 0 ? [DEFAULT_EDGE] : edges,
    gapsMs: gapsMs.length === 0 ? [DEFAULT_MS] : gapsMs,
    spanMs: lengths.length === 0 ? DEFAULT_MS : Math.max(...lengths),
  };
}

/** Where an aligned window's panes start and end. */
function edgesOf(window: WindowKind): CaseTimes['edges'] {
  switch (window.kind) {
    case 'tumble':
      return [{ unitMs: window.sizeMs, offsetMs: window.offsetMs }];
    case 'hop':
      // Where the slide does not divide the size, windows do not end where others start.
      return [window.offsetMs, window.offsetMs + window.sizeMs].map((offsetMs) => ({
        unitMs: window.slideMs,
        offsetMs,
      }));
    case 'cumulate':
      return [{ unitMs: window.stepMs, offsetMs: window.offsetMs }];
    case 'session':
      return [];
  }
}

/** A whole number within a range. */
export function within({ least, most }: Range, digits: Digits): number {
  return least + digits.below(most - least + 1);
}

/** The clock after a step, in epoch milliseconds. Never goes back. */
export function clockAfter(clockMs: number, step: Step, times: CaseTimes, digits: Digits): number {
  switch (step.kind) {
    case 'ms':
      return clockMs + within(step, digits);
    case 'part':
      return clockMs + digits.below(times.spanMs + 1);
    case 'gap':
      return clockMs + Math.max(0, digits.of(times.gapsMs) + step.besideMs);
    case 'edge': {
      const { unitMs, offsetMs } = digits.of(times.edges);
      const from = offsetMs + step.besideMs;
      // The next one, not where the clock stands: a step goes on.
      return Math.floor((clockMs - from) / unitMs + 1) * unitMs + from;
    }
  }
}

/** Bounds of how far rows lie behind the clock. */
export interface DisorderBounds {
  readonly lagMs: number;
  /** The greatest lateness, infinite where rows may lie beyond the lag. */
  readonly disorderMs: number;
}

/** How far a row lies behind the clock, in milliseconds from 0 to `disorderMs`. */
export function latenessOf(
  lateness: Lateness,
  clockMs: number,
  times: CaseTimes,
  { lagMs, disorderMs }: DisorderBounds,
  digits: Digits,
): number {
  return Math.min(Math.max(0, wishedLateness(lateness, clockMs, times, lagMs, digits)), disorderMs);
}

function wishedLateness(
  lateness: Lateness,
  clockMs: number,
  times: CaseTimes,
  lagMs: number,
  digits: Digits,
): number {
  switch (lateness.kind) {
    case 'none':
      return 0;
    case 'part':
      return digits.below(Math.max(1, lagMs - 1));
    case 'most':
      return Math.max(0, lagMs - 2);
    case 'half-gap':
      return Math.floor(digits.of(times.gapsMs) / 2);
    case 'lag':
      return lagMs + lateness.besideMs;
    case 'beyond':
      return lagMs + digits.below(2 * times.spanMs);
    case 'edge': {
      const { unitMs, offsetMs } = digits.of(times.edges);
      const from = offsetMs + lateness.besideMs;
      return clockMs - (Math.floor((clockMs - from) / unitMs) * unitMs + from);
    }
  }
}
