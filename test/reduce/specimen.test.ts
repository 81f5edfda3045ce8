import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { profiles } from '../../generators/arbitraries/index.ts';
import { agreesWithTruth } from '../../properties/agrees-with-truth.ts';
import { fuzz } from '../../src/campaign/fuzz/fuzz.ts';
import { readRepro } from '../../src/campaign/fuzz/repro.ts';
import { type FoundFailure, search } from '../../src/campaign/fuzz/search.ts';
import { type FaultName, faults } from '../../src/engines/specimen/faults.ts';
import { openSpecimen } from '../../src/engines/specimen/session.ts';
import type { Case } from '../../src/model/case.ts';
import { caseKey } from '../../src/reduce/index.ts';
import { checkProperty } from '../../src/vitest/index.ts';
import { never } from '../engines/cases.ts';
import { eventsOf } from './cases.ts';

const specimen = (fault: FaultName) => openSpecimen({ faults: [fault] });

/** The first failures of a fault in a profile, each of another seed. */
async function failuresOf(
  fault: FaultName,
  profile: string,
  seeds: number,
): Promise<readonly FoundFailure[]> {
  const failures: FoundFailure[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    let found: FoundFailure | undefined;
    await search({
      seed,
      profiles: profiles.filter(({ name }) => name === profile),
      properties: [agreesWithTruth],
      declared: [],
      engines: [{ name: 'specimen', session: specimen(fault) }],
      shard: { index: 0, of: 1 },
      cases: 2_000,
      goesOn: () => found === undefined,
      findings: [],
      async onFailure(failure) {
        found = failure;
      },
      signal: never,
    });
    failures.push(found!);
  }
  return failures;
}

describe('failures of the specimen', () => {
  test.each<[FaultName, string, number]>([
    // Two of the three rows that the fault catalogue tells it by, at most.
    ['negative-time-truncates', 'before-the-epoch', 1],
    ['late-row-reopens-pane', 'lateness', 2],
    ['touching-sessions-separate', 'session-gaps', 2],
    ['null-group-lost', 'nulls', 1],
    ['modulo-never-negative', 'arithmetic', 1],
    ['groups-lost-at-restore', 'restarts', 2],
    // By withdrawals as well as by rows that come again; by lines that repeat a row as well as by the rows themselves.
    ['distinct-lost-at-restore', 'restarts', 2],
    ['output-repeated-at-restore', 'restarts', 1],
    // By order, by comparison, by the least and the greatest.
    ['strings-by-utf16-order', 'texts', 1],
  ])('by %s end in one case of few rows, whatever the seed', async (fault, profile, rows) => {
    const failures = await failuresOf(fault, profile, 3);
    expect(new Set(failures.map(({ testCase }) => caseKey(testCase))).size).toBe(1);
    const [{ testCase, confirmed }] = failures as [FoundFailure];
    expect(eventsOf(testCase)).toHaveLength(rows);
    expect(confirmed).toEqual({ k: 3, n: 3 });
    const ill = await agreesWithTruth.check(testCase, [specimen(fault)], never);
    expect(ill.kind).toBe('diverge');
    expect((await agreesWithTruth.check(testCase, [openSpecimen()], never)).kind).not.toBe('diverge');
  });

  test('end in cases of which no single row can be left out', async () => {
    for (const fault of ['merged-session-kept', 'top-n-forgets-cut-rows'] satisfies FaultName[]) {
      const [{ testCase }] = (await failuresOf(fault, 'everyday', 1)) as [FoundFailure];
      const fails = async (candidate: Case) =>
        (await agreesWithTruth.check(candidate, [specimen(fault)], never)).kind === 'diverge';
      expect(await fails(testCase)).toBe(true);
      for (const event of eventsOf(testCase)) expect(await fails(without(testCase, event))).toBe(false);
    }
  });
});

function without(testCase: Case, event: unknown): Case {
  const { dataset } = testCase;
  const streams = dataset.streams.map(({ schema, partitions }) => ({
    schema,
    partitions: partitions.map((events) => events.filter((other) => other !== event)),
  }));
  return { ...testCase, dataset: { ...dataset, streams } };
}

describe('a test and the command line', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  test('end in the same case', async () => {
    const fault = faults.find(({ name }) => name === 'hop-loses-uneven-pane')!.name;
    const repros = join(directory, 'test');
    await expect(
      checkProperty(
        agreesWithTruth,
        { engine: () => specimen(fault), seed: '3', profiles: ['windows'], repros },
        never,
      ),
    ).rejects.toThrow(/\nTIDEMARK_SEED=3 TIDEMARK_CASE=\d+ npx vitest run -t agrees-with-truth\n/);
    const [file] = readdirSync(repros);
    const ofTest = await readRepro(join(repros, file!));

    const summary = await fuzz({
      seed: '4',
      engines: [{ name: 'specimen', session: specimen(fault) }],
      profiles,
      properties: [agreesWithTruth],
      declared: [],
      shard: { index: 0, of: 1 },
      cases: 300,
      goesOn: () => true,
      findings: [],
      directory: join(directory, 'fuzz'),
      tidemarkVersion: '0',
      command: [],
      signal: never,
    });
    const ofSearch = await readRepro(join(directory, 'fuzz', summary.failures[0]!.repro));
    expect(caseKey(ofTest.testCase)).toBe(caseKey(ofSearch.testCase));
  });
});
