import { describe, expect, test } from 'vitest';
import { historyArbitrary, historyOf, historyProfiles } from '../../../generators/histories/index.ts';
import { historyTruth } from '../../../oracles/history/truth.ts';
import { judgeSink } from '../../../src/judge/sinks/judge-sink.ts';
import type { SinkProblemKind } from '../../../src/judge/sinks/sink-verdict.ts';
import { runModelSink, type SinkFaults } from './model-sink.ts';

const SEED = 20_261_130;
const HISTORIES = 8;

/** Histories that go on to their end; where a pipeline must halt is for tests written by hand, and long ones show
 * nothing more. */
const profiles = historyProfiles.filter(({ name }) => name !== 'halts' && name !== 'oversized');

const drawn = profiles.flatMap((profile) => {
  const histories = historyArbitrary(profile);
  return Array.from({ length: HISTORIES }, (_, index) => {
    const history = historyOf(histories, SEED, index);
    return { history, truth: historyTruth(history) };
  });
});

/** How the runs of a sink were judged over all of them. */
function judgeAll(mode: 'transaction' | 'library', faults: SinkFaults = {}) {
  const kinds = new Map<string, number>();
  const problems = new Map<SinkProblemKind, number>();
  let dup = 0;
  for (const { history, truth } of drawn) {
    const verdict = judgeSink(truth, runModelSink(history, truth, mode, faults));
    kinds.set(verdict.kind, (kinds.get(verdict.kind) ?? 0) + 1);
    if (verdict.kind === 'agree') dup += verdict.numbers.dup;
    if (verdict.kind !== 'diverge') continue;
    for (const { kind } of verdict.problems) problems.set(kind, (problems.get(kind) ?? 0) + 1);
  }
  return { kinds, problems, dup };
}

describe('over random histories', () => {
  test.each(['transaction', 'library'] as const)('an honest sink raises no alarm under %s', (mode) => {
    const { kinds, problems } = judgeAll(mode);
    expect(Object.fromEntries(problems)).toEqual({});
    expect(kinds.get('agree')).toBeGreaterThan(drawn.length / 2);
  });

  test('where the library keeps the checkpoint duplicates are really provoked', () => {
    expect(judgeAll('library').dup).toBeGreaterThan(profiles.length);
  });

  test.each<[string, SinkFaults, SinkProblemKind]>([
    ['writes its checkpoint late', { late: true }, 'dup'],
    ['writes its checkpoint early', { early: true }, 'loss'],
    ['overwrites unchanged columns', { nullsUnchanged: true }, 'toast'],
    ['leaves moved rows behind', { leavesMoved: true }, 'row-extra'],
  ])('a sink that %s is found', (_, faults, kind) => {
    expect(judgeAll('transaction', faults).problems.get(kind)).toBeGreaterThan(5);
  });
});
