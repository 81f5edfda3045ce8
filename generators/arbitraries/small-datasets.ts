import fc from 'fast-check';
import type { Dataset, Event } from '../../src/model/dataset.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/value.ts';
import { auctionStream, bidStream, nexmarkStreams, personStream } from '../nexmark/streams.ts';
import type { DrawnColumn } from './column-values.ts';
import { type Draft, draftsOf } from './drafts.ts';
import { noPriceEnds, type PriceEnds, priceEnds, withPriceEnds } from './price-ends.ts';
import { clockAfter, startTimes, timeOf } from './timeline.ts';

/** Bounds of {@link smallDatasets}. */
export interface SmallDatasetConstraints {
  /** Most rows of each stream: by default 40 bids, 5 auctions, 3 persons. 0 leaves one empty; not all may be 0. */
  readonly maxBids?: number | undefined;
  readonly maxAuctions?: number | undefined;
  readonly maxPersons?: number | undefined;
  /** Most partitions of each stream, default 3. A partition may be empty. */
  readonly maxPartitions?: number | undefined;
  /** The lag `L` of semantics §2 in milliseconds, default 4,000. */
  readonly lagMs?: number | undefined;
  /** Greatest disorder in arrival order, default `lagMs - 2` and at least 0: no row's fate is open (§4). */
  readonly disorderMs?: number | undefined;
  /** Whether event times may lie before the epoch, default true. */
  readonly negativeTimes?: boolean | undefined;
  /** Columns that hold no null, default none. `'all'` for every column. */
  readonly neverNull?: 'all' | readonly DrawnColumn[] | undefined;
  /** Columns that hold only everyday values, default none: no prices beyond 2^53, no odd strings. */
  readonly plain?: 'all' | readonly DrawnColumn[] | undefined;
}

/**
 * Small nexmark datasets made to touch the edges of the semantics: ties, disorder up to the bound over all
 * partitions and streams, times on the edges of 2 s and 10 s windows and a millisecond beside, session gaps of
 * 10 s and a millisecond more or less, times before the epoch, nulls, prices up to the ends of BIGINT, strings
 * beyond ASCII.
 *
 * No sum over prices overflows BIGINT, whatever the grouping ({@link withPriceEnds}). One that counts a row
 * several times can, such as a sum over the results of overlapping windows: ask for a plain `bid.price` there.
 *
 * Shrinks to fewer events, then one partition, step and lateness 0 (disorder left over is needed), rows
 * numbered as they arrive, and the first of each column's plain values. Cannot shrink out of bounds: a time is
 * clock less lateness and the parts shrink alone.
 *
 * The provenance names fast-check: such a dataset is data in its own right and is not made again from a seed.
 */
export function smallDatasets(constraints: SmallDatasetConstraints = {}): fc.Arbitrary<Dataset> {
  const { maxBids = 40, maxAuctions = 5, maxPersons = 3, maxPartitions = 3, lagMs = 4_000 } = constraints;
  const { disorderMs = Math.max(0, lagMs - 2), negativeTimes = true } = constraints;
  const { neverNull = [], plain = [] } = constraints;
  const limits = new Map([
    [bidStream, maxBids],
    [auctionStream, maxAuctions],
    [personStream, maxPersons],
  ]);
  const draft = [...limits]
    .filter(([, limit]) => limit > 0)
    .map(([stream, limit]) => ({
      weight: limit,
      arbitrary: draftsOf(stream, { disorderMs, neverNull, plain }),
    }));
  const plainPrice = plain === 'all' || plain.includes('bid.price');
  return fc
    .record({
      startMs: startTimes(negativeTimes ? Number.NEGATIVE_INFINITY : disorderMs),
      partitions: fc.integer({ min: 1, max: maxPartitions }),
      ends: plainPrice ? fc.constant(noPriceEnds) : priceEnds(),
      drafts: fc.array(fc.oneof({ withCrossShrink: true }, ...draft), {
        maxLength: maxBids + maxAuctions + maxPersons,
        size: 'max',
      }),
    })
    .map(({ startMs, partitions, ends, drafts }): Dataset => {
      const timed = withTimes(drafts, startMs, disorderMs);
      return {
        lagMs,
        provenance: { seed: 'fast-check', profile: 'small-dataset', parameters: { lagMs, disorderMs } },
        streams: nexmarkStreams.map((schema) => {
          // More rows than asked for are left out rather than never drawn, so that every part shrinks alone.
          const own = timed.filter(({ draft }) => draft.stream === schema).slice(0, limits.get(schema));
          return { schema, partitions: partitioned(schema, own, partitions, ends) };
        }),
      };
    });
}

interface TimedDraft {
  readonly draft: Draft;
  readonly arrival: number;
  readonly at: number;
}

function withTimes(drafts: readonly Draft[], startMs: number, disorderMs: number): TimedDraft[] {
  let clockMs = startMs;
  return drafts.map((draft, arrival) => {
    clockMs = clockAfter(clockMs, draft.step);
    return { draft, arrival, at: timeOf(clockMs, draft.lateness, disorderMs) };
  });
}

function partitioned(
  schema: StreamSchema,
  drafts: readonly TimedDraft[],
  partitions: number,
  ends: PriceEnds,
): Event[][] {
  const numbers = numbersOf(drafts);
  const prices = withPriceEnds(
    drafts.map(({ draft }) => draft.values.price ?? null),
    ends,
  );
  const numberColumn = schema.unique[0]?.[0];
  const events: Event[][] = Array.from({ length: partitions }, () => []);
  for (const [index, { draft, arrival, at }] of drafts.entries()) {
    const row = schema.columns.map(({ name }): Value => {
      if (name === schema.eventTime) return at;
      if (name === numberColumn) return numbers[index]!;
      if (name === 'price') return prices[index]!;
      const value = draft.values[name]!;
      return name === 'expires' && value !== null ? at + (value as number) : value;
    });
    events[draft.partition % partitions]!.push({ arrival, row });
  }
  return events;
}

/** The number of each draft from 0, in their `order`. */
function numbersOf(drafts: readonly TimedDraft[]): number[] {
  const numbers: number[] = [];
  const inOrder = [...drafts.keys()].sort((a, b) => drafts[a]!.draft.order - drafts[b]!.draft.order);
  for (const [number, index] of inOrder.entries()) numbers[index] = number;
  return numbers;
}
