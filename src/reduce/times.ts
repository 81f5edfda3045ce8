import type { Case } from '../model/case.ts';
import type { Event } from '../model/dataset.ts';
import { operatorsOf, rewritePlan } from '../model/plan/rewrite.ts';
import type { Window, WindowKind } from '../model/plan/window.ts';
import { columnIndex } from '../model/schema.ts';
import type { Row } from '../model/value.ts';
import type { Asking } from './asking.ts';
import { changed } from './candidate.ts';
import { eventsOf, withRows } from './events.ts';

/** The unit of all times: windows are made of it, and rows stand a multiple of it apart where that will do. */
const UNIT_MS = 1_000;

/** Events beyond which each time is no longer looked at by itself. */
const MOST_EVENTS = 8;

/** Makes windows, times and the lag plain: windows of a second, times about the epoch, no lag. */
export async function plainTimes(asking: Asking): Promise<void> {
  await asking.keepFirst(plainerLags(asking.best));
  await asking.keepFirst(timesAtOnce(asking.best));
  await asking.keepFirst(plainerWindows(asking.best));
  await asking.keepFirst(timesAtOnce(asking.best));
  await asking.keepFirst(timesTogether(asking.best, 0));
  await asking.keepFirst(plainerLags(asking.best));
  const { lagMs } = asking.best.dataset;
  if (lagMs > 0) await asking.keepFirst(timesTogether(asking.best, lagMs));
  const count = eventsOf(asking.best).length;
  if (count > MOST_EVENTS || (TOGETHER[count] !== undefined && hasPlainTimes(asking.best))) return;
  for (let index = 0; index < count; index++) await asking.keepFirst(plainerTimes(asking.best, index));
}

function windowsOf({ query }: Case): readonly WindowKind[] {
  return operatorsOf(query.plan).flatMap((node) => (node.op === 'window' ? [node.window] : []));
}

/** How far apart the edges of a window lie. */
function unitOf(window: WindowKind | undefined): number {
  switch (window?.kind) {
    case undefined:
      return UNIT_MS;
    case 'tumble':
      return window.sizeMs;
    case 'hop':
      return window.slideMs;
    case 'cumulate':
      return window.stepMs;
    case 'session':
      return window.gapMs;
  }
}

function* plainerLags(testCase: Case): Generator<Case | undefined> {
  const { lagMs } = testCase.dataset;
  const unit = unitOf(windowsOf(testCase)[0]);
  const lags = [0, 1, unit, 2 * unit, 10 * unit];
  for (const lag of lags) {
    if (lag < lagMs && !(lags.includes(lagMs) && lags.indexOf(lag) > lags.indexOf(lagMs))) {
      yield changed(testCase, { lagMs: lag });
    }
  }
}

/** All times at once: the epoch, multiples of the unit in their order, down to the edges, nearer to the epoch. */
function* timesAtOnce(testCase: Case): Generator<Case | undefined> {
  // Those of few events are looked at together, and are as plain as they get.
  if (TOGETHER[eventsOf(testCase).length] !== undefined && hasPlainTimes(testCase)) return;
  const windows = windowsOf(testCase);
  const unit = unitOf(windows[0]);
  const period = windows.reduce((product, window) => leastMultiple(product, periodOf(window)), 1);
  const times = [...new Set(timesOf(testCase))].sort((a, b) => a - b);
  const edge = (at: number) => Math.floor(at / unit) * unit;
  yield withTimes(testCase, () => 0);
  const ranks = new Map(times.map((at, rank) => [at, rank * unit]));
  yield withTimes(testCase, (at) => ranks.get(at) ?? at);
  const near = nearer(times, Math.max(period, unit));
  yield withTimes(testCase, (at) => edge(near(at)));
  yield withTimes(testCase, near);
  const shift = Math.floor((times[0] ?? 0) / Math.max(period, unit)) * Math.max(period, unit);
  yield withTimes(testCase, (at) => at - shift);
}

/** Whole periods left out before the first time and between any two. */
function nearer(times: readonly number[], period: number): (at: number) => number {
  const moved = new Map<number, number>();
  let before: number | undefined;
  let now = 0;
  for (const at of times) {
    const gap = at - (before ?? 0);
    now +=
      before === undefined
        ? gap - Math.floor(gap / period) * period
        : gap < 2 * period
          ? gap
          : (gap % period) + period;
    moved.set(at, now);
    before = at;
  }
  return (at) => moved.get(at) ?? at;
}

function periodOf(window: WindowKind): number {
  return window.kind === 'cumulate' ? window.sizeMs : unitOf(window);
}

function leastMultiple(a: number, b: number): number {
  const divisor = (x: number, y: number): number => (y === 0 ? x : divisor(y, x % y));
  const multiple = (a / divisor(a, b)) * b;
  return Number.isSafeInteger(multiple) ? multiple : b;
}

/** Times of one or two events that are tried in each plainer window. */
const MOST_IN_A_WINDOW = 10;

/** Windows of a second, the plainest kind first; the rows keep their places in them, or are at plain times. */
function* plainerWindows(testCase: Case): Generator<Case | undefined> {
  for (const node of operatorsOf(testCase.query.plan)) {
    if (node.op !== 'window') continue;
    const { window } = node;
    const plainer = windowsLike(window);
    const own = JSON.stringify(window);
    const place = plainer.findIndex((each) => JSON.stringify(each) === own);
    for (const other of place < 0 ? plainer : plainer.slice(0, place)) {
      const inOther = inWindow(testCase, node, other);
      yield inOther;
      if (inOther !== undefined && eventsOf(inOther).length <= 2) yield* timesTogether(inOther, 0, true);
    }
  }
}

function windowsLike(window: WindowKind): readonly WindowKind[] {
  const unit = UNIT_MS;
  const offsets = window.kind === 'session' || window.offsetMs === 0 ? [0] : [0, 1, unit / 2];
  const tumbling = offsets.map((offsetMs): WindowKind => ({ kind: 'tumble', sizeMs: unit, offsetMs }));
  const sized = (kind: 'hop' | 'cumulate', ...sizes: readonly (readonly [size: number, part: number])[]) =>
    sizes.flatMap(([size, part]) =>
      offsets.map(
        (offsetMs): WindowKind =>
          kind === 'hop'
            ? { kind, sizeMs: size * unit, slideMs: part * unit, offsetMs }
            : { kind, stepMs: part * unit, sizeMs: size * unit, offsetMs },
      ),
    );
  switch (window.kind) {
    case 'tumble':
      return tumbling;
    case 'hop':
      return [...tumbling, ...sized('hop', [2, 1], [3, 2], [1, 2])];
    case 'cumulate':
      return [...tumbling, ...sized('hop', [2, 1]), ...sized('cumulate', [2, 1], [3, 1])];
    case 'session':
      return [
        ...tumbling,
        { kind: 'session', gapMs: unit, keys: [] },
        { kind: 'session', gapMs: unit, keys: window.keys },
      ];
  }
}

function inWindow(testCase: Case, node: Window, window: WindowKind): Case | undefined {
  const plan = rewritePlan(testCase.query.plan, (each) =>
    each.op === 'window' && JSON.stringify(each.window) === JSON.stringify(node.window)
      ? { ...each, window }
      : each,
  );
  const [from, to] = [unitOf(node.window), unitOf(window)];
  const scaled = (at: number) => {
    const unit = Math.floor(at / from);
    return unit * to + placeIn(at - unit * from, from, to);
  };
  const lag = testCase.dataset.lagMs;
  const units = Math.floor(lag / from);
  const moved = changed(testCase, { plan, lagMs: units * to + placeIn(lag - units * from, from, to) });
  return moved === undefined ? undefined : withTimes(moved, scaled);
}

/** A place in a unit of another length: beside its edges it stays so, between them it is in the middle. */
function placeIn(place: number, from: number, to: number): number {
  if (place <= 1 || to <= 2) return Math.min(place, to - 1);
  return place === from - 1 ? to - 1 : to / 2;
}

/** Times in units and milliseconds beside, the plainest first. */
const TIMES: readonly (readonly [units: number, besideMs: number])[] = [
  [0, 0],
  [1, 0],
  [1, -1],
  [1, -2],
  [-1, 0],
  [0, -1],
  [2, 0],
  [-2, 0],
  [-1.5, 0],
  [0, 1],
  [1, 1],
  [3, 0],
  [0.5, 0],
];

function timesOfUnit(unit: number): readonly number[] {
  return TIMES.map(([units, besideMs]) => Math.floor(units * unit) + besideMs);
}

/** Times of one or two events that are tried together, by place in {@link TIMES}: how many of the first, and in all. */
const TOGETHER: Readonly<Record<number, { readonly first: number; readonly most: number }>> = {
  1: { first: TIMES.length, most: TIMES.length },
  2: { first: 7, most: 30 },
};

/** Of three, which are too many for that, also by place: the last one late, then two that the last one bridges. */
const OF_THREE: readonly (readonly number[])[] = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 6],
  [0, 6, 1],
  [2, 6, 1],
];

/**
 * Few events with plain times, whatever they had: the plainest together first. Less plain ones than now only where the window or the
 * lag is plainer.
 */
function* timesTogether(testCase: Case, lagMs: number, inPlainerWindow = false): Generator<Case | undefined> {
  const events = eventsOf(testCase);
  const columns = timeColumns(testCase);
  const times = timesOfUnit(unitOf(windowsOf(testCase)[0]));
  const now = events.map((event) => times.indexOf(event.row[columns.get(event)!] as number));
  const isPlainer = inPlainerWindow || lagMs < testCase.dataset.lagMs || now.includes(-1);
  const all = placesTogether(events.length).slice(0, inPlainerWindow ? MOST_IN_A_WINDOW : undefined);
  const lagged = all.length === 0 ? undefined : changed(testCase, { lagMs });
  if (lagged === undefined) return;
  for (const places of all) {
    if (!isPlainer && !isBefore(places, now)) return;
    const rows = events.map(
      (event, index) => [event, event.row.with(columns.get(event)!, times[places[index]!]! + 0)] as const,
    );
    yield withRows(lagged, new Map(rows));
  }
}

/** The times of so many events that are tried together, by place in {@link TIMES}, the plainest first. */
function placesTogether(count: number): readonly (readonly number[])[] {
  if (count === 3) return OF_THREE;
  const together = TOGETHER[count];
  if (together === undefined) return [];
  return tuples(count, together.first)
    .sort((a, b) => sum(a) - sum(b) || (isBefore(a, b) ? -1 : 1))
    .slice(0, together.most);
}

/** Whether times are plainer than others: less in all, or else the first that differs. */
function isBefore(places: readonly number[], others: readonly number[]): boolean {
  if (sum(places) !== sum(others)) return sum(places) < sum(others);
  const index = places.findIndex((place, at) => place !== others[at]);
  return index >= 0 && places[index]! < others[index]!;
}

function hasPlainTimes(testCase: Case): boolean {
  const times = timesOfUnit(unitOf(windowsOf(testCase)[0]));
  return timesOf(testCase).every((at) => times.includes(at));
}

function tuples(length: number, choices: number): number[][] {
  if (length === 0) return [[]];
  const rest = tuples(length - 1, choices);
  return Array.from({ length: choices }, (_, first) => rest.map((tuple) => [first, ...tuple])).flat();
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function* plainerTimes(testCase: Case, index: number): Generator<Case | undefined> {
  const event = eventsOf(testCase)[index];
  if (event === undefined) return;
  const time = timeColumns(testCase).get(event)!;
  const times = timesOfUnit(unitOf(windowsOf(testCase)[0]));
  const place = times.indexOf(event.row[time] as number);
  for (const plainer of place < 0 ? times : times.slice(0, place)) {
    yield withRows(testCase, new Map([[event, event.row.with(time, plainer + 0)]]));
  }
}

function timeColumns({ dataset }: Case): ReadonlyMap<Event, number> {
  return new Map(
    dataset.streams.flatMap(({ schema, partitions }) => {
      const time = columnIndex(schema.columns, schema.eventTime);
      return partitions.flat().map((event) => [event, time] as const);
    }),
  );
}

function timesOf(testCase: Case): readonly number[] {
  return [...timeColumns(testCase)].map(([event, time]) => event.row[time] as number);
}

/** Every time changed alike, event times and others. */
function withTimes(testCase: Case, change: (at: number) => number): Case | undefined {
  const rows = new Map<Event, Row>();
  for (const { schema, partitions } of testCase.dataset.streams) {
    const times = new Set(
      schema.columns.flatMap(({ type }, index) => (type === 'TIMESTAMP(3)' ? [index] : [])),
    );
    for (const event of partitions.flat()) {
      const row = event.row.map((value, index) =>
        times.has(index) && typeof value === 'number' ? change(value) + 0 : value,
      );
      rows.set(event, row);
    }
  }
  return withRows(testCase, rows);
}
