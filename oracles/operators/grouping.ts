import type { Row, Value } from '../../src/model/value.ts';
import { Groups } from '../groups.ts';
import type { Window } from '../windows.ts';
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
    const groups = new Groups(keys.filter((index) => index < width));
    const rows: Row[] = [];
    const groupOfRow: number[] = [];
    const windows: Window[] = [];
    /** By window: the places of its rows in `rows`. */
    const placesIn: number[][] = [];
    input((row, window) => {
      // A row comes once for each of its windows, one after the other.
      if (row !== rows[rows.length - 1]) {
        rows.push(row);
        groupOfRow.push(groups.of(row));
      }
      if (window.number === windows.length) {
        windows.push(window);
        placesIn.push([]);
      }
      placesIn[window.number]!.push(rows.length - 1);
    });
    /** By group: its pane, if it has one in the window at hand. */
    const paneOf: number[] = new Array(groups.firstRows.length).fill(NONE);
    for (const { number, bounds } of windows) {
      const firstRows: Row[] = [];
      for (const place of placesIn[number]!) {
        const row = rows[place]!;
        const group = groupOfRow[place]!;
        if (paneOf[group] === NONE) {
          paneOf[group] = firstRows.length;
          firstRows.push(row);
        }
        visit(row, paneOf[group]!, bounds[1] as number);
      }
      end((pane, row) => {
        const first = firstRows[pane]!;
        for (let place = 0; place < keys.length; place++) {
          const index = keys[place]!;
          row[place] = index < width ? first[index]! : bounds[index - width]!;
        }
      });
      for (const place of placesIn[number]!) paneOf[groupOfRow[place]!] = NONE;
    }
  };
}

const NONE = -1;
