import { count, from, tumble } from '../../model/build.ts';
import { type Tick, type TinyCase, ticks } from './tiny-case.ts';

/** Panes fire, and rows come late, at an offset that is found where it is less than this many milliseconds. */
export const SIGHT_MS = 100;

/** Windows of a millisecond: the pane of a row ends right after it. */
const plan = from('tick').window(tumble(1)).perWindow(['k'], { n: count() });

const everyMs = (k: string, first: number, last: number): readonly Tick[] =>
  Array.from({ length: last - first + 1 }, (_, index) => [k, first + index]);

/** Of {@link panesInOrder}. */
export const PANES = 2 * SIGHT_MS + 1;

/**
 * A row and its pane each millisecond. The last is at 200 and the lag is 100, so that a pane that ends at E has fired
 * where E + c − f is at most 100.
 */
export const panesInOrder: TinyCase = {
  name: 'fire',
  plan,
  dataset: ticks(SIGHT_MS, everyMs('a', 0, PANES - 1)),
  parallelism: 1,
};

/** The rows of the same, numbered from 0; for engines without windows. */
export const everyRow: TinyCase = {
  ...panesInOrder,
  name: 'rows',
  plan: from('tick').select('seq', 'k'),
};

/** Lateness may be decided now and then: Clink looks once every 256 rows of a file. */
const PATIENCE_ROWS = 1_024;

/** Rows that advance the watermark, so many that it must have been advanced by the end of them. */
export const patience = (at: number): readonly Tick[] => new Array<Tick>(PATIENCE_ROWS).fill(['early', at]);

/**
 * A greatest time of 200, then a late row each millisecond from 0 on. With the lag of 100, one whose pane ends at E is
 * dropped where E + c − f is at most 100.
 */
export const panesOfLateRows: TinyCase = {
  name: 'late',
  plan,
  dataset: ticks(SIGHT_MS, [...patience(2 * SIGHT_MS), ...everyMs('late', 0, 2 * SIGHT_MS - 1)]),
  parallelism: 1,
};
