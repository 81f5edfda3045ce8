import type { Case } from '../src/model/case.ts';
import type { WindowKind } from '../src/model/plan/window.ts';

/** A row's place: its number in the order of arrival over all streams, and its event time in epoch ms. */
export interface Arrived {
  readonly arrival: number;
  readonly at: number;
}

const MINUTE_MS = 60_000;

/** Labels of disorder and pace over all streams. `rows` in arrival order. */
export function orderLabels(rows: readonly Arrived[], lagMs: number, add: (label: string) => void): void {
  let latest = Number.NEGATIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  let greatestDisorder = 0;
  let pauses = 0;
  let rushes = 0;
  for (const { at } of rows) {
    const behind = latest - at;
    if (behind > greatestDisorder) greatestDisorder = behind;
    if (behind > lagMs) add('late');
    if (behind === lagMs && lagMs > 0) add('disorder-exactly-lag');
    if (behind > 0 && (behind === lagMs - 1 || behind === lagMs + 1)) add('disorder-beside-lag');
    if (at - latest >= MINUTE_MS && latest > Number.NEGATIVE_INFINITY) pauses++;
    if (at >= latest && at - latest <= 2) rushes++;
    if (at > latest) latest = at;
    if (at < least) least = at;
  }
  if (greatestDisorder > 0) add('out-of-order');
  if (greatestDisorder > 0 && greatestDisorder === lagMs - 2) add('greatest-lawful-disorder');
  if (rows.length >= 3 && latest - least >= (rows.length - 1) * (MINUTE_MS / 2)) add('sparse');
  if (pauses > 0 && rushes * 2 >= rows.length && rows.length >= 8) add('bursty');
}

/** Labels of rows against an aligned window of their stream, and of such a window against the watermark. */
export function windowLabels(
  rows: readonly Arrived[],
  window: Exclude<WindowKind, { kind: 'session' }>,
  lagMs: number,
  add: (label: string) => void,
): void {
  const { sizeMs, offsetMs } = window;
  const unitMs = window.kind === 'tumble' ? sizeMs : window.kind === 'hop' ? window.slideMs : window.stepMs;
  const edges = window.kind === 'hop' ? [offsetMs, offsetMs + sizeMs] : [offsetMs];
  let latest = Number.NEGATIVE_INFINITY;
  for (const { at } of rows) {
    for (const edge of edges) {
      const past = remainder(at - edge, unitMs);
      if (past === 0) add('on-a-window-edge');
      else if (past === 1 || past === unitMs - 1) add('beside-a-window-edge');
    }
    if (at < -sizeMs) add('pane-before-the-epoch');
    if (at < 0 ? at > -unitMs : at < unitMs && window.kind === 'hop' && sizeMs > unitMs)
      add('pane-about-the-epoch');
    if (at + sizeMs <= latest - lagMs) add('late-beyond-window');
    if (at > latest) latest = at;
  }
}

/** Labels of the distances between rows of one key of a session window. `rows` in arrival order. */
export function sessionLabels(rows: readonly Arrived[], gapMs: number, add: (label: string) => void): void {
  const sorted: number[] = [];
  for (const { at } of rows) {
    const place = upperBound(sorted, at);
    const before = sorted[place - 1];
    const after = sorted[place];
    const bridges = before !== undefined && after !== undefined && after - before > gapMs;
    if (bridges && at - before <= gapMs && after - at <= gapMs) add('bridged-sessions');
    sorted.splice(place, 0, at);
  }
  for (let index = 1; index < sorted.length; index++) {
    const apart = sorted[index]! - sorted[index - 1]!;
    if (apart === gapMs) add('exactly-a-gap-apart');
    else if (apart === gapMs - 1 || apart === gapMs + 1) add('beside-a-gap-apart');
  }
}

/** Labels of the places where a run is cut, against the windows that are open there. */
export function scheduleLabels({ schedule, dataset }: Case, add: (label: string) => void): void {
  const { parallelism, stop, steps = [] } = schedule;
  const partitions = Math.min(...dataset.streams.map((stream) => stream.partitions.length));
  add(stop);
  if (parallelism > 1) add('parallel');
  if (parallelism > 1 && parallelism === partitions) add('equal-parallelism');
  if (parallelism > partitions) add('more-subtasks-than-partitions');
  if (parallelism < partitions && parallelism > 1) add('fewer-subtasks-than-partitions');
  const restarts = steps.filter((step) => step.do === 'restart').length;
  if (restarts > 0) add('restart');
  if (restarts > 1) add('restart-twice');
  if (steps[0]?.do === 'restart') add('restart-without-checkpoint');
  if (restarts === 0 && steps.length > 0) add('checkpoint-only');
}

/** Whether some pane or session holds rows from before and from after a restart. `rows` in arrival order. */
export function restartsInPane(rows: readonly Arrived[], window: WindowKind, after: number): boolean {
  if (window.kind !== 'session') {
    const pane = ({ at }: Arrived) => Math.floor((at - window.offsetMs) / window.sizeMs);
    const before = new Set(rows.filter(({ arrival }) => arrival <= after).map(pane));
    return rows.some((row) => row.arrival > after && before.has(pane(row)));
  }
  const before = rows.filter(({ arrival }) => arrival <= after).map(({ at }) => at);
  before.sort((a, b) => a - b);
  return rows.some(({ arrival, at }) => {
    const place = upperBound(before, at);
    const [lower, upper] = [before[place - 1], before[place]];
    const near =
      (lower !== undefined && at - lower <= window.gapMs) ||
      (upper !== undefined && upper - at <= window.gapMs);
    return arrival > after && near;
  });
}

/** How many values of a sorted list are at most `value`. */
function upperBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function remainder(value: number, unit: number): number {
  return ((value % unit) + unit) % unit;
}
