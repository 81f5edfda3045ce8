import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caseRandom } from '../../../generators/arbitraries/cases/case-random.ts';
import {
  historyArbitrary,
  historyOf,
  historyProfiles,
  without,
  withoutTable,
} from '../../../generators/histories/index.ts';
import { historyTruth } from '../../../oracles/history/truth.ts';
import {
  type History,
  historySchema,
  isOutOfLine,
  messageToken,
  type Step,
  TOAST_CHARACTERS,
} from '../../../src/model/history/index.ts';
import { labelsOf } from './labels.ts';

const SEED = 20_261_130;

/** What any history must be; that its steps succeed is what the oracle and a locking model of its own both say. */
function expectLawful(history: History): void {
  expectSame(historySchema.parse(JSON.parse(JSON.stringify(history))), history);
  expect(() => historyTruth(history)).not.toThrow();
  expectDisjoint(history.steps);
  const tokens = history.steps.flatMap(tokensOf);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.every((token) => typeof token === 'string')).toBe(true);
}

/** As `toEqual`, but fast on long histories. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

function tokensOf(step: Step): readonly (string | null | undefined)[] {
  if (step.do === 'insert') return step.rows.map(({ token }) => token);
  if (step.do === 'update') return [step.set.token];
  return step.do === 'message' ? [messageToken(step.content)] : [];
}

/**
 * No step waits: a table that one transaction emptied or altered is used by no other until it ends, and none is emptied
 * or altered that another uses; no row is written by two at a time, told by the keys in the steps themselves.
 */
function expectDisjoint(steps: readonly Step[]): void {
  const using = new Map<number, Map<string, 'rows' | 'all'>>();
  const keys = new Map<number, Set<string>>();
  // One expectation a history: there are many steps.
  const waiting: number[] = [];
  for (const [number, step] of steps.entries()) {
    const { connection } = step;
    if (step.do === 'begin') {
      using.set(connection, new Map());
      keys.set(connection, new Set());
    }
    if (step.do === 'commit' || step.do === 'rollback') {
      using.delete(connection);
      keys.delete(connection);
    }
    const names = 'tables' in step ? step.tables : 'table' in step ? [step.table] : [];
    const isRows = step.do === 'insert' || step.do === 'update' || step.do === 'delete';
    const key = 'key' in step ? JSON.stringify([step.table, Object.entries(step.key)]) : undefined;
    for (const [other, used] of using) {
      if (other === connection) continue;
      const isHeld = names.some((name) => used.get(name) === 'all' || (!isRows && used.has(name)));
      if (isHeld || (key !== undefined && keys.get(other)!.has(key))) waiting.push(number);
    }
    const used = using.get(connection);
    for (const name of names) if (used?.get(name) !== 'all') used?.set(name, isRows ? 'rows' : 'all');
    if (key !== undefined) keys.get(connection)?.add(key);
  }
  expect(waiting).toEqual([]);
  expect(using.size).toBe(0);
}

describe.each(historyProfiles.map((profile) => [profile.name, profile] as const))(
  'any history of the profile %s',
  (_, profile) => {
    const histories = historyArbitrary(profile);

    test('is lawful, and reaches what the profile aims at', () => {
      const missing = new Set(profile.covers);
      // The rarest label is in one of twelve.
      for (let index = 0; index < 30 || (missing.size > 0 && index < 150); index++) {
        const history = historyOf(histories, SEED, index);
        expectLawful(history);
        for (const label of labelsOf(history)) missing.delete(label);
      }
      expect([...missing]).toEqual([]);
    });

    test('is a function of seed and index, whatever was drawn before', () => {
      const inOrder = Array.from({ length: 6 }, (_, index) => historyOf(histories, SEED, index));
      const other = historyArbitrary(profile);
      for (let index = 5; index >= 0; index--) {
        expectSame(historyOf(other, SEED, index), inOrder[index]);
      }
      expect(historyOf(other, SEED + 1, 0)).not.toEqual(inOrder[0]);
    });

    test('shrinks to lawful histories with no more steps', () => {
      let value = histories.generate(caseRandom(SEED, 3), undefined);
      for (let depth = 0; depth < 12; depth++) {
        const shrunk = histories.shrink(value.value, value.context).getNthOrLast(3);
        if (shrunk === null || shrunk.value.steps.length === 0) break;
        expectLawful(shrunk.value);
        value = shrunk;
      }
    });

    test('stays lawful without any of its steps, or without a table', () => {
      for (let index = 0; index < 6; index++) {
        const history = historyOf(histories, SEED, index);
        for (const share of [2, 3, 7]) {
          const dropped = new Set(
            history.steps.map((_, step) => step).filter((step) => step % share === index % share),
          );
          const smaller = without(history, dropped);
          expectLawful(smaller);
          expect(smaller.steps.length).toBeLessThanOrEqual(history.steps.length);
        }
        for (const { name } of history.tables) expectLawful(withoutTable(history, name));
        expectSame(without(history, new Set()).steps, history.steps);
        expect(without(history, new Set(history.steps.keys())).steps).toEqual([]);
      }
    });
  },
);

test('a history that fails for one statement is reduced to what this statement needs', () => {
  const histories = historyArbitrary(historyProfiles[0]!);
  const isFailing = ({ steps }: History) => steps.some((step) => step.do === 'delete');
  const found = Array.from({ length: 20 }, (_, index) => historyOf(histories, SEED, index)).find(isFailing)!;
  let history = found;
  for (let step = history.steps.length - 1; step >= 0; step--) {
    const smaller = without(history, new Set([step]));
    if (isFailing(smaller) && smaller.steps.length < history.steps.length) history = smaller;
  }
  expect(history.steps.map(({ do: what }) => what)).toEqual(['insert', 'delete']);
});

test('fast-check shrinks a failing history to the same', () => {
  const histories = historyArbitrary(historyProfiles[0]!);
  const isFine = ({ steps }: History) => steps.every((step) => step.do !== 'delete');
  const { counterexample } = fc.check(fc.property(histories, isFine), { seed: SEED, numRuns: 200 });
  expect(counterexample?.[0].steps.map(({ do: what }) => what)).toEqual(['insert', 'delete']);
});

test('long values are far longer than what is kept in line, all others far shorter together', () => {
  let long = 0;
  let longestShort = 0;
  let widest = 0;
  for (const profile of historyProfiles) {
    const histories = historyArbitrary(profile);
    for (let index = 0; index < 8; index++) {
      const { commits } = historyTruth(historyOf(histories, SEED, index));
      for (const { table, rows } of commits.at(-1)?.source.values() ?? []) {
        for (const row of rows.values()) {
          let inLine = 0;
          for (const column of table.columns) {
            const text = row[column.name] ?? '';
            if (isOutOfLine(column, text)) long++;
            else inLine += new TextEncoder().encode(text).length;
            if (column.toast && text.length <= TOAST_CHARACTERS)
              longestShort = Math.max(longestShort, text.length);
          }
          widest = Math.max(widest, inLine);
        }
      }
    }
  }
  expect(long).toBeGreaterThan(30);
  expect(longestShort).toBeLessThan(TOAST_CHARACTERS / 10);
  expect(widest).toBeLessThan(1_000);
});
