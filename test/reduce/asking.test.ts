import { expect, test } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import { Asking, MOST_KEPT } from '../../src/reduce/asking.ts';
import { caseKey, reduceCase } from '../../src/reduce/index.ts';
import { asks, richCase } from './cases.ts';

test('steps that lead to another case for ever have an end', async () => {
  const asking = new Asking(richCase(), { stillFails: asks(() => true) });
  await asking.keepAll((testCase): Case[] => {
    const { schedule } = testCase;
    return [{ ...testCase, schedule: { ...schedule, parallelism: schedule.parallelism + 1 } }];
  });
  expect(asking.best.schedule.parallelism).toBe(richCase().schedule.parallelism + MOST_KEPT);
});

test('a reduction ends by itself whatever fails', async () => {
  for (const seed of [1, 2, 3, 4]) {
    for (const share of [2, 8]) {
      const { stopped, runs } = await reduceCase(richCase(), {
        stillFails: asks((candidate) => numberOf(caseKey(candidate), seed) % share === 0),
        budget: { runs: 1_500 },
      });
      expect({ stopped, enough: runs < 1_500 }).toEqual({ stopped: 'minimal', enough: true });
    }
  }
});

/** Some number of a text: FNV-1a. */
function numberOf(text: string, seed: number): number {
  let hash = 2_166_136_261 ^ seed;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16_777_619);
  return (hash >>> 8) & 0xffff;
}
