import { describe, expect, test } from 'vitest';
import { profiles } from '../../generators/arbitraries/index.ts';
import { properties } from '../../properties/index.ts';
import type { Searched } from '../../src/campaign/fuzz/known-failure.ts';
import { type FoundFailure, type SearchOptions, search } from '../../src/campaign/fuzz/search.ts';
import { seedNumber } from '../../src/campaign/fuzz/setting.ts';
import { signatureText } from '../../src/campaign/fuzz/signature.ts';
import { duckdb } from '../../src/engines/duckdb/engine.ts';
import type { FaultName } from '../../src/engines/specimen/faults.ts';
import { openSpecimen } from '../../src/engines/specimen/session.ts';
import { queries } from '../../src/queries/index.ts';
import { caseKey } from '../../src/reduce/index.ts';
import { never, temporaryDirectory } from '../engines/cases.ts';

const CASES = 400;

const specimen = (...faults: FaultName[]): Searched => ({
  name: 'specimen',
  session: openSpecimen({ faults }),
});

const searching = (engines: readonly Searched[], options: Partial<SearchOptions> = {}) =>
  search({
    seed: 5,
    profiles,
    properties,
    declared: [...queries.values()],
    engines,
    shard: { index: 0, of: 1 },
    cases: CASES,
    goesOn: () => true,
    findings: [],
    onFailure: async () => {},
    signal: never,
    ...options,
  });

describe('a search', () => {
  test('on a healthy engine finds nothing', async () => {
    const { failures, tallies, cases } = await searching([specimen()]);
    expect(failures).toEqual([]);
    expect(cases).toBe(CASES);
    expect(tallies.reduce((sum, { tally }) => sum + tally.held, 0)).toBeGreaterThan(CASES / 2);
  });

  test('gives the same cases and verdicts however they are shared out', async () => {
    const faulty = () => [specimen('negative-time-truncates')];
    const failing = async (shard: SearchOptions['shard']) => {
      const { failures, tallies } = await searching(faulty(), { shard });
      const counts = tallies.map(
        ({ tally }) => [tally.property, tally.held, tally.failed, tally.empty] as const,
      );
      return { failures, counts };
    };
    const whole = await failing({ index: 0, of: 1 });
    const parts = await Promise.all([0, 1, 2].map((index) => failing({ index, of: 3 })));
    const added = whole.counts.map(([property], row) => {
      const sum = (column: 1 | 2 | 3) => parts.reduce((total, { counts }) => total + counts[row]![column], 0);
      return [property, sum(1), sum(2), sum(3)];
    });
    expect(added).toEqual(whole.counts);
    const signatures = (found: typeof whole.failures) =>
      [...new Set(found.flatMap(({ drawnAs }) => drawnAs.map(signatureText)))].sort();
    expect(signatures(parts.flatMap((part) => part.failures))).toEqual(signatures(whole.failures));
  });

  test('keeps one case of a signature, cut, with how often it fails and the first wrong operator', async () => {
    const { failures } = await searching([specimen('pane-fires-twice')], {
      properties: properties.filter(({ name }) => name === 'one-row-per-pane'),
      profiles: profiles.filter(({ name }) => name === 'windows'),
    });
    expect(failures.length).toBeGreaterThan(0);
    for (const { cases, confirmed, rows, signature } of failures) {
      expect(confirmed).toEqual({ k: 3, n: 3 });
      expect(rows.kept).toBeLessThanOrEqual(rows.drawn);
      expect(signature.kinds).toEqual(['extra']);
      expect(signature.operator).toMatch(/window$/);
      expect(cases).toBeGreaterThan(0);
    }
    const drawnAs = failures.flatMap((failure) => failure.drawnAs.map(signatureText));
    expect(new Set(drawnAs).size).toBe(drawnAs.length);
    expect(failures.some(({ cases }) => cases > 1)).toBe(true);
  });

  test('keeps one case of what was drawn under several signatures, by the signature that it has itself', async () => {
    const told: FoundFailure[] = [];
    const { failures } = await searching([specimen('source-skips-row-at-restore')], {
      properties: properties.filter(({ name }) => name === 'agrees-with-truth'),
      profiles: profiles.filter(({ name }) => name === 'restarts'),
      cases: 60,
      async onFailure(failure) {
        told.push(failure);
      },
    });
    const keys = failures.map(({ testCase }) => caseKey(testCase));
    expect(new Set(keys).size).toBe(keys.length);
    expect(told).toEqual(failures);
    const scanned = failures.find(({ testCase }) => testCase.query.plan.op === 'scan')!;
    expect(scanned.drawnAs.length).toBeGreaterThan(1);
    expect(scanned.signature).toMatchObject({ operator: 'scan', kinds: ['lost'] });
  });

  test('compares two engines where the law leaves them no choice', { timeout: 120_000 }, async () => {
    const directory = temporaryDirectory();
    const referee = {
      name: 'duckdb',
      session: await duckdb.open({ directory: directory.path, signal: never }),
    };
    const joint = { properties: properties.filter(({ name }) => name === 'sessions-agree'), cases: 60 };
    const well = await searching([referee, specimen()], joint);
    expect(well.failures).toEqual([]);
    expect(well.tallies[0]!.tally.held).toBeGreaterThan(20);
    const ill = await searching([referee, specimen('negative-time-truncates')], { ...joint, cases: 200 });
    expect(ill.failures.length).toBeGreaterThan(0);
    await referee.session[Symbol.asyncDispose]();
    directory.remove();
  });

  test('ends when it is told to', async () => {
    let left = 10;
    expect((await searching([specimen()], { goesOn: () => left-- > 0, cases: undefined })).cases).toBe(10);
    expect((await searching([specimen()], { signal: AbortSignal.abort() })).cases).toBe(0);
  });
});

describe('a seed', () => {
  test('of digits stands for itself, any other text for its hash', () => {
    expect(seedNumber('42')).toBe(42);
    expect(seedNumber('nightly-7')).toBe(seedNumber('nightly-7'));
    expect(seedNumber('nightly-7')).not.toBe(seedNumber('nightly-8'));
    expect(Number.isSafeInteger(seedNumber('99999999999999999999'))).toBe(true);
  });
});
