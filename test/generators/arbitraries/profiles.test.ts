import { expect, test } from 'vitest';
import { caseArbitrary, caseOf, type Profile, profiles } from '../../../generators/arbitraries/index.ts';
import { labelsOf } from '../../../properties/coverage.ts';
import { queries } from '../../../src/queries/index.ts';

const declared = [...queries.values()];
const SEED = 20_241_130;

const CASES = 400;

/** How many of the first cases reach each label. */
function reached(profile: Profile | readonly Profile[], cases: number): Map<string, number> {
  const arbitrary = caseArbitrary({ profile, declared });
  const counts = new Map<string, number>();
  for (let index = 0; index < cases; index++) {
    for (const label of labelsOf(caseOf(arbitrary, SEED, index)))
      counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return counts;
}

const byProfile = new Map(profiles.map((profile) => [profile, reached(profile, CASES)]));
const profilesThatReach = (label: string) =>
  profiles.filter((profile) => byProfile.get(profile)!.has(label)).map(({ name }) => name);

test.each(profiles.map((profile) => [profile.name, profile] as const))(
  `the profile %s reaches every label it names in ${CASES} cases`,
  (_, profile) => {
    expect(profile.covers.filter((label) => !byProfile.get(profile)!.has(label))).toEqual([]);
  },
);

test('the default mix reaches every label of every profile in 2,000 cases', () => {
  const counts = reached(profiles, 2_000);
  const named = new Set(profiles.flatMap(({ covers }) => covers));
  expect([...named].filter((label) => !counts.has(label))).toEqual([]);
  expect(counts.get('around-2048')!).toBeLessThan(40);
});

test('rows beyond the lag, and times before the epoch, come from the profiles that say so alone', () => {
  expect(profilesThatReach('late')).toEqual(['lateness']);
  expect(profilesThatReach('disorder-exactly-lag')).toEqual(['lateness']);
  expect(profilesThatReach('before-the-epoch')).toEqual(['before-the-epoch']);
});

test('restarts and cancelled runs come from few profiles alone', () => {
  expect(profilesThatReach('restart')).toEqual(['lateness', 'restarts']);
  expect(profilesThatReach('cancel')).toEqual(['stops', 'parallelism']);
});
