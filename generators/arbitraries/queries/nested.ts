import { avg, call, count, desc, from, max, min, type PlanBuilder, sum } from '../../../src/model/build.ts';
import type { WindowKind } from '../../../src/model/plan/window.ts';
import { family } from './family.ts';
import { cumulates, hops, tumbles } from './window-kinds.ts';

/** Counts per device of a window, in event time by its end. */
function windowCounts(stream: string, window: WindowKind): PlanBuilder {
  return from(stream)
    .window(window)
    .perWindow(['device'], { rows: count(), least: min('amount') })
    .project({ device: 'device', rows: 'rows', least: 'least', ended: 'window_end' });
}

const streams = ['reading', 'signal'] as const;
const inner = [...tumbles, hops[1]!, cumulates[1]!];
const outer = [...tumbles, ...hops.slice(0, 4), ...cumulates.slice(0, 2)];

/** A window over the results of a window. */
export const windowOverWindow = family(
  'window-over-window',
  { inner, outer, keys: [['device'], []], stream: streams },
  (p) => ({
    title: 'Windows of window results',
    plan: windowCounts(p.stream, p.inner)
      .window(p.outer)
      .perWindow(p.keys, {
        panes: count(),
        total: sum('rows'),
        most: max('rows'),
        least_of_all: min('least'),
      }),
  }),
);

/** An aggregate without a window over the results of one. */
export const groupsOverWindow = family(
  'groups-over-window',
  { inner: [...inner, ...hops], stream: streams },
  (p) => ({
    title: 'Aggregates of all window results so far',
    plan: windowCounts(p.stream, p.inner)
      .project({ device: 'device', rows: 'rows', rows_double: call('to_double', 'rows') })
      .aggregate(['device'], { panes: count(), total: sum('rows'), average: avg('rows_double') }),
  }),
);

/** Groups of rows that are pushed out again, so that aggregates must withdraw. */
export const groupsOverRank = family(
  'groups-over-rank',
  { limit: [1, 2, 3], partition: ['device', 'zone'], by: ['datetime', 'amount'], nulls: ['last', 'first'] },
  ({ limit, partition, by, nulls }) => ({
    title: 'Aggregates of the first readings of each key',
    plan: from('reading')
      .select('device', 'zone', 'amount', 'note', 'datetime', 'seq')
      .top(limit, [partition], desc(by, nulls), desc('seq'))
      .aggregate([partition === 'device' ? 'zone' : 'device'], {
        rows: count(),
        total: sum('amount'),
        most: max('amount'),
        distinct_notes: { fn: 'count', arg: 'note', distinct: true },
      }),
  }),
);

/** Groups of groups: each update of an inner group withdraws its former value from the outer one. */
export const groupsOverGroups = family(
  'groups-over-groups',
  { stream: streams, most: ['amount', 'note'] },
  ({ stream, most }) => ({
    title: 'How many devices have so many rows',
    plan: from(stream)
      .aggregate(['device', 'zone'], { rows: count(), best: max(most) })
      .aggregate(['rows'], { devices: count(), best_of_all: max('best'), least_of_all: min('best') }),
  }),
);
