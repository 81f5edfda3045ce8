import type { Row } from '../../src/model/value.ts';
import type { Arrived } from './arrived.ts';
import type { Shape } from './shape.ts';

/** The rows of one key in one window: those that must be counted, and those that may, both in arrival order. */
export interface Pane {
  readonly start: number;
  readonly end: number;
  readonly must: Arrived[];
  readonly may: Arrived[];
}

/** What a pane gives when it accepts some of the rows that may be counted. */
interface Option {
  readonly accepted: ReadonlySet<Arrived>;
  readonly rows: readonly Row[];
}

/** Panes of one key fall apart into those that share rows that may be counted: others decide for themselves. */
export function sharingPanes(panes: readonly Pane[]): readonly (readonly Pane[])[] {
  const groups: Pane[][] = [];
  for (const pane of panes.toSorted((a, b) => a.end - b.end)) {
    const isShared = (other: Pane) => other.may.some((row) => pane.may.includes(row));
    const joined = groups.filter((group) => group.some(isShared));
    for (const group of joined) groups.splice(groups.indexOf(group), 1);
    groups.push([...joined.flat(), pane].sort((a, b) => a.end - b.end));
  }
  return groups;
}

/**
 * Every lawful set of rows that panes of one key give (semantics §4): in each window, of each partition a prefix of the
 * rows that may be counted; and what an earlier pane accepted every later pane of that row accepts.
 *
 * `panes`: by their ends.
 */
export function* paneCandidates(panes: readonly Pane[], fold: Shape['fold']): Generator<readonly Row[]> {
  const options = panes.map((pane) => [...optionsOf(pane, fold)]);
  yield* choose(0, []);

  function* choose(place: number, earlier: readonly Option[]): Generator<readonly Row[]> {
    if (place === panes.length) {
      yield earlier.flatMap(({ rows }) => rows);
      return;
    }
    const { may } = panes[place]!;
    for (const option of options[place]!) {
      const isKept = (row: Arrived) =>
        option.accepted.has(row) || !earlier.some(({ accepted }) => accepted.has(row));
      if (may.every(isKept)) yield* choose(place + 1, [...earlier, option]);
    }
  }
}

/** A prefix of each partition's rows that may be counted, in every combination; all of them first. */
function* optionsOf({ start, end, must, may }: Pane, fold: Shape['fold']): Generator<Option> {
  const partitions = [...new Set(may.map(({ partition }) => partition))];
  const rowsOf = partitions.map((partition) => may.filter((row) => row.partition === partition));
  for (const accepted of prefixes(rowsOf)) {
    const counted = [...must, ...accepted].sort((a, b) => a.arrival - b.arrival);
    yield {
      accepted: new Set(accepted),
      rows: fold(
        counted.map(({ row }) => row),
        start,
        end,
      ),
    };
  }
}

function* prefixes(lists: readonly (readonly Arrived[])[]): Generator<readonly Arrived[]> {
  const [list, ...rest] = lists;
  if (list === undefined) {
    yield [];
    return;
  }
  for (let length = list.length; length >= 0; length--) {
    for (const others of prefixes(rest)) yield [...list.slice(0, length), ...others];
  }
}

/** In how many ways a pane can accept rows that may be counted, whatever the other panes do. */
export function optionCount({ may }: Pane): number {
  const counts = new Map<number, number>();
  for (const { partition } of may) counts.set(partition, (counts.get(partition) ?? 0) + 1);
  return [...counts.values()].reduce((product, count) => product * (count + 1), 1);
}
