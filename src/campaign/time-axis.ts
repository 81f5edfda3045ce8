/** Beyond so many, one more bin tells a reader nothing. */
export const MAX_BINS = 120;

/** Equal bins over event time: `bins` of `binMs` milliseconds each, the first starting at `from`. */
export interface TimeAxis {
  readonly from: number;
  readonly binMs: number;
  readonly bins: number;
}

/**
 * Bins that span all finite times, at most {@link MAX_BINS}. Their width is a whole multiple of the greatest step that
 * all times share, so that every bin of a query with regular windows holds equally many panes. Undefined without any
 * finite time.
 */
export function axisOver(lists: readonly (readonly number[])[]): TimeAxis | undefined {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  eachTime(lists, (time) => {
    if (time < from) from = time;
    if (time > to) to = time;
  });
  if (from > to) return undefined;
  let step = 0;
  eachTime(lists, (time) => {
    if (step !== 1) step = greatestDivisor(step, time - from);
  });
  step ||= 1;
  const steps = Math.floor((to - from) / step) + 1;
  const binMs = step * Math.ceil(steps / MAX_BINS);
  return { from, binMs, bins: Math.floor((to - from) / binMs) + 1 };
}

/** The bin of a time; one outside the axis falls into its nearest. */
export function binOf({ from, binMs, bins }: TimeAxis, time: number): number {
  return Math.min(bins - 1, Math.max(0, Math.floor((time - from) / binMs)));
}

/** Finite times alone; of a pane's many rows, which mostly follow each other, one is enough. */
function eachTime(lists: readonly (readonly number[])[], onTime: (time: number) => void): void {
  for (const times of new Set(lists)) {
    let last = Number.NaN;
    for (const time of times) {
      if (time !== last && Number.isFinite(time)) onTime(time);
      last = time;
    }
  }
}

function greatestDivisor(a: number, b: number): number {
  while (b !== 0) {
    const rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
