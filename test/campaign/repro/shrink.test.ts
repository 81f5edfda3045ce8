import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agreesWithTruth } from '../../../properties/agrees-with-truth.ts';
import { filtersPartTheRows } from '../../../properties/relations/filter-partition.ts';
import { readRepro, reproText } from '../../../src/campaign/fuzz/repro.ts';
import { writeReproFile } from '../../../src/campaign/fuzz/write-repro.ts';
import { checkShowing } from '../../../src/campaign/repro/shown.ts';
import { type ShrinkOptions, type Shrunk, shrink } from '../../../src/campaign/repro/shrink.ts';
import type { Session } from '../../../src/engines/engine.ts';
import type { FaultName } from '../../../src/engines/specimen/faults.ts';
import { openSpecimen } from '../../../src/engines/specimen/session.ts';
import { asc, call, count, desc, from, max, text, tumble } from '../../../src/model/build.ts';
import type { Case } from '../../../src/model/case.ts';
import { never } from '../../engines/cases.ts';
import { caseOf, click, input } from '../../engines/specimen/support.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Data that may be told. */
function generated(testCase: Case): Case {
  const provenance = { seed: '1', profile: 'test', parameters: {} };
  return { ...testCase, dataset: { ...testCase.dataset, provenance } };
}

const SECRETS = ['Jane Roe, 12 Elm Street', 'jane.roe@example.com', 'Übergeheim 漢字'];

/** Twelve rows with secrets, of which two are all it takes for the wrong order of NULL. */
const nulls = caseOf(
  from('click')
    .filter(call('gt', { col: 'k' }, text(SECRETS[0]!.slice(0, 4))))
    .select('k', 'v', 'seq')
    .top(1, ['k'], desc('v', 'last'), asc('seq')),
  input(
    1_000,
    ...SECRETS.flatMap((secret, index) => [
      click(secret, 1_700_000_000_000 + index, 4_000 + index),
      click(secret, 1_700_000_000_100 + index, null),
      click(secret, 1_700_000_000_200 + index, 5_000 + index),
      click(null, 1_700_000_000_300 + index, 6_000 + index),
    ]),
  ),
  { keys: ['k'] },
);

function shrinkOn(
  fault: FaultName | undefined,
  testCase: Case,
  options: Partial<ShrinkOptions> & { readonly session?: Session } = {},
): Promise<Shrunk> {
  const session = options.session ?? openSpecimen({ faults: fault === undefined ? [] : [fault] });
  return shrink({
    testCase,
    property: agreesWithTruth,
    engines: [{ name: 'specimen', session }],
    findings: [],
    budget: { runs: 500 },
    firstDivergence: false,
    relabel: false,
    found: undefined,
    data: 'generated',
    onStep: () => {},
    onCandidate: () => {},
    signal: never,
    ...options,
  });
}

function reproOf(shrunk: Shrunk) {
  if (shrunk.kind !== 'shrunk') throw new Error(`not shrunk: ${shrunk.kind}`);
  return shrunk.repro;
}

const rowsIn = ({ dataset }: Case) => dataset.streams.flatMap(({ partitions }) => partitions.flat()).length;

describe('shrinking', () => {
  test('ends in a small case that fails from its file as the given one does', async () => {
    const shrunk = await shrinkOn('null-order-by-direction', generated(nulls));
    const repro = reproOf(shrunk);
    expect(rowsIn(repro.testCase)).toBe(2);
    expect(repro.confirmed).toEqual({ k: 3, n: 3 });
    expect(repro.signature).toMatch(/agrees-with-truth, rank: /);
    const file = join(directory, 'small.json');
    await writeReproFile(file, repro);
    const { testCase, shown } = await readRepro(file);
    const faulty = openSpecimen({ faults: ['null-order-by-direction'] });
    const again = await checkShowing(agreesWithTruth, testCase, [faulty], never);
    expect(again.verdict.kind).toBe('diverge');
    expect(again.shown).toEqual(shown);
    const healthy = await checkShowing(agreesWithTruth, testCase, [openSpecimen()], never);
    expect(healthy.verdict.kind).toBe('agree');
  });

  test.each([{ runs: 0 }, { engineSeconds: 0 }])(
    'with the budget %o gives the case back as it was',
    async (budget) => {
      const testCase = generated(nulls);
      const shrunk = await shrinkOn('null-order-by-direction', testCase, { budget, firstDivergence: true });
      expect(reproOf(shrunk).testCase).toBe(testCase);
      expect(reproOf(shrunk).confirmed).toEqual({ k: 1, n: 1 });
    },
  );

  test('says of a case that does not fail that it does not', async () => {
    expect(await shrinkOn(undefined, generated(nulls))).toMatchObject({
      kind: 'no-longer-fails',
      verdict: { kind: 'agree' },
      runs: 3,
    });
  });

  test.each([4, 5, 7, 12, 20])(
    'ended after %i runs leaves a case that fails, and says how often it did',
    async (most) => {
      const ending = new AbortController();
      const faulty = openSpecimen({ faults: ['null-order-by-direction'] });
      let runs = 0;
      const session: Session = {
        ...sessionOf(faulty),
        run: (testCase, signal) => {
          if (++runs >= most) ending.abort();
          return faulty.run(testCase, signal);
        },
      };
      const shrunk = await shrinkOn(undefined, generated(nulls), { session, signal: ending.signal });
      const { testCase, confirmed } = reproOf(shrunk);
      expect(shrunk).toMatchObject({ reduced: { stopped: 'interrupted' } });
      expect(confirmed.k).toBeGreaterThanOrEqual(1);
      const { kind } = await agreesWithTruth.check(testCase, [faulty], never);
      expect(kind).toBe('diverge');
    },
  );

  test('of an engine that fails now and then says k of n, and ends in what fails', async () => {
    const faulty = openSpecimen({ faults: ['null-order-by-direction'] });
    const healthy = openSpecimen();
    let runs = 0;
    const session: Session = {
      ...sessionOf(faulty),
      // Two of three runs fail.
      run: (testCase, signal) => (runs++ % 3 === 2 ? healthy : faulty).run(testCase, signal),
    };
    const { testCase, confirmed } = reproOf(await shrinkOn(undefined, generated(nulls), { session }));
    expect(confirmed.n).toBe(3);
    expect(rowsIn(testCase)).toBe(2);
    expect((await agreesWithTruth.check(testCase, [faulty], never)).kind).toBe('diverge');
  });

  test('cuts the input to its first rows where that is asked for', async () => {
    const shrunk = await shrinkOn('null-order-by-direction', generated(nulls), { firstDivergence: true });
    // Of the first secret the row with a value and the one without.
    expect(reproOf(shrunk).firstDivergence).toEqual({ rows: 2, of: 12, shortest: true, versions: [] });
  });
});

describe('private data', () => {
  test('is never written as it is', async () => {
    const repro = reproOf(await shrinkOn('null-order-by-direction', nulls));
    expect(() => reproText(repro)).toThrow('never written');
    const file = join(directory, 'private.json');
    await expect(writeReproFile(file, repro)).rejects.toThrow('never written');
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  test.each([0, 500])('under new values holds no secret, reduced in %i runs', async (runs) => {
    const shrunk = await shrinkOn('null-order-by-direction', nulls, { relabel: true, budget: { runs } });
    const file = join(directory, `relabelled-${runs}.json`);
    await writeReproFile(file, reproOf(shrunk));
    const written = readFileSync(file, 'utf8');
    for (const secret of [...SECRETS, 'Jane', 'example', '漢', '17000000', '4000', '5001']) {
      expect(written).not.toContain(secret);
      expect(written).not.toContain(JSON.stringify(secret).slice(1, -1));
    }
    const { data, testCase } = await readRepro(file);
    expect(data).toBe('relabelled');
    const { kind } = await agreesWithTruth.check(
      testCase,
      [openSpecimen({ faults: ['null-order-by-direction'] })],
      never,
    );
    expect(kind).toBe('diverge');
  });

  test('is not told where it does not fail under new values', async () => {
    const faulty = openSpecimen({ faults: ['null-order-by-direction'] });
    const healthy = openSpecimen();
    const session: Session = {
      ...sessionOf(faulty),
      run: (testCase, signal) =>
        (JSON.stringify(testCase.dataset).includes('Jane') ? faulty : healthy).run(testCase, signal),
    };
    const shrunk = await shrinkOn(undefined, nulls, { session, relabel: true, budget: { runs: 0 } });
    expect(shrunk.kind).toBe('not-relabelled');
  });
});

describe('the file of a repro', () => {
  const faulty = openSpecimen({ faults: ['null-order-by-direction'] });

  test('holds what had to be there and what came, right rows among them', async () => {
    const testCase = generated(
      caseOf(
        from('click')
          .window(tumble(10))
          .perWindow(['k'], { n: count(), best: max('v') }),
        input(0, click('a', 1, 5), click('b', 3), click('a', 10, 2n ** 60n)),
      ),
    );
    const late = openSpecimen({ faults: ['tumble-end-inclusive'] });
    const { verdict, shown } = await checkShowing(agreesWithTruth, testCase, [late], never);
    expect(verdict.kind).toBe('diverge');
    expect(shown!.told).toBe('all');
    expect(shown!.expected).toEqual([
      [0, 10, 'a', 1, 5],
      [0, 10, 'b', 1, null],
      [10, 20, 'a', 1, 2n ** 60n],
    ]);
    expect(shown!.actual).toEqual([
      [0, 10, 'a', 2, 2n ** 60n],
      [0, 10, 'b', 1, null],
    ]);
    const file = join(directory, 'rows.json');
    await writeReproFile(
      file,
      reproOf(await shrinkOn('tumble-end-inclusive', testCase, { budget: { runs: 0 } })),
    );
    expect((await readRepro(file)).shown).toEqual(shown);
    expect(readFileSync(file, 'utf8')).toContain('1152921504606846976');
  });

  test('holds rows of the query that a property asked, where that is another one', async () => {
    const testCase = generated(
      caseOf(
        from('click')
          .filter(call('eq', { col: 'k' }, text('a')))
          .aggregate(['k'], { n: count() }),
        input(0, click('a', 1, 3), click('b', 2)),
      ),
    );
    const healthy = openSpecimen();
    // Its filters do not see the first row.
    const session: Session = {
      ...sessionOf(healthy),
      run: (one, signal) => {
        const streams = one.dataset.streams.map(({ schema, partitions }) => ({
          schema,
          partitions: partitions.map((events) => events.filter(({ arrival }) => arrival > 0)),
        }));
        const isFilter = one.query.plan.op === 'filter';
        return healthy.run(isFilter ? { ...one, dataset: { ...one.dataset, streams } } : one, signal);
      },
    };
    const shrunk = await shrinkOn(undefined, testCase, {
      session,
      property: filtersPartTheRows,
      budget: { runs: 0 },
    });
    const file = join(directory, 'other-columns.json');
    await writeReproFile(file, reproOf(shrunk));
    const { shown, testCase: read } = await readRepro(file);
    expect(read.query.columns.map(({ name }) => name)).toEqual(['k', 'n']);
    expect(shown.columns.map(({ name }) => name)).toEqual(['k', 'at', 'v', 'seq']);
    expect(shown).toMatchObject({ told: 'differing', expected: [['a', 1, 3, 0]], actual: [] });
  });

  test('of the first version is read as before', async () => {
    const { verdict, shown } = await checkShowing(agreesWithTruth, generated(nulls), [faulty], never);
    if (verdict.kind !== 'diverge') throw new Error('the case does not fail');
    const repro = reproOf(
      await shrinkOn('null-order-by-direction', generated(nulls), { budget: { runs: 0 } }),
    );
    const now = JSON.parse(reproText({ ...repro, verdict, shown: shown! }));
    const { data: _, told: __, expected: ___, actual: ____, ...before } = now;
    const file = join(directory, 'first.json');
    writeFileSync(file, JSON.stringify({ ...before, version: 1 }));
    const read = await readRepro(file);
    expect(read.verdict).toEqual(verdict);
    expect(read).toMatchObject({ data: 'generated', shown: { told: 'differing' } });
    expect(read.shown.expected).toEqual(
      verdict.samples.flatMap((each) => ('expected' in each ? [each.expected] : [])),
    );
  });

  test('of a version to come is refused', async () => {
    const repro = reproOf(
      await shrinkOn('null-order-by-direction', generated(nulls), { budget: { runs: 0 } }),
    );
    const file = join(directory, 'later.json');
    writeFileSync(file, reproText(repro).replace('"version": 2', '"version": 3'));
    await expect(readRepro(file)).rejects.toThrow(/version 3 is newer/);
  });
});

/** All of a session but how it runs. */
function sessionOf({ name, version, traits }: Session): Omit<Session, 'run'> {
  return { name, version, traits, [Symbol.asyncDispose]: async () => {} };
}
