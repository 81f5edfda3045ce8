import fc from 'fast-check';
import type { Value } from '../../src/model/value.ts';

/** What a column may hold besides null: everyday values, and odd ones that a caller may exclude. */
export interface ColumnValues {
  readonly plain: fc.Arbitrary<Value>;
  readonly odd?: fc.Arbitrary<Value>;
}

/** Auctions and persons are few, so that bids meet in one group; the last id may belong to no row. */
export const KEYS = 3;

/** Greatest of the small plain prices, which often tie. */
export const PLAIN_PRICE_MAX = 100;

const key = fc.nat({ max: KEYS });

const oddText = fc.constantFrom<Value>(
  '',
  ' ',
  'say "hello"\\',
  'two\nlines',
  // By code point U+E010 comes before U+1F680, by UTF-16 unit after it (semantics §1).
  '\ue010',
  '🚀',
  '🚀🚀a',
  // One letter composed and decomposed: equal to a reader, different as code points.
  '\u00e9',
  'e\u0301',
  // No U+0000: PostgreSQL and C strings cannot hold it, so it would test transports and no engine.
);

const word = (...words: string[]): ColumnValues => ({
  plain: fc.constantFrom<Value>(...words),
  odd: oddText,
});

const segment = fc.constantFrom('a', 'item.htm', '', '🚀', 'e\u0301');
const query = fc.constantFrom(
  '',
  '?query=1',
  '?channel_id=7',
  '?query=1&channel_id=12',
  '&channel_id=',
  '&channel_id=7&channel_id=8',
  '&channel_id=🚀',
);

/** URLs with any number of slashes, with and without a `channel_id`. */
const oddUrl = fc
  .tuple(fc.constantFrom('https://', 'https:/', '', '/'), fc.array(segment, { maxLength: 6 }), query)
  .map(([scheme, segments, rest]): Value => scheme + segments.join('/') + rest);

/** Prices about the bounds of q14, times 0.908 a million and fifty million, and between them. */
const midPrice = fc.constantFrom<Value>(1_101_321, 1_101_322, 7_000_000, 55_066_079, 55_066_080);

/**
 * Prices on both sides of 2^53. Forty of them add up to far less than 2^63; the ends of BIGINT itself are not
 * here, because two of them overflow.
 */
const widePrice = fc.constantFrom<Value>(
  2 ** 53 - 1,
  2n ** 53n,
  2n ** 53n + 1n,
  -(2 ** 53 - 1),
  -(2n ** 53n),
  -(2n ** 53n) - 1n,
);

/**
 * The values of every column that is not a row's time or number, by `stream.column`. All are nullable.
 *
 * `auction.expires` is given in milliseconds after the auction's time.
 */
export const columnValues = {
  'person.name': word('Ada', 'Bo'),
  'person.email': word('ada@example.com', 'bo@example.com'),
  'person.city': word('Phoenix', 'Boise'),
  'person.state': word('OR', 'ID', 'CA', 'AZ'),
  'auction.item_name': word('clock', 'harp'),
  'auction.category': { plain: fc.constantFrom<Value>(10, 11, 12) },
  'auction.seller': { plain: key },
  'auction.initial_bid': { plain: fc.nat({ max: PLAIN_PRICE_MAX }) },
  'auction.reserve': { plain: fc.nat({ max: 2 * PLAIN_PRICE_MAX }) },
  'auction.expires': { plain: fc.oneof(fc.constantFrom(0, 1, 2_000, 10_000), fc.nat({ max: 25_000 })) },
  'bid.auction': { plain: key },
  'bid.bidder': { plain: key },
  'bid.price': { plain: fc.oneof(fc.nat({ max: PLAIN_PRICE_MAX }), midPrice), odd: widePrice },
  'bid.channel': {
    plain: fc.constantFrom<Value>('Apple', 'Google', 'Facebook', 'Baidu', 'channel-7'),
    odd: fc.oneof(fc.constantFrom<Value>('apple', 'GOOGLE', 'FaceBook', 'baiDU'), oddText),
  },
  'bid.url': {
    plain: fc.constantFrom<Value>(
      'https://www.nexmark.com/a/b/c/item.htm?query=1',
      'https://www.nexmark.com/a/b/c/item.htm?query=1&channel_id=7',
    ),
    odd: oddUrl,
  },
} as const satisfies Record<string, ColumnValues>;

/** `bid.price`, `auction.seller`, …: the columns that {@link columnValues} draws. */
export type DrawnColumn = keyof typeof columnValues;
