import { describe, expect, test } from 'vitest';
import { caseArbitrary, caseOf, profiles } from '../../generators/arbitraries/index.ts';
import { properties } from '../../properties/index.ts';
import { fitted } from '../../src/campaign/fuzz/setting.ts';
import type { FaultName } from '../../src/engines/specimen/faults.ts';
import { openSpecimen } from '../../src/engines/specimen/session.ts';
import { from } from '../../src/model/build.ts';
import type { Case } from '../../src/model/case.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { queries } from '../../src/queries/index.ts';
import { clickStream, never, queryOf } from '../engines/cases.ts';

const CASES = 400;
const healthy = openSpecimen();

/** For each property a fault of the specimen that it finds by itself, and the profile in which. */
const found: Readonly<Record<string, readonly [FaultName, string]>> = {
  'agrees-with-truth': ['negative-time-truncates', 'before-the-epoch'],
  'interrupted-is-prefix': ['cancel-flushes-panes', 'stops'],
  'changelog-folds-to-batch-result': ['having-keeps-ghost', 'everyday'],
  'sessions-agree': ['negative-time-truncates', 'before-the-epoch'],
  'restart-changes-nothing': ['open-panes-lost-at-restore', 'restarts'],
  'interleaving-changes-nothing': ['watermark-of-greatest-partition', 'partitions'],
  'order-within-lag-changes-nothing': ['bridge-merges-one-session', 'session-gaps'],
  'partitions-change-nothing': ['group-not-exchanged', 'partitions'],
  'parallelism-changes-nothing': ['group-not-exchanged', 'parallelism'],
  'time-shift-shifts-results': ['negative-time-truncates', 'everyday'],
  'hop-is-tumble-is-cumulate': ['cumulate-loses-last-step', 'windows'],
  'sessions-conserve-rows': ['drain-loses-sessions', 'session-gaps'],
  'filters-part-the-rows': ['not-null-is-true', 'nulls'],
  'aggregates-alone-equal-those-in-company': ['distinct-aggregates-share-values', 'everyday'],
  'one-row-per-pane': ['pane-fires-twice', 'windows'],
  'columns-are-those-declared': ['computed-column-misnamed', 'everyday'],
  'renaming-changes-names-only': ['empty-string-is-null', 'texts'],
};

/** The verdicts of the cases that a property claims anything of, up to the first that is no agreement. */
async function verdicts(name: string, profileName: string, fault?: FaultName): Promise<readonly Verdict[]> {
  const property = properties.find((each) => each.name === name)!;
  const profile = profiles.find((each) => each.name === profileName)!;
  const cases = caseArbitrary({ profile, declared: [...queries.values()] });
  const session = fault === undefined ? healthy : openSpecimen({ faults: [fault] });
  const sessions = name === 'sessions-agree' ? [healthy, session] : [session];
  const traits = sessions.map((each) => each.traits);
  const all: Verdict[] = [];
  for (let index = 0; index < CASES; index++) {
    const testCase = fitted(caseOf(cases, 11, index), healthy.traits);
    if (!(property.applies?.(testCase, traits) ?? true)) continue;
    const verdict = await property.check(testCase, sessions, never);
    all.push(verdict);
    if (verdict.kind === 'diverge') break;
  }
  return all;
}

test('in which order partitions are read is nothing to claim of where one reader sees rows late by it', () => {
  const bids = (...times: number[]) =>
    times.map((at, arrival) => ({ arrival, row: ['k', at, 1, arrival] as const }));
  const testCase = (...partitions: ReturnType<typeof bids>[]): Case => ({
    query: queryOf(from('click').select('k'), [clickStream]),
    dataset: { lagMs: 5, provenance: 'captured', streams: [{ schema: clickStream, partitions }] },
    schedule: { parallelism: 1, stop: 'drain' },
  });
  const [apart, close] = [testCase(bids(1), bids(100)), testCase(bids(1), bids(2))];
  const { applies } = properties.find(({ name }) => name === 'interleaving-changes-nothing')!;
  const partitioned = { ...healthy.traits, watermarkScope: 'partition' as const };
  const asOne = { ...healthy.traits, watermarkScope: 'reader' as const };
  // Read the other way round, the row at 1 comes 99 behind.
  expect([apart, close].map((each) => applies!(each, [asOne]))).toEqual([false, true]);
  expect([apart, close].map((each) => applies!(each, [partitioned]))).toEqual([true, true]);
});

test('every property has a fault that it must find', () => {
  expect(Object.keys(found).sort()).toEqual(properties.map(({ name }) => name).sort());
});

describe.each(Object.entries(found))('%s', (name, [fault, profile]) => {
  test('holds for the healthy specimen, and of some rows', async () => {
    const all = await verdicts(name, profile);
    expect(all.filter(({ kind }) => kind !== 'agree' && kind !== 'inconclusive')).toEqual([]);
    expect(all.filter(({ kind }) => kind === 'agree').length).toBeGreaterThan(10);
  });

  test(`finds ${fault}`, async () => {
    expect((await verdicts(name, profile, fault)).at(-1)?.kind).toBe('diverge');
  });
});
