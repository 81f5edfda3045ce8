import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { columnValues } from '../../../generators/arbitraries/column-values.ts';
import { type DrawnColumn, smallDatasets } from '../../../generators/arbitraries/index.ts';
import { type Dataset, inArrivalOrder } from '../../../src/model/dataset.ts';
import { rowFromJson, rowToJson } from '../../../src/model/row-json.ts';
import type { Row } from '../../../src/model/value.ts';
import { column, disorder, stream, timeline } from '../reading.ts';

const LAG_MS = 4_000;
const sampled = fc.sample(smallDatasets(), { numRuns: 500, seed: 1 });

const times = (dataset: Dataset) => timeline(dataset).map(({ at }) => at);

/** Rows of a stream, for the laws that hold for each. */
function rows(dataset: Dataset, name: string): Row[] {
  return inArrivalOrder(stream(dataset, name)).map(({ row }) => row);
}

describe('any small dataset', () => {
  test('is the same for the same seed', () => {
    const again = fc.sample(smallDatasets(), { numRuns: 500, seed: 1 });
    expect(again).toEqual(sampled);
    expect(fc.sample(smallDatasets(), { numRuns: 500, seed: 2 })).not.toEqual(sampled);
  });

  test('is valid: rows of their schema, unique where it says so, arrival numbers rising', () => {
    fc.assert(
      fc.property(smallDatasets(), (dataset) => {
        const arrivals = new Set<number>();
        for (const { schema, partitions } of dataset.streams) {
          for (const events of partitions) {
            let latest = -1;
            for (const { arrival, row } of events) {
              expect(arrival).toBeGreaterThan(latest);
              latest = arrival;
              expect(arrivals.has(arrival)).toBe(false);
              arrivals.add(arrival);
              expect(rowFromJson(schema.columns, rowToJson(schema.columns, row))).toEqual(row);
            }
          }
        }
        for (const path of ['bid.seq', 'auction.id', 'person.id']) {
          const numbers = column(dataset, path) as number[];
          expect([...numbers].sort((a, b) => a - b)).toEqual([...numbers.keys()]);
        }
        expect(rows(dataset, 'bid').length).toBeLessThanOrEqual(40);
        expect(rows(dataset, 'auction').length).toBeLessThanOrEqual(5);
        expect(rows(dataset, 'person').length).toBeLessThanOrEqual(3);
      }),
    );
  });

  test('is never further out of order than its bound, also while it shrinks', () => {
    const lags = fc.constantFrom(0, 1, 2, 3, 700, LAG_MS);
    fc.assert(
      fc.property(
        lags.chain((lagMs) => smallDatasets({ lagMs })),
        (dataset) => {
          expect(disorder(dataset)).toBeLessThanOrEqual(Math.max(0, dataset.lagMs - 2));
        },
      ),
    );
    // Every dataset on the way to the smallest one with a late row.
    const walked: number[] = [];
    fc.check(
      fc.property(smallDatasets(), (dataset) => {
        walked.push(disorder(dataset));
        return walked.at(-1) === 0;
      }),
      { seed: 3 },
    );
    expect(walked.length).toBeGreaterThan(5);
    expect(Math.max(...walked)).toBeLessThanOrEqual(LAG_MS - 2);
  });

  test('has prices no sum of which overflows BIGINT', () => {
    fc.assert(
      fc.property(smallDatasets(), (dataset) => {
        const prices = column(dataset, 'bid.price')
          .filter((price) => price !== null)
          .map((price) => BigInt(price as number | bigint));
        // The greatest sum over any set of rows takes all positive prices, the least all negative ones.
        const sum = (some: bigint[]) => some.reduce((total, price) => total + price, 0n);
        expect(sum(prices.filter((price) => price > 0n)) < 2n ** 63n).toBe(true);
        expect(sum(prices.filter((price) => price < 0n)) >= -(2n ** 63n)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('shrinks to one plain row when any bid will do', () => {
    const result = fc.check(
      fc.property(smallDatasets(), (dataset) => rows(dataset, 'bid').length === 0),
      { seed: 4 },
    );
    const [smallest] = result.counterexample!;
    expect(smallest.streams.map(({ partitions }) => partitions)).toEqual([
      [[]],
      [[]],
      [
        [
          {
            arrival: 0,
            row: [0, 0, 0, 'Apple', 'https://www.nexmark.com/a/b/c/item.htm?query=1', 0, 0],
          },
        ],
      ],
    ]);
  });
});

describe('among 500 small datasets', () => {
  const seen = (what: (dataset: Dataset) => boolean) => sampled.filter(what).length;
  const anyTime = (what: (at: number) => boolean) => seen((dataset) => times(dataset).some(what));
  const remainder = (at: number, size: number) => ((at % size) + size) % size;

  /** Distances in event time between successive rows of one bidder. */
  function gaps(dataset: Dataset): number[] {
    const bidders = column(dataset, 'bid.bidder');
    const at = column(dataset, 'bid.datetime') as number[];
    return [0, 1, 2, 3].flatMap((bidder) => {
      const own = at.filter((_, index) => bidders[index] === bidder).sort((a, b) => a - b);
      return own.slice(1).map((time, index) => time - own[index]!);
    });
  }

  test.each([
    ['no row at all', (dataset: Dataset) => times(dataset).length === 0],
    ['30 bids or more', (dataset: Dataset) => rows(dataset, 'bid').length >= 30],
    ['three partitions', (dataset: Dataset) => stream(dataset, 'bid').partitions.length === 3],
    [
      'an empty partition beside others',
      (dataset: Dataset) => {
        const sizes = stream(dataset, 'bid').partitions.map((events) => events.length);
        return sizes.includes(0) && sizes.some((size) => size > 0);
      },
    ],
    ['rows of one time', (dataset: Dataset) => new Set(times(dataset)).size < times(dataset).length],
    ['disorder of exactly L - 2', (dataset: Dataset) => disorder(dataset) === LAG_MS - 2],
    ['no disorder', (dataset: Dataset) => times(dataset).length > 5 && disorder(dataset) === 0],
    [
      'bids numbered against arrival',
      (dataset: Dataset) => (column(dataset, 'bid.seq') as number[]).some((seq, index) => seq < index),
    ],
    ['the greatest price', (dataset: Dataset) => column(dataset, 'bid.price').includes(2n ** 63n - 1n)],
    ['the least price', (dataset: Dataset) => column(dataset, 'bid.price').includes(-(2n ** 63n))],
    [
      'both',
      (dataset: Dataset) =>
        [2n ** 63n - 1n, -(2n ** 63n)].every((end) => column(dataset, 'bid.price').includes(end)),
    ],
    ['2^53 + 1', (dataset: Dataset) => column(dataset, 'bid.price').includes(2n ** 53n + 1n)],
    [
      'an auction that expires as it begins',
      (dataset: Dataset) =>
        column(dataset, 'auction.expires').some(
          (time, index) => time === column(dataset, 'auction.datetime')[index],
        ),
    ],
  ])('occurs %s', (_, what) => {
    expect(seen(what)).toBeGreaterThan(2);
  });

  test.each([2_000, 10_000])(
    'occur times on the edge of %i ms and one beside, also before the epoch',
    (size) => {
      for (const beside of [0, 1, size - 1]) {
        expect(anyTime((at) => remainder(at, size) === beside)).toBeGreaterThan(10);
        expect(anyTime((at) => at < 0 && remainder(at, size) === beside)).toBeGreaterThan(10);
      }
    },
  );

  test('occur times before the epoch, more than 10 s before it, and in our days', () => {
    expect(anyTime((at) => at < 0)).toBeGreaterThan(10);
    expect(anyTime((at) => at < -10_000)).toBeGreaterThan(10);
    expect(anyTime((at) => at > 1_700_000_000_000)).toBeGreaterThan(10);
  });

  test.each([9_999, 10_000, 10_001])('occur gaps of %i ms between rows of one bidder', (gap) => {
    expect(seen((dataset) => gaps(dataset).includes(gap))).toBeGreaterThan(2);
  });

  test.each(Object.keys(columnValues))('occur nulls in %s', (path) => {
    expect(seen((dataset) => column(dataset, path).includes(null))).toBeGreaterThan(2);
  });

  test.each(['', 'Google', 'GOOGLE', 'apple', 'Baidu', 'FaceBook', '🚀', '\ue010', 'e\u0301'])(
    'occurs the channel %j',
    (channel) => {
      expect(seen((dataset) => column(dataset, 'bid.channel').includes(channel))).toBeGreaterThan(2);
    },
  );

  test('occur urls with and without channel_id, and with 0 to 5 slashes', () => {
    const urls = (dataset: Dataset) => column(dataset, 'bid.url').filter((url) => typeof url === 'string');
    expect(seen((dataset) => urls(dataset).some((url) => url.includes('channel_id=')))).toBeGreaterThan(10);
    expect(seen((dataset) => urls(dataset).some((url) => !url.includes('channel_id=')))).toBeGreaterThan(10);
    for (const slashes of [0, 1, 2, 3, 4, 5]) {
      expect(
        seen((dataset) => urls(dataset).some((url) => url.split('/').length - 1 === slashes)),
      ).toBeGreaterThan(2);
    }
  });
});

describe('constraints', () => {
  const holds = (constraints: Parameters<typeof smallDatasets>[0], what: (dataset: Dataset) => void) =>
    fc.assert(
      fc.property(smallDatasets(constraints), (dataset) => {
        what(dataset);
      }),
    );

  test('keep nulls out of all columns, or of those named', () => {
    const nullsIn = (dataset: Dataset, paths: readonly string[]) =>
      paths.filter((path) => column(dataset, path).includes(null));
    holds({ neverNull: 'all' }, (dataset) => expect(nullsIn(dataset, Object.keys(columnValues))).toEqual([]));
    const named: DrawnColumn[] = ['bid.price', 'auction.seller'];
    holds({ neverNull: named }, (dataset) => expect(nullsIn(dataset, named)).toEqual([]));
  });

  test('keep odd values out', () => {
    holds({ plain: ['bid.price'] }, (dataset) => {
      for (const price of column(dataset, 'bid.price')) expect(Math.abs(Number(price))).toBeLessThan(2 ** 53);
    });
    holds({ plain: 'all' }, (dataset) => {
      for (const text of column(dataset, 'bid.channel')) expect(text ?? 'A').toMatch(/^\w[\w-]+$|^A$/);
    });
  });

  test('keep times after the epoch', () => {
    holds({ negativeTimes: false }, (dataset) => expect(Math.min(0, ...times(dataset))).toBe(0));
  });

  test('limit rows and partitions', () => {
    holds({ maxBids: 2, maxAuctions: 0, maxPersons: 1, maxPartitions: 1 }, (dataset) => {
      expect(dataset.streams.map(({ partitions }) => partitions.length)).toEqual([1, 1, 1]);
      expect(rows(dataset, 'bid').length).toBeLessThanOrEqual(2);
      expect(rows(dataset, 'auction')).toEqual([]);
      expect(rows(dataset, 'person').length).toBeLessThanOrEqual(1);
    });
  });

  test('allow more disorder than the default when asked', () => {
    const wide = fc.sample(smallDatasets({ disorderMs: 6_000 }), { numRuns: 100, seed: 1 });
    expect(Math.max(...wide.map(disorder))).toBe(6_000);
  });
});
