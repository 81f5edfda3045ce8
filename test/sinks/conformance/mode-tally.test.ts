import { expect, test } from 'vitest';
import type { SinkVerdict } from '../../../src/judge/sinks/sink-verdict.ts';
import type { DeliveryMode } from '../../../src/model/history/index.ts';
import { ModeTally } from '../../../src/sinks/conformance/mode-tally.ts';

/** A pass in which something came again, and after each restart so many transactions took effect again, over a span. */
function pass(...restarts: readonly (readonly [dupTransactions: number, dupSpan: number])[]): SinkVerdict {
  const numbers = {
    transactions: 5,
    messages: 0,
    chunks: 0,
    rows: 5,
    doubtful: 0,
    redelivered: 2,
    dup: restarts.reduce((sum, [dup]) => sum + dup, 0),
    loss: 0,
    restarts: restarts.map(([dupTransactions, dupSpan]) => ({
      dupTransactions,
      dupSpan,
      dupMessages: 0,
      dupChunks: 0,
      loss: 0,
    })),
  };
  return { kind: 'agree', numbers };
}

function summaryOf(mode: DeliveryMode, ...verdicts: readonly SinkVerdict[]) {
  const tally = new ModeTally(mode, 3);
  for (const [index, verdict] of verdicts.entries()) tally.add(index, verdict, undefined);
  return tally.summary(1);
}

test('at-least-once is no pass where nothing took effect again in any history', () => {
  expect(summaryOf('library', pass([0, 0]), pass([0, 0]))).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringContaining('uncovered'),
    redeliveredIn: 2,
    dupIn: 0,
  });
  expect(summaryOf('transaction', pass([0, 0]))).toMatchObject({ verdict: 'agree', dup: 0 });
});

test('one history with a duplicate is enough; the worst is the widest span of one restart', () => {
  const summary = summaryOf('library-batch', pass([0, 0]), pass([2, 3], [2, 2]));
  expect(summary).toMatchObject({ verdict: 'agree', dup: 4, dupIn: 1, worst: 3, histories: 2 });
  expect(summary.reason).toBeUndefined();
});

test('the verdict is the worst of the histories, with its first reason', () => {
  const notGated: SinkVerdict = { kind: 'not-gated', code: 'sink-timeout', message: 'too long' };
  const summary = summaryOf('library', pass([1, 1]), notGated);
  expect(summary).toMatchObject({ verdict: 'not-gated', reason: 'sink-timeout: too long', histories: 2 });
  expect(summaryOf('library')).toMatchObject({ verdict: 'inconclusive' });
});
