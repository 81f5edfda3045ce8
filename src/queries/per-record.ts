import { bigint, call, double, from, text } from '../model/build.ts';
import { defineQuery, premiseNotNull } from './define.ts';

/** Queries whose rows come one by one: each answers a row, or pairs of rows, at once. */

const perRecord = 'one row out for a row in, never withdrawn';

const q0 = defineQuery({
  name: 'q0',
  title: 'Every bid, unchanged',
  plan: from('bid').select('auction', 'bidder', 'price', 'channel', 'url', 'datetime', 'seq'),
  declaration: { class: 'append', reason: perRecord, keys: ['seq'], fire: 'immediate' },
});

const price = call('multiply', double(0.908), call('to_double', 'price'));

const q1 = defineQuery({
  name: 'q1',
  title: 'Price of each bid in euro: times 0.908',
  plan: from('bid').project({
    auction: 'auction',
    bidder: 'bidder',
    price,
    datetime: 'datetime',
    seq: 'seq',
  }),
  declaration: { class: 'append', reason: perRecord, keys: ['seq'], fire: 'immediate' },
});

const q2 = defineQuery({
  name: 'q2',
  title: 'Bids on every 123rd auction',
  plan: from('bid')
    .filter(call('eq', call('modulo', 'auction', bigint(123)), bigint(0)))
    .select('auction', 'price', 'seq'),
  declaration: {
    class: 'append',
    reason: 'a filter: a row is in or out for good',
    keys: ['seq'],
    fire: 'immediate',
  },
});

const hourOfBid = call('hour', 'datetime');

const q14 = defineQuery({
  name: 'q14',
  title: 'Bids of a middling price, with the time of day and a count of letters',
  plan: from('bid')
    .project({
      auction: 'auction',
      bidder: 'bidder',
      price,
      bid_time_type: call(
        'case',
        call('and', call('ge', hourOfBid, bigint(8)), call('le', hourOfBid, bigint(18))),
        text('dayTime'),
        call('or', call('le', hourOfBid, bigint(6)), call('ge', hourOfBid, bigint(20))),
        text('nightTime'),
        text('otherTime'),
      ),
      datetime: 'datetime',
      c_count: call(
        'subtract',
        call('char_length', 'url'),
        call('char_length', call('replace', 'url', text('c'), text(''))),
      ),
      seq: 'seq',
    })
    .filter(call('and', call('gt', 'price', double(1_000_000)), call('lt', 'price', double(50_000_000)))),
  declaration: { class: 'append', reason: perRecord, keys: ['seq'], fire: 'immediate' },
});

const lowerChannel = call('lower', 'channel');

const q21 = defineQuery({
  name: 'q21',
  title: 'Number of each bid’s channel: by name for the four great ones, else from the url',
  plan: from('bid')
    .project({
      auction: 'auction',
      bidder: 'bidder',
      price: 'price',
      channel: 'channel',
      channel_id: call(
        'case',
        call('eq', lowerChannel, text('apple')),
        text('0'),
        call('eq', lowerChannel, text('google')),
        text('1'),
        call('eq', lowerChannel, text('facebook')),
        text('2'),
        call('eq', lowerChannel, text('baidu')),
        text('3'),
        call('split_index', 'url', text('channel_id='), bigint(1)),
      ),
      seq: 'seq',
    })
    .filter(call('not', call('is_null', 'channel_id'))),
  declaration: { class: 'append', reason: perRecord, keys: ['seq'], fire: 'immediate' },
});

const q22 = defineQuery({
  name: 'q22',
  title: 'The first three directories of each bid’s url',
  plan: from('bid').project({
    auction: 'auction',
    bidder: 'bidder',
    price: 'price',
    channel: 'channel',
    dir1: call('split_index', 'url', text('/'), bigint(3)),
    dir2: call('split_index', 'url', text('/'), bigint(4)),
    dir3: call('split_index', 'url', text('/'), bigint(5)),
    seq: 'seq',
  }),
  declaration: { class: 'append', reason: perRecord, keys: ['seq'], fire: 'immediate' },
});

const q20 = defineQuery({
  name: 'q20',
  title: 'Each bid on an auction of category 10 to 12, with its auction',
  plan: from('bid')
    .select('auction', 'bidder', 'price', 'channel', 'url', 'datetime', 'seq')
    .join(
      from('auction')
        .filter(call('and', call('ge', 'category', bigint(10)), call('le', 'category', bigint(12))))
        .project({
          id: 'id',
          item_name: 'item_name',
          category: 'category',
          seller: 'seller',
          opened: 'datetime',
          expires: 'expires',
        }),
      { auction: 'id' },
    )
    .select(
      'auction',
      'bidder',
      'price',
      'channel',
      'datetime',
      'seq',
      'item_name',
      'category',
      'seller',
      'opened',
      'expires',
    ),
  declaration: {
    class: 'append',
    reason:
      'an inner join of two streams that are never withdrawn gives a pair once, when its later row is there',
    keys: ['seq'],
    fire: 'immediate',
  },
  premises: [premiseNotNull('bid', ['auction'], 'engines differ in whether a null join key is an error')],
});

export const perRecordQueries = [q0, q1, q2, q14, q21, q22, q20];
