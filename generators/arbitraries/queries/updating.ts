import { asc, desc, from, type PlanBuilder, tumble } from '../../../src/model/build.ts';
import { aggregations } from './aggregations.ts';
import { conditions, sharedConditions } from './conditions.ts';
import { family } from './family.ts';
import { groupable, groupKeys, havings } from './windowed.ts';

const keyed = groupKeys.filter((keys) => keys.length > 0);

/** Groups without a window, whose rows are updated, and withdrawn where a condition no longer holds. */
export const unbounded = family(
  'unbounded',
  {
    keys: keyed,
    aggregation: [...aggregations, {}],
    having: havings,
    stream: ['reading', 'signal'],
    where: [undefined, ...sharedConditions.slice(0, 5)],
  },
  ({ keys, aggregation, having, stream, where }) => {
    const groups = groupable(stream, where).aggregate(keys, aggregation);
    return {
      title: 'Aggregates of all rows so far',
      plan: having === undefined || !('rows' in aggregation) ? groups : groups.filter(having),
    };
  },
);

const ascending = { asc, desc } as const;
const directions = ['desc', 'asc'] as const;
const columns = ['device', 'zone', 'amount', 'note', 'datetime', 'seq'] as const;

function readings(where: (typeof conditions)[number] | undefined): PlanBuilder {
  return (where === undefined ? from('reading') : from('reading').filter(where)).select(...columns);
}

/** The last row of each key, or the first, by event time and number. */
export const keepOne = family(
  'keep-one',
  { time: directions, tie: directions, partition: keyed, where: [undefined, ...conditions] },
  ({ time, tie, partition, where }) => ({
    title: 'The last or first reading of each key',
    plan: readings(where).top(1, partition, ascending[time]('datetime'), ascending[tie]('seq')),
  }),
);

/** The first rows of each key by a column that ties and may be NULL. */
export const topRows = family(
  'top-rows',
  {
    limit: [3, 1, 2, 5],
    partition: groupKeys,
    by: ['amount', 'note', 'zone'],
    direction: directions,
    nulls: ['last', 'first'],
    tie: directions,
    where: [undefined, ...conditions.slice(0, 6)],
  },
  ({ limit, partition, by, direction, nulls, tie, where }) => ({
    title: 'The first readings of each key by a column',
    plan: readings(where).top(limit, partition, ascending[direction](by, nulls), ascending[tie]('seq')),
  }),
);

/** The first groups by their number of rows, of all time or of each window. */
export const topGroups = family(
  'top-groups',
  {
    windowed: [true, false],
    limit: [1, 2, 3],
    direction: directions,
    tie: directions,
    stream: ['reading', 'signal'],
  },
  ({ windowed, limit, direction, tie, stream }) => {
    const order = [ascending[direction]('rows'), ascending[tie]('device', 'last')];
    const rows = groupable(stream, undefined);
    return {
      title: 'The devices with most or fewest rows',
      plan: windowed
        ? rows
            .window(tumble(10_000))
            .perWindow(['device'], { rows: { fn: 'count' } })
            .top(limit, ['window_start', 'window_end'], ...order)
        : rows.aggregate(['device'], { rows: { fn: 'count' } }).top(limit, [], ...order),
    };
  },
);
