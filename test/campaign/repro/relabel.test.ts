import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agreesWithTruth } from '../../../properties/agrees-with-truth.ts';
import { relabel, relabelledCase } from '../../../src/campaign/repro/relabel.ts';
import {
  numberNamings,
  renamedDoubles,
  renamedIntegers,
} from '../../../src/campaign/repro/renamed-numbers.ts';
import { renamedTexts, textNamings } from '../../../src/campaign/repro/renamed-texts.ts';
import type { FaultName } from '../../../src/engines/specimen/faults.ts';
import { openSpecimen } from '../../../src/engines/specimen/session.ts';
import { asc, bigint, call, count, desc, from, text, tumble } from '../../../src/model/build.ts';
import type { Case } from '../../../src/model/case.ts';
import type { Row } from '../../../src/model/value.ts';
import { never } from '../../engines/cases.ts';
import { caseOf, click, input } from '../../engines/specimen/support.ts';

const failsWith =
  (fault: FaultName) =>
  async (candidate: Case): Promise<boolean> => {
    const verdict = await agreesWithTruth.check(candidate, [openSpecimen({ faults: [fault] })], never);
    return verdict.kind === 'diverge';
  };

const rowsOf = ({ dataset }: Case): readonly Row[] =>
  dataset.streams[0]!.partitions.flat().map(({ row }) => row);

describe('a case under new values', () => {
  test('keeps which texts are equal and which comes first, and fails as before', async () => {
    const plan = from('click').select('k', 'v', 'seq').top(1, ['k'], desc('v', 'last'), asc('seq'));
    const testCase = caseOf(
      plan,
      input(
        0,
        click('Zoe Secret', 1_700_000_000_000),
        click('Anna Secret', 1_700_000_000_500, 77),
        click('Zoe Secret', 1_700_000_001_000, 4_711),
      ),
      { keys: ['k'] },
    );
    const found = await relabel(testCase, failsWith('null-order-by-direction'));
    expect(found).toMatchObject({ texts: 'ranked', numbers: 'ranked', times: 'shifted' });
    expect(rowsOf(found!.testCase)).toEqual([
      ['b', 0, null, 0],
      ['a', 500, 3, 1],
      ['b', 1_000, 4, 2],
    ]);
    expect(found!.testCase.dataset.provenance).not.toBe('captured');
  });

  test('has new texts in its query as well, and nothing that a person wrote about it', async () => {
    const plan = from('click')
      .filter(call('eq', { col: 'k' }, text('ACME Holding')))
      .aggregate(['k'], { n: count('v') });
    const testCase = caseOf(
      plan,
      input(0, click('ACME Holding', 1), click('ACME Holding', 2, 9), click('Other', 3)),
      {
        keys: ['k'],
      },
    );
    const { definition } = testCase.query;
    const told = { ...definition, title: 'Sales of ACME Holding' };
    const found = await relabel(
      { ...testCase, query: { ...testCase.query, definition: told } },
      failsWith('count-takes-nulls'),
    );
    const written = JSON.stringify([found!.testCase.query.definition, found!.testCase.dataset]);
    expect(written).not.toMatch(/ACME|Holding|Other|Sales/);
    expect(rowsOf(found!.testCase).map(([k]) => k)).toEqual(['a', 'a', 'b']);
    expect(JSON.stringify(found!.testCase.query.definition.plan)).toContain('{"lit":"a","type":"STRING"}');
  });

  test('shifts times by whole windows, so that rows stay in the panes they were in', async () => {
    const plan = from('click').window(tumble(10_000)).perWindow([], { n: count() });
    const testCase = caseOf(plan, input(0, click('a', 1_700_000_012_345), click('a', 1_700_000_020_000)));
    const shifted = relabelledCase(testCase, { texts: 'ranked', numbers: 'ranked', times: 'shifted' });
    expect(rowsOf(shifted!).map(([, at]) => at)).toEqual([2_345, 10_000]);
  });

  test('falls back to texts letter by letter where lengths matter, and still shows no old letter', async () => {
    // The fault counts bytes: it takes a letter of two of them before what is searched for.
    const plan = from('click').project({
      seq: { col: 'seq' },
      at: call('position', text('t'), { col: 'k' }),
    });
    const testCase = caseOf(plan, input(0, click('geheim é t', 1)));
    const found = await relabel(testCase, failsWith('position-in-bytes'));
    expect(found).toMatchObject({ texts: 'lettered' });
    const [[k]] = rowsOf(found!.testCase) as [Row];
    expect([...(k as string)]).toHaveLength('geheim é t'.length);
    expect(k).not.toMatch(/[gehimté]/);
  });

  test('keeps numbers that no double holds where the failure takes them', async () => {
    const plan = from('click').select('v', 'seq');
    const testCase = caseOf(plan, input(0, click('a', 1, 9_007_199_254_745_993n), click('a', 2, 123_456)));
    const found = await relabel(testCase, failsWith('bigint-read-as-double'));
    expect(found).toMatchObject({ numbers: 'by-size' });
    const [[, , great], [, , small]] = rowsOf(found!.testCase) as [Row, Row];
    expect(great).toBe(2n ** 53n + 1n);
    expect(small).toBe(2);
  });

  test('leaves numbers of the query where they are when the failure hangs on them', async () => {
    const plan = from('click').project({
      seq: { col: 'seq' },
      half: call('divide', { col: 'v' }, bigint(2)),
    });
    const testCase = caseOf(plan, input(0, click('a', 1, -7_777)));
    const found = await relabel(testCase, async (candidate) => {
      const divides = JSON.stringify(candidate.query.plan).includes('{"lit":2,"type":"BIGINT"}');
      return divides && failsWith('division-floors')(candidate);
    });
    expect(found?.numbers).toBe('beside-literals');
  });

  test('is none where the failure takes the old values', async () => {
    const testCase = caseOf(from('click').select('k'), input(0, click('only this fails', 1)));
    const fails = async (candidate: Case) => rowsOf(candidate)[0]![0] === 'only this fails';
    expect(await relabel(testCase, fails)).toBeUndefined();
  });
});

describe('new numbers', () => {
  const bigints = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const some = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.maxSafeInteger(), bigints);
  const wholes = fc.array(some, { minLength: 1, maxLength: 30 });

  test.each(numberNamings)('keep order, equality and sign: %s', (naming) => {
    fc.assert(
      fc.property(wholes, fc.array(some, { maxLength: 4 }), (values, literals) => {
        const rename = renamedIntegers(values, literals, naming);
        const all = [...values, ...literals];
        for (const a of all) {
          expect(sign(rename(a))).toBe(sign(a));
          for (const b of all) expect(order(rename(a), rename(b))).toBe(order(BigInt(a), BigInt(b)));
        }
      }),
    );
  });

  test.each(numberNamings)(
    'of doubles keep order, equality, sign, where there is room between what stays: %s',
    (naming) => {
      const doubles = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 20 });
      fc.assert(
        fc.property(doubles, fc.array(fc.double({ noNaN: true }), { maxLength: 3 }), (values, literals) => {
          const rename = renamedDoubles(values, literals, naming);
          if (naming !== 'beside-literals') expect(rename).toBeDefined();
          if (rename === undefined) return;
          const all = [...values, ...literals];
          for (const a of all) {
            expect(Math.sign(rename(a))).toBe(Math.sign(a));
            for (const b of all) expect(order(rename(a), rename(b))).toBe(order(a, b));
          }
        }),
      );
    },
  );

  test('of the query stay beside the literals', () => {
    const rename = renamedIntegers([100, 900, 1_500], [1_000], 'beside-literals');
    expect([100, 900, 1_000, 1_500].map(rename)).toEqual([1, 2, 1_000, 1_001]);
  });
});

describe('new texts', () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: 1, maxLength: 30 });

  test.each(textNamings)(
    'keep order by code point and equality, and none is or holds an old one: %s',
    (naming) => {
      fc.assert(
        fc.property(texts, (old) => {
          const rename = renamedTexts(old, naming);
          if (rename === undefined) return;
          for (const a of old) {
            if (a !== '') expect(old).not.toContain(rename(a));
            for (const b of old)
              expect(order(points(rename(a)), points(rename(b)))).toBe(order(points(a), points(b)));
          }
        }),
      );
    },
  );

  test('by rank there always are', () => {
    fc.assert(fc.property(texts, (old) => renamedTexts(old, 'ranked') !== undefined));
  });

  test('do not become each other', () => {
    const rename = renamedTexts(['a', 'b', 'c'], 'ranked')!;
    expect(['a', 'b', 'c'].map(rename)).toEqual(['aa', 'ab', 'ac']);
  });
});

const sign = (value: number | bigint) => (value < 0 ? -1 : value > 0 ? 1 : 0);
const order = (a: number | bigint | string, b: number | bigint | string) => (a < b ? -1 : a > b ? 1 : 0);
/** A text whose order as such is that by code point. */
const points = (value: string) =>
  [...value].map((letter) => letter.codePointAt(0)!.toString(16).padStart(6, '0')).join('');
