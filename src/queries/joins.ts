import { avg, bigint, call, count, from, max, text, tumble } from '../model/build.ts';
import { defineQuery, premiseNotNull } from './define.ts';

/** Joins of streams and of windows, whose inputs are too small at full size to stand in the qualification. */

const TEN_SECONDS_MS = 10_000;

const q3 = defineQuery({
  name: 'q3',
  title: 'Who sells in category 10 and lives in Oregon, Idaho or California, auction by auction',
  plan: from('auction')
    .filter(call('eq', 'category', bigint(10)))
    .select('id', 'seller')
    .join(
      from('person')
        .filter(
          call(
            'or',
            call('eq', 'state', text('OR')),
            call('eq', 'state', text('ID')),
            call('eq', 'state', text('CA')),
          ),
        )
        .project({ person: 'id', name: 'name', city: 'city', state: 'state' }),
      { seller: 'person' },
    )
    .select('name', 'city', 'state', 'id'),
  declaration: {
    class: 'append',
    reason:
      'an inner join of two streams that are never withdrawn gives a pair once, when its later row is there',
    keys: ['id'],
    fire: 'immediate',
  },
  premises: [premiseNotNull('auction', ['seller'], 'engines differ in whether a null join key is an error')],
});

const q4 = defineQuery({
  name: 'q4',
  title: 'The average over each category of the highest bid on each auction while it was open',
  plan: from('auction')
    .project({ id: 'id', category: 'category', opened: 'datetime', expires: 'expires' })
    .join(
      from('bid').select('auction', 'price', 'datetime'),
      { id: 'auction' },
      call('and', call('ge', 'datetime', 'opened'), call('le', 'datetime', 'expires')),
    )
    .aggregate(['id', 'category'], { final: max('price') })
    .project({ category: 'category', final: call('to_double', 'final') })
    .aggregate(['category'], { average: avg('final') }),
  declaration: {
    class: 'materialised',
    reason: 'every higher bid updates the average of its category',
    keys: ['category'],
    fire: 'immediate',
  },
  premises: [
    premiseNotNull('auction', ['category'], 'an upsert key must not be null: engines fail the job on one'),
    premiseNotNull('bid', ['auction'], 'engines differ in whether a null join key is an error'),
  ],
});

const q8 = defineQuery({
  name: 'q8',
  title: 'Who joined and opened auctions within the same 10 seconds',
  plan: from('person')
    .window(tumble(TEN_SECONDS_MS))
    .perWindow(['id', 'name'], { joined: count() })
    .project({ id: 'id', name: 'name', starts: 'window_start', ends: 'window_end' })
    .join(from('auction').window(tumble(TEN_SECONDS_MS)).perWindow(['seller'], { auctions: count() }), {
      id: 'seller',
      starts: 'window_start',
      ends: 'window_end',
    })
    .select('id', 'name', 'window_start', 'window_end', 'auctions'),
  declaration: {
    class: 'append',
    reason: 'an inner join of windows that fire once: a pair is never withdrawn',
    keys: ['id', 'window_start', 'window_end'],
    fire: { column: 'window_end' },
  },
  premises: [premiseNotNull('auction', ['seller'], 'engines differ in whether a null join key is an error')],
});

export const joinQueries = [q3, q4, q8];
