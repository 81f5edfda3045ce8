import {
  avg,
  call,
  count,
  countDistinct,
  cumulate,
  from,
  hop,
  max,
  min,
  session,
  tumble,
} from '../model/build.ts';
import { defineQuery } from './define.ts';

/** Queries whose rows come when a window fires. */

const SECOND_MS = 1_000;
const tenSeconds = tumble(10 * SECOND_MS);
const fire = { column: 'window_end' } as const;
const reason = 'a window without allowed lateness fires once';

const highestPrice = from('bid')
  .window(tenSeconds)
  .perWindow([], { max_price: max('price') });

const q7 = defineQuery({
  name: 'q7',
  title: 'The highest bids of every 10 seconds, ties included',
  plan: from('bid')
    .select('auction', 'bidder', 'price', 'datetime', 'seq')
    .join(
      highestPrice,
      { price: 'max_price' },
      call('and', call('ge', 'datetime', 'window_start'), call('lt', 'datetime', 'window_end')),
    )
    .select('auction', 'bidder', 'price', 'datetime', 'seq', 'window_end'),
  declaration: {
    class: 'append',
    reason: 'an inner join of bids with windows that fire once: a pair is never withdrawn',
    keys: ['seq'],
    fire,
  },
});

const q12 = defineQuery({
  name: 'q12',
  title: 'Bids of each bidder in every 10 seconds',
  plan: from('bid').window(tenSeconds).perWindow(['bidder'], { bids: count() }),
  declaration: { class: 'append', reason, keys: ['window_start', 'window_end', 'bidder'], fire },
});

const q11 = defineQuery({
  name: 'q11',
  title: 'Bids of each bidder in a session that ends after 10 seconds of silence',
  plan: from('bid')
    .window(session(10 * SECOND_MS, ['bidder']))
    .perWindow(['bidder'], { bids: count() }),
  declaration: { class: 'append', reason, keys: ['window_start', 'bidder'], fire },
});

const distinctCounts = {
  bids: count(),
  bidders: countDistinct('bidder'),
  auctions: countDistinct('auction'),
};

const q15 = defineQuery({
  name: 'q15',
  title: 'Bids, bidders and auctions of every 10 seconds',
  plan: from('bid').window(tenSeconds).perWindow([], distinctCounts),
  declaration: { class: 'append', reason, keys: ['window_start', 'window_end'], fire },
});

const q16 = defineQuery({
  name: 'q16',
  title: 'Bids, bidders and auctions of each channel in every 10 seconds',
  plan: from('bid').window(tenSeconds).perWindow(['channel'], distinctCounts),
  declaration: { class: 'append', reason, keys: ['window_start', 'window_end', 'channel'], fire },
});

const q17 = defineQuery({
  name: 'q17',
  title: 'Number, least, greatest and average price of the bids on each auction in every 10 seconds',
  plan: from('bid')
    .project({
      auction: 'auction',
      price: 'price',
      price_double: call('to_double', 'price'),
      datetime: 'datetime',
    })
    .window(tenSeconds)
    .perWindow(['auction'], {
      bids: count(),
      min_price: min('price'),
      max_price: max('price'),
      avg_price: avg('price_double'),
    }),
  declaration: { class: 'append', reason, keys: ['window_start', 'window_end', 'auction'], fire },
});

/** Bids on each auction in hop windows of 10 s every 2 s; q5 builds on it. */
export const bidsPerHop = from('bid')
  .window(hop(10 * SECOND_MS, 2 * SECOND_MS))
  .perWindow(['auction'], { bids: count() });

const hopCounts = defineQuery({
  name: 'hop',
  title: 'Bids on each auction in the last 10 seconds, every 2 seconds',
  plan: bidsPerHop,
  declaration: { class: 'append', reason, keys: ['window_start', 'window_end', 'auction'], fire },
});

const cumulateCounts = defineQuery({
  name: 'cumulate',
  title: 'Bids on each auction so far in every 10 seconds, told every 2 seconds',
  plan: from('bid')
    .window(cumulate(2 * SECOND_MS, 10 * SECOND_MS))
    .perWindow(['auction'], { bids: count() }),
  declaration: { class: 'append', reason, keys: ['window_start', 'window_end', 'auction'], fire },
});

export const windowedQueries = [q7, q12, q11, q15, q16, q17, hopCounts, cumulateCounts];
