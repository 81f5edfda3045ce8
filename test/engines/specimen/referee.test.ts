import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { smallDatasets } from '../../../generators/arbitraries/index.ts';
import { nexmarkStreams } from '../../../generators/nexmark/index.ts';
import { duckdb } from '../../../src/engines/duckdb/engine.ts';
import type { Session } from '../../../src/engines/engine.ts';
import { openSpecimen } from '../../../src/engines/specimen/session.ts';
import {
  asc,
  bigint,
  call,
  count,
  countDistinct,
  cumulate,
  desc,
  from,
  hop,
  max,
  min,
  type PlanBuilder,
  session,
  sum,
  tumble,
} from '../../../src/model/build.ts';
import type { Dataset } from '../../../src/model/dataset.ts';
import type { Expression } from '../../../src/model/expression.ts';
import { type CheckedQuery, checkQuery } from '../../../src/model/query.ts';
import { queries } from '../../../src/queries/index.ts';
import { joinQueries } from '../../../src/queries/joins.ts';
import { never, queryOf, temporaryDirectory, textOf } from '../cases.ts';
import { changesOf, finalRows } from './support.ts';

/** Datasets for each query; TIDEMARK_DATASETS asks for more. */
const DATASETS = Math.ceil(Number(process.env.TIDEMARK_DATASETS ?? 300) / 10);

const SEED = Number(process.env.TIDEMARK_SEED ?? 20_241_130);

const directory = temporaryDirectory();
const specimen = openSpecimen();
let referee: Session;
beforeAll(async () => {
  referee = await duckdb.open({ directory: directory.path, signal: never });
});
afterAll(async () => {
  await referee[Symbol.asyncDispose]();
  directory.remove();
});

/**
 * Small prices where a query averages: beyond 2^53 the average is not determined. Where streams are joined, more rows of
 * the smaller ones, since few pairs are no test.
 */
const datasetsFor = (name: string): fc.Arbitrary<Dataset> =>
  smallDatasets({
    ...(['q4', 'q17'].includes(name) ? { plain: ['bid.price'] } : {}),
    ...(joinQueries.some((query) => query.name === name)
      ? { maxBids: 20, maxAuctions: 20, maxPersons: 10 }
      : {}),
  });

const cheap = call('lt', 'price', bigint(50));

/** What the declared queries leave out. */
const plans: Readonly<Record<string, PlanBuilder>> = {
  'a tumble with an offset': from('bid')
    .window(tumble(10_000, -3_001))
    .perWindow(['auction'], { n: count(), least: min('price') }),
  'an uneven hop with an offset': from('bid')
    .window(hop(7_000, 3_000, 1_000))
    .perWindow(['bidder'], { n: count('price'), most: max('channel') }),
  'a cumulation with an offset': from('bid')
    .window(cumulate(2_000, 8_000, 5_000))
    .perWindow([], { n: count(), auctions: countDistinct('auction') }),
  'one session of all keys': from('bid')
    .window(session(2_000, []))
    .filter(cheap)
    .perWindow(['auction'], { total: sum('price') }),
  'a window over windows': from('bid')
    .window(tumble(2_000))
    .perWindow(['auction'], { n: count() })
    .project({ auction: 'auction', n: 'n', ends: 'window_end' })
    .window(hop(10_000, 5_000))
    .perWindow(['auction'], { panes: count(), bids: sum('n') }),
  'filters and distinct values': from('bid').aggregate(['auction'], {
    n: { fn: 'count', where: cheap },
    bidders: { ...countDistinct('bidder'), where: cheap },
    channels: countDistinct('channel'),
    total: { ...sum('price'), where: cheap },
    distinct: { fn: 'sum', arg: 'price', distinct: true },
    least: { ...min('channel'), where: cheap },
  }),
  'groups of groups': from('bid')
    .aggregate(['auction', 'bidder'], { n: count(), most: max('price') })
    .aggregate(['n'], {
      pairs: count(),
      least: min('most'),
      most: max('most'),
      of: countDistinct('auction'),
    }),
  having: from('bid')
    .aggregate(['auction', 'bidder'], { n: count(), least: min('price') })
    .filter(call('and', call('ge', 'n', bigint(2)), cheapest('least'))),
  'a top-N of groups': from('bid')
    .aggregate(['auction', 'bidder'], { least: min('price'), n: count() })
    .top(2, ['auction'], asc('least', 'first'), desc('n'), asc('bidder', 'last')),
  'groups of a top-N': from('bid')
    .select('auction', 'price', 'channel', 'seq')
    .top(3, ['auction'], desc('channel', 'last'), asc('price', 'first'), desc('seq'))
    .aggregate(['channel'], { n: count(), total: sum('price') }),
  'groups joined with rows': from('bid')
    .aggregate(['auction'], { bids: count(), most: max('price') })
    .join(from('bid').project({ of: 'auction', price: 'price', seq: 'seq' }), { auction: 'of' })
    .filter(call('eq', 'most', 'price')),
  'groups joined with groups': from('bid')
    .aggregate(['auction'], { bids: count() })
    .join(from('bid').project({ bidder: 'bidder' }).aggregate(['bidder'], { made: count() }), {
      bids: 'made',
    }),
};

/** Whether the cheapest bid is below 50 or there is none. */
function cheapest(least: string): Expression {
  return call('or', call('is_null', least), call('lt', least, bigint(50)));
}

/** A run in which nothing may make a difference: subtasks, a checkpoint and a restart somewhere. */
const schedules = fc
  .record({
    parallelism: fc.integer({ min: 1, max: 4 }),
    checkpoint: fc.nat({ max: 48 }),
    gap: fc.nat({ max: 20 }),
  })
  .map(({ parallelism, checkpoint, gap }) => ({
    parallelism,
    stop: 'drain' as const,
    steps: [
      { after: checkpoint, do: 'checkpoint' as const },
      { after: checkpoint + gap, do: 'restart' as const },
    ],
  }));

/** Both engines on {@link DATASETS} datasets. */
async function agree(query: CheckedQuery, datasets: fc.Arbitrary<Dataset>): Promise<void> {
  let filled = 0;
  const property = fc.asyncProperty(datasets, schedules, async (dataset, schedule) => {
    const own = await specimen.run({ query, dataset, schedule }, never);
    const other = await referee.run({ query, dataset, schedule: { parallelism: 1, stop: 'drain' } }, never);
    const rows = finalRows(await changesOf(query, own));
    if (rows.length > 0) filled += 1;
    expect(rows.map(textOf)).toEqual(finalRows(await changesOf(query, other)).map(textOf));
  });
  await fc.assert(property, { seed: SEED, numRuns: DATASETS, markInterruptAsFailure: true });
  expect(filled).toBeGreaterThan(DATASETS / 10);
}

describe('the specimen drained, on any subtasks and restarted, gives the rows of DuckDB', () => {
  it.each([...queries.values()])('$name', async (definition) => {
    await agree(checkQuery(definition, nexmarkStreams), datasetsFor(definition.name));
  });

  it.each(Object.entries(plans))('%s', async (_, plan) => {
    await agree(queryOf(plan, nexmarkStreams), smallDatasets({ plain: ['bid.price'] }));
  });
});
