import { asc, count, desc, from, sum } from '../model/build.ts';
import { defineQuery, premiseNotNull } from './define.ts';
import { bidsPerHop } from './windowed.ts';

/** Queries whose rows are updated: engines choose when to tell, so only the final state is judged. */

const nullKey = 'an upsert key must not be null: engines fail the job on one';

const q18 = defineQuery({
  name: 'q18',
  title: 'The latest bid of each bidder on each auction',
  plan: from('bid')
    .select('auction', 'bidder', 'price', 'channel', 'url', 'datetime', 'seq')
    .top(1, ['bidder', 'auction'], desc('datetime'), desc('seq')),
  declaration: {
    class: 'materialised',
    reason: 'a later bid replaces the row of its key',
    keys: ['bidder', 'auction'],
    fire: 'immediate',
  },
  premises: [premiseNotNull('bid', ['bidder', 'auction'], nullKey)],
});

const q19 = defineQuery({
  name: 'q19',
  title: 'The ten highest bids on each auction',
  plan: from('bid')
    .select('auction', 'bidder', 'price', 'channel', 'url', 'datetime', 'seq')
    .top(10, ['auction'], desc('price', 'last'), desc('datetime'), desc('seq')),
  declaration: {
    class: 'materialised',
    reason: 'a higher bid pushes the tenth out',
    keys: ['auction', 'seq'],
    fire: 'immediate',
  },
  premises: [premiseNotNull('bid', ['auction', 'price'], nullKey)],
});

const q5 = defineQuery({
  name: 'q5',
  title: 'The auction with most bids in the last 10 seconds, every 2 seconds; the least id wins a tie',
  plan: bidsPerHop.top(1, ['window_start', 'window_end'], desc('bids'), asc('auction', 'last')),
  declaration: {
    class: 'materialised',
    reason: 'an engine may tell the leader so far before it has seen every count of the window',
    keys: ['window_start', 'window_end'],
    fire: 'unknown',
  },
});

const bidderTotals = defineQuery({
  name: 'bidder-totals',
  title: 'Number and sum of the bids of each bidder so far',
  plan: from('bid').aggregate(['bidder'], { bids: count(), total: sum('price') }),
  declaration: {
    class: 'materialised',
    reason: 'every bid updates the row of its bidder',
    keys: ['bidder'],
    fire: 'immediate',
  },
  premises: [premiseNotNull('bid', ['bidder'], nullKey)],
});

export const materialisedQueries = [q18, q19, q5, bidderTotals];
