import { OracleRefusal } from '../../../oracles/refusal.ts';
import { truth } from '../../../oracles/truth.ts';
import { RowBag } from '../../judge/row-bag.ts';
import type { Case } from '../../model/case.ts';
import type { Traits } from '../../model/traits.ts';
import type { Diverge, Verdict } from '../../model/verdict.ts';

/**
 * The verdict with those of its extra rows called premature that are true once the watermark is further on (semantics
 * §5): not every property is told of them.
 */
export function withEarlyRows<V extends Verdict>(testCase: Case, verdict: V, traits: Traits): V | Diverge {
  if (verdict.kind !== 'diverge' || testCase.schedule.stop === 'drain') return verdict;
  if (!verdict.samples.some(({ kind }) => kind === 'extra')) return verdict;
  let early: RowBag;
  try {
    const settled = truth(testCase.query, testCase.dataset, 'settled', traits);
    const drained = truth(testCase.query, testCase.dataset, 'drained', traits);
    const due = settled.watermark + traits.fireEarlyMs.window;
    early = new RowBag(drained.rows.filter((_, index) => drained.firePoints[index]! > due));
  } catch (error) {
    if (error instanceof OracleRefusal) return verdict;
    throw error;
  }
  const counts = { ...verdict.counts };
  const samples = verdict.samples.map((sample) => {
    if (sample.kind !== 'extra' || !early.take(sample.actual)) return sample;
    counts.extra -= sample.count;
    counts.premature += sample.count;
    return { ...sample, kind: 'premature' as const };
  });
  return { kind: 'diverge', counts, samples };
}
