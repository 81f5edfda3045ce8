import type { Dataset } from '../../src/model/dataset.ts';
import type { CheckedPlan } from '../../src/model/plan/index.ts';
import type { Traits } from '../../src/model/traits.ts';
import type { Row } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import type { Session } from '../operators/session.ts';
import { type Aligned, visitWindows } from '../operators/window.ts';
import type { Until } from '../truth.ts';
import { finalWatermark, watermarkCount } from '../watermark.ts';
import { type Arrived, arrivedRows } from './arrived.ts';
import { optionCount, type Pane, paneCandidates, sharingPanes } from './panes.ts';
import { mayMissSessions, sessionCandidates } from './sessions.ts';
import { type Shape, shapeOf } from './shape.ts';

/** More candidates for one key are not looked through (semantics §4). */
export const MOST_CANDIDATES = 2 ** 16;

/** Candidates are built pane by pane, late row by late row: so many at most. */
const MOST_STEPS = 1_000;

/** Panes of one key that late rows tie together. */
export interface OpenPanes {
  /** Sets of output rows that the panes may lawfully be, all rows counted first. To be taken one by one. */
  candidates(): Iterable<readonly Row[]>;
  /** Whether these are all: otherwise an output that is none of them proves nothing. */
  readonly complete: boolean;
}

/**
 * The outputs that are true of a plan over data in which late rows may be counted (semantics §4): the certain rows, and
 * one candidate of each of the open panes.
 */
export interface TruthCandidates {
  readonly certain: readonly Row[];
  readonly open: readonly OpenPanes[];
  /** The place in `open` of the panes that an output row would be of; undefined for any other row. */
  openOf(row: Row): number | undefined;
}

/**
 * The candidates of an append plan of the given {@link Shape}. Undefined for any other plan, and where one partition
 * decides by itself what is late, so that there is one truth.
 *
 * @throws OracleRefusal where the semantics leave another answer open.
 */
export function truthCandidates(
  query: CheckedPlan,
  dataset: Dataset,
  until: Until,
  traits: Traits,
): TruthCandidates | undefined {
  const shape = shapeOf(query);
  const stream = dataset.streams.find(({ schema }) => schema.name === shape?.stream);
  if (shape === undefined || stream === undefined || traits.mode === 'batch') return undefined;
  if (watermarkCount(stream, traits) === 1 && traits.watermarkEmission === 'every-row') return undefined;
  const rows = arrivedRows(stream, shape.below, shape.time, dataset.lagMs, traits);
  const watermark = watermarkAt(until, () => finalWatermark(stream, dataset.lagMs, traits));
  const isDue = (end: number) => end - traits.fireEarlyMs.window <= watermark;
  return shape.window.kind === 'session'
    ? ofSessions(rows, shape, shape.window.gapMs, isDue, traits)
    : ofAlignedWindows(rows, shape, shape.window, isDue, traits);
}

function watermarkAt(until: Until, settled: () => number): number {
  if (until === 'drained') return Number.POSITIVE_INFINITY;
  return until === 'settled' ? settled() : until;
}

/** A row *must* be counted in a window that its own partition has not fired, and *may* in any other. */
function ofAlignedWindows(
  rows: readonly Arrived[],
  { keys, keyPlaces, width, fold }: Shape,
  window: Aligned,
  isDue: (end: number) => boolean,
  traits: Traits,
): TruthCandidates {
  const keyGroups = new Groups(keys.filter((index) => index < width));
  const paneGroups = new Groups(keys);
  const panes: Pane[] = [];
  /** By key: the numbers of its panes in which a row may be counted. */
  const openByKey: Set<number>[] = [];
  for (const arrived of rows) {
    visitWindows(window, arrived.at, (start, end) => {
      if (!isDue(end)) return;
      const number = paneGroups.of([...arrived.row, start, end]);
      panes[number] ??= { start, end, must: [], may: [] };
      const isExact = arrived.before < end - traits.fireEarlyMs.window;
      panes[number][isExact ? 'must' : 'may'].push(arrived);
      if (isExact) return;
      const key = keyGroups.of(arrived.row);
      openByKey[key] ??= new Set();
      openByKey[key].add(number);
    });
  }
  const open: OpenPanes[] = [];
  /** By pane: its place in `open`. */
  const placeOf = new Map<number, number>();
  for (const numbers of openByKey) {
    const numberOf = new Map([...(numbers ?? [])].map((number) => [panes[number]!, number]));
    for (const group of sharingPanes([...numberOf.keys()])) {
      for (const pane of group) placeOf.set(numberOf.get(pane)!, open.length);
      const complete =
        group.length <= MOST_STEPS && group.every((pane) => optionCount(pane) <= MOST_CANDIDATES);
      open.push({ complete, candidates: () => (complete ? paneCandidates(group, fold) : []) });
    }
  }
  const certain = panes.filter(({ may }) => may.length === 0);
  return {
    certain: certain.flatMap(({ must, start, end }) =>
      fold(
        must.map(({ row }) => row),
        start,
        end,
      ),
    ),
    open,
    openOf: (row) => {
      const number = paneGroups.find(row, keyPlaces);
      return number === undefined ? undefined : placeOf.get(number);
    },
  };
}

/** All sessions of a key are open where one of its rows may miss a session. */
function ofSessions(
  rows: readonly Arrived[],
  { keys, keyPlaces, sessionKeys, fold }: Shape,
  gapMs: number,
  isDue: (end: number) => boolean,
  traits: Traits,
): TruthCandidates | undefined {
  if (!sessionKeys.every((key) => keys.includes(key))) return undefined;
  const places = sessionKeys.map((key) => keyPlaces[keys.indexOf(key)]!);
  const fireEarlyMs = traits.fireEarlyMs.window;
  const rule = { gapMs, keys: sessionKeys, touching: traits.sessionTouching, fireEarlyMs };
  const keyGroups = new Groups(sessionKeys);
  const rowsByKey: Arrived[][] = [];
  for (const arrived of rows) {
    const key = keyGroups.of(arrived.row);
    rowsByKey[key] ??= [];
    rowsByKey[key].push(arrived);
  }
  const output = (sessions: readonly Session[]) =>
    sessions
      .filter(({ last }) => isDue(last + gapMs))
      .flatMap((session) => fold(session.rows, session.first, session.last + gapMs));
  const certain: Row[] = [];
  const open: OpenPanes[] = [];
  const placeOf = new Map<number, number>();
  for (const [key, ofKey] of rowsByKey.entries()) {
    const candidates = function* () {
      for (const sessions of sessionCandidates(ofKey, rule)) yield output(sessions);
    };
    const late = ofKey.filter((row) => mayMissSessions(row, rule));
    if (late.length === 0) {
      for (const rows of candidates()) certain.push(...rows);
      continue;
    }
    placeOf.set(key, open.length);
    const isShort = late.length <= MOST_STEPS;
    const complete = isShort && late.every(({ partition }) => partition === late[0]!.partition);
    open.push({ complete, candidates: isShort ? candidates : () => [] });
  }
  return {
    certain,
    open,
    openOf: (row) => {
      const key = keyGroups.find(row, places);
      return key === undefined ? undefined : placeOf.get(key);
    },
  };
}
