import type { Row, Value } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import type { Window } from '../windows.ts';
import type { SessionStream } from './session.ts';
import type { RowStream, WindowedStream } from './stream.ts';

/** Receives a row with the number of its group and the row's fire point. */
export type VisitGrouped = (row: Row, group: number, fire: number) => void;

/** Receives, after the rows of some groups, what writes the key of each to the first places of a row. */
export type EndGroups = (writeKey: (group: number, row: Value[]) => void) => void;

/**
 * Rows by groups. They come in batches that share no group: in each, groups are numbered from 0 in the order of their
 * first rows, which show their keys.
 */
export type Grouping = (visit: VisitGrouped, end: EndGroups) => void;

/** Groups of equal values in the columns at `keys`, in one batch. */
export function groupRows(input: RowStream, keys: readonly number[]): Grouping {
  return (visit, end) => {
    const groups = new Groups(keys);
    input((row, fire) => visit(row, groups.of(row), fire));
    end((group, row) => {
      const first = groups.firstRows[group]!;
      for (let place = 0; place < keys.length; place++) row[place] = first[keys[place]!]!;
    });
  };
}

/**
 * Panes: groups of equal values in the columns at `keys` within one window, each window a batch. `width`: the number of
 * columns of a row; a window's start stands at `width` and its end after it.
 */
export function groupPanes(input: WindowedStream, keys: readonly number[], width: number): Grouping {
  return (visit, end) => {
    const byKey = new Groups(keys.filter((index) => index < width));
    const rows: Row[] = [];
    const groups: number[] = [];
    const windowsOfRow: (readonly Window[])[] = [];
    /** By key, then by row: kept apart because to come back to a row long after it was read is slow. */
    const keyValues = keys.map((): Value[] => []);
    input((row, windows) => {
      rows.push(row);
      groups.push(byKey.of(row));
      windowsOfRow.push(windows);
      for (let key = 0; key < keys.length; key++) {
        if (keys[key]! < width) keyValues[key]!.push(row[keys[key]!]!);
      }
    });
    const { windows, starts, places } = byWindow(windowsOfRow);
    /** By group: the last window it has a pane in, and which. */
    const lastWindow = new Int32Array(byKey.firstRows.length).fill(NONE);
    const paneOf = new Int32Array(byKey.firstRows.length);
    for (let number = 0; number < windows.length; number++) {
      const window = windows[number];
      if (window === undefined) continue;
      const { bounds } = window;
      /** By pane: the place of its first row. */
      const firsts: number[] = [];
      for (let index = starts[number]!; index < starts[number + 1]!; index++) {
        const place = places[index]!;
        const group = groups[place]!;
        if (lastWindow[group] !== number) {
          lastWindow[group] = number;
          paneOf[group] = firsts.length;
          firsts.push(place);
        }
        visit(rows[place]!, paneOf[group]!, bounds[1] as number);
      }
      end((pane, row) => {
        const first = firsts[pane]!;
        for (let key = 0; key < keys.length; key++) {
          const index = keys[key]!;
          row[key] = index < width ? keyValues[key]![first]! : bounds[index - width]!;
        }
      });
    }
  };
}

/**
 * Panes where the key is that of the sessions, so that each session is a pane: what {@link groupPanes} gives, without
 * grouping again what is grouped. `keys` and `width` are as there; a session ends `gapMs` after its last row.
 */
export function groupSessions(
  sessions: SessionStream,
  gapMs: number,
  keys: readonly number[],
  width: number,
): Grouping {
  return (visit, end) =>
    sessions(({ first, last, rows }) => {
      const firesAt = last + gapMs;
      for (const row of rows) visit(row, 0, firesAt);
      end((_, row) => {
        for (let key = 0; key < keys.length; key++) {
          const index = keys[key]!;
          row[key] = index < width ? rows[0]![index]! : index === width ? first : firesAt;
        }
      });
    });
}

/**
 * Rows by window: those of window `n` are at `places[starts[n]]` up to `places[starts[n + 1]]`, in their order. A window
 * whose rows all came late is not there.
 */
interface ByWindow {
  readonly windows: readonly (Window | undefined)[];
  readonly starts: Int32Array;
  readonly places: Int32Array;
}

/** Sorts the places of rows, given the windows of each, by counting those of each window first. */
function byWindow(windowsOfRow: readonly (readonly Window[])[]): ByWindow {
  const windows: Window[] = [];
  const counts: number[] = [];
  for (const ofRow of windowsOfRow) {
    for (const window of ofRow) {
      windows[window.number] = window;
      counts[window.number] = (counts[window.number] ?? 0) + 1;
    }
  }
  const starts = new Int32Array(windows.length + 1);
  for (let number = 0; number < windows.length; number++) {
    starts[number + 1] = starts[number]! + (counts[number] ?? 0);
  }
  const next = starts.slice();
  const places = new Int32Array(starts[windows.length]!);
  for (let row = 0; row < windowsOfRow.length; row++) {
    for (const { number } of windowsOfRow[row]!) places[next[number]!++] = row;
  }
  return { windows, starts, places };
}

const NONE = -1;
