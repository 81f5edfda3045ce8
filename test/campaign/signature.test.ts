import { expect, test } from 'vitest';
import { showsTheSame } from '../../src/campaign/fuzz/signature.ts';
import { ADDS_LIVE_ROW } from '../../src/judge/final-state.ts';
import type { DifferenceKind, Diverge } from '../../src/model/verdict.ts';

const none = { lost: 0, premature: 0, altered: 0, extra: 0, corrupt: 0 };
const showing = (kind: DifferenceKind): Diverge => ({
  kind: 'diverge',
  counts: { ...none, [kind]: 1 },
  samples: [],
});
const corrupt = (problem: string): Diverge => ({
  ...showing('corrupt'),
  samples: [{ kind: 'corrupt', count: 1, position: { line: 2, byte: 0, problem } }],
});

test('two failures are the same by a row that is wrong in the same way', () => {
  expect(showsTheSame(showing('lost'), showing('altered'))).toBe(true);
  expect(showsTheSame(showing('altered'), showing('premature'))).toBe(true);
  expect(showsTheSame(showing('lost'), showing('extra'))).toBe(false);
});

test('a row that is written twice is an extra row, be it in a changelog or not; other corrupt lines are none', () => {
  for (const other of [showing('extra'), corrupt('ends within a text')]) {
    expect(showsTheSame(corrupt(ADDS_LIVE_ROW), other)).toBe(true);
    expect(showsTheSame(other, corrupt(ADDS_LIVE_ROW))).toBe(true);
  }
  expect(showsTheSame(corrupt('ends within a text'), showing('extra'))).toBe(false);
  expect(showsTheSame(corrupt(ADDS_LIVE_ROW), showing('lost'))).toBe(false);
});
