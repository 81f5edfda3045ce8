import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smallDatasets } from '../../../generators/arbitraries/index.ts';
import { nexmarkStreams } from '../../../generators/nexmark/index.ts';
import { openSpecimen } from '../../../src/engines/specimen/session.ts';
import type { Schedule } from '../../../src/model/case.ts';
import { checkQuery } from '../../../src/model/query.ts';
import { queries } from '../../../src/queries/index.ts';
import { never, textOf } from '../cases.ts';
import { type ChangeLine, changesOf } from './support.ts';

const RUNS = 100;

const schedules: fc.Arbitrary<Schedule> = fc
  .record({
    parallelism: fc.integer({ min: 1, max: 4 }),
    stop: fc.constantFrom('drain', 'settle-cancel', 'cancel'),
    cancelAfterRows: fc.nat({ max: 48 }),
    checkpoint: fc.nat({ max: 48 }),
    gap: fc.nat({ max: 20 }),
  })
  .map(({ checkpoint, gap, ...schedule }) => ({
    ...schedule,
    steps: [
      { after: checkpoint, do: 'checkpoint' },
      { after: checkpoint + gap, do: 'restart' },
    ],
  }));

/** What is wrong with a retract stream (§7): the first line that is not lawful, if one is. */
function unlawful(changes: readonly ChangeLine[], keys: readonly number[]): string | undefined {
  const live = new Map<string, string>();
  for (const [index, [op, row]] of changes.entries()) {
    const key = textOf(keys.map((position) => row[position]!));
    if (op.startsWith('+')) {
      if (live.has(key)) return `line ${index} gives a key a second row`;
      live.set(key, textOf(row));
    } else if (live.get(key) !== textOf(row)) {
      return `line ${index} removes a row that is not there`;
    } else {
      live.delete(key);
    }
  }
  return undefined;
}

/** Bids enough for groups to be updated often, and for more than ten on one auction. */
const datasets = smallDatasets({ plain: ['bid.price'], maxBids: 80, maxAuctions: 15 });

describe('every row of an updating query is removed as it was added before its key takes another', () => {
  const updating = [...queries.values()]
    .map((definition) => checkQuery(definition, nexmarkStreams))
    .filter(({ output }) => output.updating);

  it.each(updating.map((query) => ({ query, name: query.definition.name })))('$name', async ({ query }) => {
    const keys = query.definition.declaration.keys.map((key) =>
      query.columns.findIndex(({ name }) => name === key),
    );
    const specimen = openSpecimen();
    let removals = 0;
    const property = fc.asyncProperty(datasets, schedules, async (dataset, schedule) => {
      const changes = await changesOf(query, await specimen.run({ query, dataset, schedule }, never));
      removals += changes.filter(([op]) => op.startsWith('-')).length;
      expect(unlawful(changes, keys)).toBeUndefined();
    });
    await fc.assert(property, { seed: 20_241_130, numRuns: RUNS });
    expect(removals).toBeGreaterThan(RUNS / 10);
  });

  it('which the fault that withdraws nothing breaks', async () => {
    const query = updating.find(({ definition }) => definition.name === 'bidder-totals')!;
    const specimen = openSpecimen({ faults: ['update-before-not-sent'] });
    const [dataset] = fc
      .sample(smallDatasets({ plain: 'all' }), { seed: 1, numRuns: 20 })
      .filter(({ streams }) => streams.some(({ partitions }) => partitions.flat().length > 20));
    const schedule = { parallelism: 1, stop: 'drain' } as const;
    const changes = await changesOf(query, await specimen.run({ query, dataset: dataset!, schedule }, never));
    expect(unlawful(changes, [0])).toMatch(/second row/);
  });
});
