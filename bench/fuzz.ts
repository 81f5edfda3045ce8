import { caseArbitrary, caseOf, profiles } from '../generators/arbitraries/index.ts';
import { properties } from '../properties/index.ts';
import { search } from '../src/campaign/fuzz/search.ts';
import { openSpecimen } from '../src/engines/specimen/session.ts';
import { queries } from '../src/queries/index.ts';

const CASES = 4_000;
const ROUNDS = 3;

/**
 * Cases a second of a search on the healthy specimen, against those of a loop that only draws such cases. Rounds of both
 * in turn, the best of each. They draw from other seeds: neither is spared the queries that the other has just checked.
 */
export async function benchFuzz(): Promise<void> {
  const declared = [...queries.values()];
  const cases = caseArbitrary({ profile: profiles, declared });
  const drawing: number[] = [];
  const searching: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    drawing.push(
      await rate(async () => {
        for (let index = 0; index < CASES; index++) caseOf(cases, ROUNDS + round, index);
      }),
    );
    searching.push(
      await rate(async () => {
        const { failures } = await search({
          seed: round,
          profiles,
          properties,
          declared,
          engines: [{ name: 'specimen', session: openSpecimen() }],
          shard: { index: 0, of: 1 },
          cases: CASES,
          goesOn: () => true,
          findings: [],
          onFailure: async () => {},
          signal: new AbortController().signal,
        });
        if (failures.length > 0) throw new Error('the healthy specimen fails');
      }),
    );
  }
  const [drawn, searched] = [Math.max(...drawing), Math.max(...searching)];
  console.log(
    `${CASES} cases: ${drawn.toFixed(0)} a second drawn alone, ${searched.toFixed(0)} a second searched, ` +
      `ratio ${(searched / drawn).toFixed(2)}`,
  );
}

async function rate(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return CASES / ((performance.now() - started) / 1_000);
}
