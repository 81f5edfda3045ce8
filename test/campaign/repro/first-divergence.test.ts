import { describe, expect, test } from 'vitest';
import {
  failingPrefix,
  failingVersions,
  installedVersions,
} from '../../../src/campaign/repro/first-divergence.ts';
import type { EngineStatus, Session } from '../../../src/engines/engine.ts';
import { openSpecimen } from '../../../src/engines/specimen/session.ts';
import { from } from '../../../src/model/build.ts';
import type { Case } from '../../../src/model/case.ts';
import { never } from '../../engines/cases.ts';
import { caseOf, click, input } from '../../engines/specimen/support.ts';

function caseOfRows(count: number, run: Parameters<typeof caseOf>[2] = {}): Case {
  const rows = Array.from({ length: count }, (_, index) => click('a', index, index, index % 2));
  return caseOf(from('click').select('seq'), input(0, ...rows), run);
}

const rowsOf = ({ dataset }: Case) =>
  dataset.streams[0]!.partitions.flat()
    .map(({ arrival }) => arrival)
    .sort((a, b) => a - b);

describe('the shortest beginning that fails', () => {
  test.each([0, 1, 7, 20])('of few rows is found by trying each: %i rows', async (least) => {
    const tried: number[] = [];
    const found = await failingPrefix(
      caseOfRows(20),
      async (candidate) => {
        tried.push(rowsOf(candidate).length);
        return rowsOf(candidate).length >= least;
      },
      never,
    );
    expect(found).toMatchObject({ rows: least, of: 20, shortest: true });
    expect(rowsOf(found.testCase)).toEqual(Array.from({ length: least }, (_, index) => index));
    expect(tried).toEqual(Array.from({ length: Math.min(20, least + 1) }, (_, index) => index));
  });

  test('of few rows is the shortest also where more rows do not fail', async () => {
    const fails = async (candidate: Case) => [3, 9, 20].includes(rowsOf(candidate).length);
    expect(await failingPrefix(caseOfRows(20), fails, never)).toMatchObject({ rows: 3, shortest: true });
  });

  test('of many rows takes few runs, and one row less does not fail', async () => {
    let runs = 0;
    const fails = async (candidate: Case) => {
      runs += 1;
      return rowsOf(candidate).length >= 613;
    };
    const found = await failingPrefix(caseOfRows(5_000), fails, never);
    expect(found).toMatchObject({ rows: 613, of: 5_000, shortest: false });
    expect(runs).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(5_000)));
  });

  test('of many rows is not called the shortest where it is not: fewer rows had failed before', async () => {
    // Fails with 5 rows, and from 40 on; doubling passes over the 5.
    const fails = async (candidate: Case) => rowsOf(candidate).length === 5 || rowsOf(candidate).length >= 40;
    const found = await failingPrefix(caseOfRows(100), fails, never);
    expect(found).toMatchObject({ rows: 40, shortest: false });
  });

  test('gives the best so far when it is ended', async () => {
    const ending = new AbortController();
    let runs = 0;
    const found = await failingPrefix(
      caseOfRows(20),
      async () => {
        if (++runs === 3) ending.abort();
        return false;
      },
      ending.signal,
    );
    expect(found).toMatchObject({ rows: 20, shortest: false });
    expect(runs).toBe(3);
  });

  test('is cancelled within its rows', async () => {
    const testCase = caseOfRows(10, { stop: 'cancel', cancelAfterRows: 8 });
    const found = await failingPrefix(testCase, async (each) => rowsOf(each).length >= 4, never);
    expect(found.testCase.schedule.cancelAfterRows).toBe(4);
  });
});

describe('versions of an engine', () => {
  const states: Record<string, EngineStatus> = {
    own: { kind: 'ready', version: '2.10.0' },
    '1.20': { kind: 'ready', version: '1.20.1' },
    '2.9': { kind: 'ready', version: '2.9.3' },
    '3.0': { kind: 'installable', version: '3.0.0' },
  };
  const engine = {
    name: 'river',
    otherVersions: ['2.9', '3.0', '1.20'],
    status: async (variant?: string) => states[variant ?? 'own']!,
  };

  test('are those that are here, the earliest first by number and not by text', async () => {
    expect(await installedVersions(engine)).toEqual([
      { name: 'river@1.20', version: '1.20.1' },
      { name: 'river@2.9', version: '2.9.3' },
      { name: 'river', version: '2.10.0' },
    ]);
  });

  test('are asked one after another, each session closed before the next is opened', async () => {
    const log: string[] = [];
    const open = async (name: string) => {
      log.push(`open ${name}`);
      return {
        ...openSpecimen(),
        version: name,
        [Symbol.asyncDispose]: async () => void log.push(`close ${name}`),
      } as Session;
    };
    const told = await failingVersions(
      await installedVersions(engine),
      open,
      async ({ version }) => version !== 'river@1.20',
      never,
    );
    expect(told.map(({ name, fails }) => [name, fails])).toEqual([
      ['river@1.20', false],
      ['river@2.9', true],
      ['river', true],
    ]);
    expect(log).toEqual(
      ['river@1.20', 'river@2.9', 'river'].flatMap((name) => [`open ${name}`, `close ${name}`]),
    );
  });
});
