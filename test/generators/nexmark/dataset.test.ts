import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { generateNexmark, nexmarkStreams, profiles, rowCounts } from '../../../generators/nexmark/index.ts';
import { datasetHeaderSchema, type Event, inArrivalOrder } from '../../../src/model/dataset.ts';
import { InputError } from '../../../src/model/errors.ts';
import { rowFromJson, rowToJson } from '../../../src/model/row-json.ts';
import { columnIndex, streamSchema } from '../../../src/model/schema.ts';
import type { Value } from '../../../src/model/value.ts';
import { column, disorder, stream, timeline } from '../reading.ts';

const options = fc.record({
  seed: fc.string(),
  events: fc.integer({ min: 1, max: 1_500 }),
  profile: fc.constantFrom(...profiles.map((profile) => profile.name)),
  partitions: fc.integer({ min: 1, max: 5 }),
  lagMs: fc.constantFrom(0, 1, 2, 3, 500, 4_000),
});
const fewRuns = { numRuns: 30 };

describe('any nexmark dataset', () => {
  test('has streams the model accepts', () => {
    for (const schema of nexmarkStreams) expect(streamSchema.parse(schema)).toEqual(schema);
  });

  test.prop([options], fewRuns)('is the same for the same seed', (input) => {
    expect(generateNexmark(input)).toEqual(generateNexmark(input));
  });

  test.prop([options], fewRuns)('holds the streams in proportion, every arrival number once', (input) => {
    const dataset = generateNexmark(input);
    const counts = rowCounts(input.events);
    for (const name of ['person', 'auction', 'bid'] as const) {
      expect(inArrivalOrder(stream(dataset, name))).toHaveLength(counts[name]);
    }
    expect(timeline(dataset).map(({ arrival }) => arrival)).toEqual([...new Array(input.events).keys()]);
  });

  test.prop([options], fewRuns)('rises in arrival within every partition', (input) => {
    for (const { partitions } of generateNexmark(input).streams) {
      expect(partitions).toHaveLength(input.partitions);
      for (const events of partitions) {
        expect(
          events.every((event, index) => index === 0 || event.arrival > events[index - 1]!.arrival),
        ).toBe(true);
      }
    }
  });

  test.prop([options], fewRuns)('has rows valid for their schema and unique where it says so', (input) => {
    for (const data of generateNexmark(input).streams) {
      const { columns, unique } = data.schema;
      const events = data.partitions.flat();
      for (const { row } of events) expect(rowFromJson(columns, rowToJson(columns, row))).toEqual(row);
      for (const set of unique) {
        const indexes = set.map((name) => columnIndex(columns, name));
        const keys = events.map(({ row }) => indexes.map((index) => String(row[index])).join());
        expect(new Set(keys).size).toBe(events.length);
      }
    }
  });

  test.prop([options], fewRuns)('has rows that do not depend on the number of partitions', (input) => {
    const one = generateNexmark({ ...input, partitions: 1 });
    const many = generateNexmark(input);
    expect(many.streams.map(inArrivalOrder)).toEqual(one.streams.map(inArrivalOrder));
  });

  test.prop([options], fewRuns)('begins with the rows of a shorter one', (input) => {
    const longer = generateNexmark({ ...input, events: input.events + 777 });
    const first = (events: readonly Event[]) => events.filter(({ arrival }) => arrival < input.events);
    expect(longer.streams.map(({ partitions }) => partitions.map(first))).toEqual(
      generateNexmark(input).streams.map(({ partitions }) => partitions),
    );
  });

  test.prop([options], fewRuns)('is never further out of order than the lag less 2 ms', (input) => {
    const { lagMs } = input;
    const furthest = disorder(generateNexmark(input));
    expect(furthest).toBeLessThanOrEqual(Math.max(0, lagMs - 2));
    if (lagMs >= 500 && input.events > 500) expect(furthest).toBeGreaterThan(lagMs / 2);
  });

  test.prop([options], fewRuns)('records in its provenance all that is needed to make it again', (input) => {
    const dataset = generateNexmark(input);
    if (dataset.provenance === 'captured') return expect.unreachable();
    const { seed, profile, parameters } = dataset.provenance;
    expect(generateNexmark({ seed, profile, events: 0, ...parameters })).toEqual(dataset);
    const rows = dataset.streams.map(({ schema, partitions }) => ({
      schema,
      rows: partitions.map((events) => events.length),
    }));
    const header = { version: 1, lagMs: dataset.lagMs, provenance: dataset.provenance, streams: rows };
    expect(datasetHeaderSchema.parse(header)).toEqual(header);
  });
});

describe('profile nexmark', () => {
  const dataset = generateNexmark({ seed: 'shape', events: 50_000, partitions: 4 });

  test('holds 1,000 persons, 3,000 auctions and 46,000 bids in 50,000 events', () => {
    expect(rowCounts(50_000)).toEqual({ person: 1_000, auction: 3_000, bid: 46_000 });
    expect(dataset.streams.map((data) => inArrivalOrder(data).length)).toEqual([1_000, 3_000, 46_000]);
  });

  test('takes 1,000 events a second on average, from ten seconds before an hour', () => {
    const times = timeline(dataset).map(({ at }) => at);
    const start = Date.UTC(2024, 0, 1, 7, 59, 50);
    expect(Math.max(...times)).toBeGreaterThan(start + 49_900);
    expect(Math.max(...times)).toBeLessThan(start + 50_000);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(start - 3_998);
  });

  test('has no nulls', () => {
    expect(
      dataset.streams.flatMap(({ partitions }) => partitions.flat()).flatMap(({ row }) => row),
    ).not.toContain(null);
  });

  test('shares rows out nearly but not exactly evenly', () => {
    const sizes = stream(dataset, 'bid').partitions.map((events) => events.length);
    for (const size of sizes) expect(Math.abs(size - 11_500)).toBeLessThan(500);
    expect(new Set(sizes).size).toBeGreaterThan(1);
  });

  test('has hot auctions and bidders, and few ids from the future', () => {
    const ids = column(dataset, 'bid.auction') as number[];
    const highest = (values: readonly Value[]) => {
      const counts = new Map<Value, number>();
      for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
      return Math.max(...counts.values());
    };
    expect(highest(ids)).toBeGreaterThan(4 * (46_000 / 3_000));
    expect(highest(column(dataset, 'bid.bidder'))).toBeGreaterThan(4 * (46_000 / 1_000));
    const arrivals = inArrivalOrder(stream(dataset, 'bid')).map(({ arrival }) => arrival);
    const ahead = ids.filter((id, index) => id - 1_000 >= Math.floor(arrivals[index]! / 50) * 3 + 3);
    expect(ahead.length).toBeGreaterThan(0);
    expect(ahead.length).toBeLessThan(ids.length / 20);
  });

  test('splits about half its bids over four hot channels whose urls name no channel', () => {
    const channels = column(dataset, 'bid.channel');
    const urls = column(dataset, 'bid.url') as string[];
    const isHot = (channel: Value) => ['Google', 'Facebook', 'Baidu', 'Apple'].includes(channel as string);
    const hot = channels.filter(isHot).length;
    expect(hot).toBeGreaterThan(22_000);
    expect(hot).toBeLessThan(24_000);
    for (const [index, channel] of channels.entries()) {
      const number = /channel_id=(\d+)$/.exec(urls[index]!)?.[1];
      expect(isHot(channel) ? undefined : channel).toBe(
        number === undefined ? undefined : `channel-${number}`,
      );
    }
  });

  test('lets bidders fall silent for longer than a session gap of 10 s', () => {
    const last = new Map<Value, number>();
    let splits = 0;
    const times = column(dataset, 'bid.datetime') as number[];
    for (const [index, bidder] of column(dataset, 'bid.bidder').entries()) {
      if (times[index]! - (last.get(bidder) ?? times[index]!) > 10_000 + 3_998) splits++;
      last.set(bidder, times[index]!);
    }
    expect(splits).toBeGreaterThan(100);
  });
});

describe('profile extremes', () => {
  const dataset = generateNexmark({ seed: 'edges', events: 5_000, partitions: 2, profile: 'extremes' });

  test('puts nulls in about one of eight values of every nullable column, and nowhere else', () => {
    for (const { schema, partitions } of dataset.streams) {
      const rows = partitions.flat().map(({ row }) => row);
      for (const [index, { nullable }] of schema.columns.entries()) {
        const nulls = rows.filter((row) => row[index] === null).length / rows.length;
        if (nullable) expect(nulls).toBeGreaterThan(0.04);
        expect(nulls).toBeLessThan(nullable ? 0.25 : Number.MIN_VALUE);
      }
    }
  });

  test('holds prices at and beyond 2^53 and at both ends of BIGINT, and small ones', () => {
    const prices = column(dataset, 'bid.price');
    const wanted = [2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n), 2 ** 53 - 1, 0, 1, 9];
    for (const price of wanted) expect(prices).toContain(price);
  });

  test('holds strings that need escaping or lie beyond the BMP, and none with U+0000', () => {
    const strings = dataset.streams
      .flatMap(({ partitions }) => partitions.flat())
      .flatMap(({ row }) => row.filter((value): value is string => typeof value === 'string'));
    for (const part of ['', '"', '\\', '\n', '\u0007', '\ue010', '🚀', 'e\u0301']) {
      expect(strings.some((text) => (part === '' ? text === '' : text.includes(part)))).toBe(true);
    }
    expect(strings.some((text) => text.includes('\u0000'))).toBe(false);
  });

  test('starts more than a window before the epoch and crosses it', () => {
    const times = timeline(dataset).map(({ at }) => at);
    expect(Math.min(...times)).toBeLessThan(-12_000);
    expect(Math.max(...times)).toBeGreaterThan(5_000);
  });
});

test.each([
  ['events', { events: 0 }],
  ['events', { events: 1.5 }],
  ['partitions', { partitions: 0 }],
  ['lagMs', { lagMs: -1 }],
  ['disorderMs', { disorderMs: Number.NaN }],
  ['eventsPerSecond', { eventsPerSecond: 0 }],
  ['eventsPerSecond', { eventsPerSecond: Number.POSITIVE_INFINITY }],
  ['startMs', { startMs: 2 ** 60 }],
  ['profile', { profile: 'nowhere' }],
])('refuses a wrong %s by its name', (field, wrong) => {
  const attempt = () => generateNexmark({ seed: 's', events: 10, ...wrong });
  expect(attempt).toThrow(InputError);
  expect(attempt).toThrow(expect.objectContaining({ field }));
});
