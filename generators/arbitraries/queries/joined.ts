import { bigint, call, count, from, max, min, type PlanBuilder, sum } from '../../../src/model/build.ts';
import type { Expression } from '../../../src/model/expression.ts';
import { sharedConditions } from './conditions.ts';
import { family } from './family.ts';
import { tumbles } from './window-kinds.ts';

/** The right side of a join: signals, every column renamed. */
const signals = (where?: Expression): PlanBuilder =>
  (where === undefined ? from('signal') : from('signal').filter(where)).project({
    other_device: 'device',
    other_zone: 'zone',
    other_amount: 'amount',
    other_note: 'note',
    other_datetime: 'datetime',
  });

const readings = (where?: Expression): PlanBuilder =>
  where === undefined ? from('reading') : from('reading').filter(where);

const equals: readonly Readonly<Record<string, string>>[] = [
  { device: 'other_device' },
  { zone: 'other_zone' },
  { device: 'other_device', zone: 'other_zone' },
];

const onPairs: readonly (Expression | undefined)[] = [
  undefined,
  call('le', 'other_datetime', 'datetime'),
  call('gt', 'amount', 'other_amount'),
  call('or', call('is_null', 'other_note'), call('ne', 'note', 'other_note')),
];

const sides = [undefined, ...sharedConditions.slice(0, 4)];
const selected = ['seq', 'device', 'zone', 'amount', 'other_amount', 'other_note', 'other_datetime'] as const;

/** Pairs of rows of two streams, also of rows filtered before, and of keys that are NULL. */
export const pairs = family(
  'pairs',
  { equal: equals, on: onPairs, left: sides, right: sides, nullJoinKeys: [false, false, true] },
  ({ equal, on, left, right, nullJoinKeys }) => ({
    title: 'Readings with the signals of their device or zone',
    plan: readings(left)
      .join(signals(right), equal, on)
      .select(...selected),
    nullJoinKeys,
  }),
);

/** Groups of such pairs. */
export const groupedPairs = family(
  'grouped-pairs',
  { equal: equals, on: onPairs, keys: [['device'], ['zone']], more: [false, true] },
  ({ equal, on, keys, more }) => ({
    title: 'Aggregates of pairs so far',
    plan: readings()
      .join(signals(), equal, on)
      .aggregate(
        keys,
        more
          ? { pairs: count(), total: sum('other_amount'), most: max('amount'), first_note: min('other_note') }
          : { pairs: count() },
      ),
  }),
);

/** Pairs of a row and a group that is updated. */
export const pairsWithGroups = family(
  'pairs-with-groups',
  { aggregate: ['count', 'max'], having: [undefined, call('gt', 'rows', bigint(1))], where: sides },
  ({ aggregate, having, where }) => {
    const groups = from('signal')
      .aggregate(['device'], { rows: count(), most: aggregate === 'count' ? count('amount') : max('amount') })
      .project({ other_device: 'device', rows: 'rows', most: 'most' });
    return {
      title: 'Readings with what their device signalled so far',
      plan: readings(where)
        .select('device', 'amount', 'datetime', 'seq')
        .join(having === undefined ? groups : groups.filter(having), { device: 'other_device' })
        .select('seq', 'device', 'amount', 'rows', 'most'),
    };
  },
);

/** Pairs of windows of two streams. */
export const pairsOfWindows = family(
  'pairs-of-windows',
  { window: tumbles, on: [undefined, call('gt', 'rows', 'other_rows')] },
  ({ window, on }) => ({
    title: 'Devices that read and signalled in the same window',
    plan: from('reading')
      .window(window)
      .perWindow(['device'], { rows: count(), most: max('amount') })
      .join(
        from('signal').window(window).perWindow(['device'], { other_rows: count() }).project({
          other_device: 'device',
          starts: 'window_start',
          ends: 'window_end',
          other_rows: 'other_rows',
        }),
        { device: 'other_device', window_start: 'starts', window_end: 'ends' },
        on,
      )
      .select('device', 'window_start', 'window_end', 'rows', 'most', 'other_rows'),
  }),
);

/** The rows that hold the greatest or least value of their window, ties included. */
export const extremesOfWindows = family(
  'extremes-of-windows',
  { window: tumbles, fn: ['max', 'min'] },
  ({ window, fn }) => ({
    title: 'The greatest or least readings of every window',
    plan: from('reading')
      .select('device', 'amount', 'datetime', 'seq')
      .join(
        from('reading')
          .window(window)
          .perWindow([], { best: { fn, arg: 'amount' } }),
        { amount: 'best' },
        call('and', call('ge', 'datetime', 'window_start'), call('lt', 'datetime', 'window_end')),
      )
      .select('device', 'amount', 'datetime', 'seq', 'window_end'),
  }),
);
