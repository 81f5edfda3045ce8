import { describe, expect, test } from 'vitest';
import { agreesWithTruth } from '../../properties/agrees-with-truth.ts';
import { changelogFoldsToBatchResult } from '../../properties/changelog-folds.ts';
import type { Property } from '../../properties/property.ts';
import { isKnown, type Searched } from '../../src/campaign/fuzz/known-failure.ts';
import type { Case } from '../../src/model/case.ts';
import { neutralTraits } from '../../src/model/traits.ts';
import { never } from '../engines/cases.ts';
import { lines } from '../judge/captures.ts';
import { finding } from './findings.ts';

const ROWS = 200;

/** The case of the finding over `ROWS` rows, whose values are their numbers. */
function longCase(): Case {
  const { testCase } = finding();
  const [stream] = testCase.dataset.streams;
  const events = Array.from({ length: ROWS }, (_, seq) => ({ arrival: seq, row: [seq, seq, seq] as const }));
  return { ...testCase, dataset: { ...testCase.dataset, streams: [{ ...stream!, partitions: [events] }] } };
}

/** An engine of ours that gives the rows of the true ones that `keeps` says. */
function losing(keeps: (seq: number) => boolean): Searched {
  const kept = Array.from({ length: ROWS }, (_, seq) => seq).filter((seq) => seq > 0 && keeps(seq));
  const side = lines(...kept.map((seq) => `{"seq":${seq},"v":${seq}}`));
  return {
    name: 'ours',
    session: {
      name: 'ours',
      version: '1.3.0',
      traits: neutralTraits,
      run: async () => ({
        kind: 'output',
        capture: side.capture,
        evidence: { sql: '', cpuSeconds: undefined },
      }),
      [Symbol.asyncDispose]: async () => {},
    } as unknown as Searched['session'],
  };
}

async function known(property: Property, engine: Searched): Promise<boolean> {
  const testCase = longCase();
  const verdict = await property.check(testCase, [engine.session], never);
  if (verdict.kind !== 'diverge') throw new Error(`it is no failure: ${verdict.kind}`);
  expect(verdict.samples.length).toBeLessThan(50);
  return isKnown(testCase, verdict, property, engine, [finding()], never);
}

describe('a failure', () => {
  test.each([agreesWithTruth, changelogFoldsToBatchResult])(
    'of $name is known where every row is, also of more than are sampled',
    async (property) => {
      expect(
        await known(
          property,
          losing((seq) => seq < 100),
        ),
      ).toBe(true);
    },
  );

  test('is not known where a single row is another, sampled or not', async () => {
    expect(
      await known(
        agreesWithTruth,
        losing((seq) => seq < 99),
      ),
    ).toBe(false);
  });
});
