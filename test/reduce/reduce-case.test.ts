import { describe, expect, test } from 'vitest';
import type { Case } from '../../src/model/case.ts';
import { checkQuery } from '../../src/model/query.ts';
import { columnIndex } from '../../src/model/schema.ts';
import { type Answer, caseKey, reduceCase } from '../../src/reduce/index.ts';
import { asks, eventsOf, has, richCase } from './cases.ts';

/** Three rows in a window. */
const threeInAWindow = (candidate: Case) => has(candidate, 'window') && eventsOf(candidate).length >= 3;

/** A row that is told by a number which nothing plainer stands for. */
const oneOfMany = (candidate: Case) => eventsOf(candidate).some(({ row }) => row.includes(45));

describe('a reduction', () => {
  test('ends in the known smallest case of a failure, plain in all that does not matter', async () => {
    const { testCase, stopped } = await reduceCase(richCase(), { stillFails: asks(threeInAWindow) });
    expect(stopped).toBe('minimal');
    expect(testCase.query.plan).toEqual({
      op: 'aggregate',
      input: {
        op: 'window',
        input: { op: 'scan', stream: 's' },
        window: { kind: 'tumble', sizeMs: 1_000, offsetMs: 0 },
      },
      keys: ['window_start', 'window_end'],
      aggregates: [{ as: 'r', fn: 'count' }],
    });
    expect(testCase.schedule).toEqual({ parallelism: 1, stop: 'drain' });
    expect(testCase.dataset.lagMs).toBe(0);
    expect(testCase.dataset.streams).toEqual([
      {
        schema: {
          name: 's',
          columns: [{ name: 't', type: 'TIMESTAMP(3)', nullable: false }],
          eventTime: 't',
          unique: [],
        },
        partitions: [
          [
            { arrival: 0, row: [0] },
            { arrival: 1, row: [0] },
            { arrival: 2, row: [0] },
          ],
        ],
      },
    ]);
  });

  test('keeps the value that the failure is about', async () => {
    const { testCase } = await reduceCase(richCase(), { stillFails: asks(oneOfMany) });
    expect(eventsOf(testCase).map(({ row }) => row)).toEqual([[0, 45]]);
    expect(testCase.query.plan).toEqual({ op: 'scan', stream: 's' });
  });

  test.each<[string, (candidate: Case) => boolean, Partial<Case['schedule']>]>([
    [
      'a restart',
      ({ schedule }) => schedule.steps?.some((step) => step.do === 'restart') ?? false,
      { steps: [{ after: 0, do: 'restart' }] },
    ],
    ['two subtasks', ({ schedule }) => schedule.parallelism >= 2, { parallelism: 2 }],
    [
      'how it ends',
      ({ schedule }) => schedule.stop === 'settle-cancel',
      { parallelism: 1, stop: 'settle-cancel' },
    ],
  ])('keeps of the schedule %s', async (_, fails, expected) => {
    const { testCase } = await reduceCase(richCase(), { stillFails: asks(fails) });
    expect(testCase.schedule).toMatchObject(expected);
    expect(fails(testCase)).toBe(true);
    expect(eventsOf(testCase)).toHaveLength(1);
    expect(testCase.schedule.steps?.length ?? 0).toBe(expected.steps?.length ?? 0);
  });

  test('keeps partitions that the failure needs, and no more', async () => {
    const apart = ({ dataset }: Case) =>
      dataset.streams.some(({ partitions }) => partitions.filter((events) => events.length > 0).length >= 2);
    const { testCase } = await reduceCase(richCase(), { stillFails: asks(apart) });
    expect(testCase.dataset.streams[0]!.partitions.map((events) => events.length)).toEqual([1, 1]);
  });

  test('begins with the events in focus where they are enough', async () => {
    const whole = richCase();
    const focus = [new Set(eventsOf(whole).filter(({ row }) => row.includes(45)))];
    const focused = await reduceCase(whole, { stillFails: asks(oneOfMany), focus });
    const unfocused = await reduceCase(whole, { stillFails: asks(oneOfMany) });
    expect(caseKey(focused.testCase)).toBe(caseKey(unfocused.testCase));
    expect(focused.runs).toBeLessThan(unfocused.runs);
    const misled = [new Set(eventsOf(whole).slice(0, 2))];
    const { testCase } = await reduceCase(whole, { stillFails: asks(oneOfMany), focus: misled });
    expect(caseKey(testCase)).toBe(caseKey(unfocused.testCase));
  });

  test('gives back the input where it may spend nothing, and asks nothing', async () => {
    const input = richCase();
    for (const budget of [{ runs: 0 }, { engineSeconds: 0 }]) {
      const stillFails = async (): Promise<Answer> => {
        throw new Error('asked');
      };
      const { testCase, runs, stopped } = await reduceCase(input, { stillFails, budget });
      expect(testCase).toBe(input);
      expect({ runs, stopped }).toEqual({ runs: 0, stopped: 'budget' });
    }
  });

  test('stops at a budget of the engine’s seconds, as they are told', async () => {
    const stillFails = async (candidate: Case): Promise<Answer> => ({
      kind: threeInAWindow(candidate) ? 'same' : 'none',
      engineSeconds: 0.5,
    });
    const budget = { engineSeconds: 3 };
    const reduced = await reduceCase(richCase(), { stillFails, budget });
    expect(reduced).toMatchObject({ runs: 6, engineSeconds: 3, stopped: 'budget' });
  });

  test('leaves a failing case whenever it is stopped, never a larger one than before', async () => {
    const { runs: all } = await reduceCase(richCase(), { stillFails: asks(threeInAWindow) });
    let before = Number.POSITIVE_INFINITY;
    for (let most = 0; most <= all; most++) {
      const within = await reduceCase(richCase(), {
        stillFails: asks(threeInAWindow),
        budget: { runs: most },
      });
      const interrupted = await interruptedAfter(most);
      expect(interrupted.runs).toBeLessThanOrEqual(Math.max(1, most));
      for (const { testCase, stopped } of [within, interrupted]) {
        expect(threeInAWindow(testCase)).toBe(true);
        if (most < all) expect(stopped).not.toBe('minimal');
      }
      const size = eventsOf(within.testCase).length;
      expect(size).toBeLessThanOrEqual(before);
      before = size;
    }
  });

  test('never asks for what is no valid case, nor twice for the same', async () => {
    const asked = new Set<string>();
    await reduceCase(richCase(), {
      stillFails: async (candidate) => {
        const { query, dataset, schedule } = candidate;
        checkQuery(
          query.definition,
          dataset.streams.map(({ schema }) => schema),
        );
        expectSound(candidate);
        for (const { after } of schedule.steps ?? []) expect(after).toBeGreaterThanOrEqual(0);
        const key = caseKey(candidate);
        expect(asked.has(key)).toBe(false);
        asked.add(key);
        return { kind: threeInAWindow(candidate) ? 'same' : 'none' };
      },
    });
    expect(asked.size).toBeGreaterThan(10);
  });

  test('spends nothing on what whoever asks takes for no case', async () => {
    const stillFails = async (candidate: Case): Promise<Answer> => {
      if (candidate.schedule.stop !== 'settle-cancel') return { kind: 'not-a-case' };
      return { kind: threeInAWindow(candidate) ? 'same' : 'none' };
    };
    let asked = 0;
    const { runs, testCase } = await reduceCase(richCase(), {
      stillFails: async (candidate) => {
        const answer = await stillFails(candidate);
        if (answer.kind !== 'not-a-case') asked += 1;
        return answer;
      },
    });
    expect(runs).toBe(asked);
    expect(testCase.schedule.stop).toBe('settle-cancel');
  });

  test('tells of smaller cases that fail otherwise, the smallest of each failure', async () => {
    const failing: Case[] = [];
    const { otherFailures, testCase } = await reduceCase(richCase(), {
      stillFails: async (candidate) => {
        if (threeInAWindow(candidate)) return { kind: 'same' };
        if (!has(candidate, 'window')) return { kind: 'none' };
        failing.push(candidate);
        return { kind: 'other', failure: 'too few rows' };
      },
    });
    expect(threeInAWindow(testCase)).toBe(true);
    expect(otherFailures.map(({ failure }) => failure)).toEqual(['too few rows']);
    const fewest = Math.min(...failing.map((candidate) => eventsOf(candidate).length));
    expect(eventsOf(otherFailures[0]!.testCase)).toHaveLength(fewest);
  });

  test.each([[undefined], [7], [23]])(
    'ends in the same side by side as one by one, with a budget of %s runs',
    async (most) => {
      const budget = { runs: most };
      const [one, ...others] = await Promise.all(
        [1, 2, 3, 8].map(async (sideBySide) => {
          const { testCase, ...rest } = await reduceCase(richCase(), {
            stillFails: asks(oneOfMany),
            budget,
            sideBySide,
          });
          return { key: caseKey(testCase), ...rest };
        }),
      );
      for (const other of others) expect(other).toEqual(one);
    },
  );

  test('runs no more at once than it may, and leaves none running', async () => {
    let running = 0;
    let most = 0;
    await reduceCase(richCase(), {
      stillFails: async (candidate) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return { kind: threeInAWindow(candidate) ? 'same' : 'none' };
      },
      sideBySide: 3,
    });
    expect(most).toBe(3);
    expect(running).toBe(0);
  });

  test('passes on what whoever asks throws', async () => {
    const stillFails = async (): Promise<Answer> => {
      throw new Error('no engine');
    };
    await expect(reduceCase(richCase(), { stillFails })).rejects.toThrow('no engine');
  });
});

async function interruptedAfter(most: number) {
  const controller = new AbortController();
  let asked = 0;
  return reduceCase(richCase(), {
    signal: controller.signal,
    stillFails: async (candidate) => {
      asked += 1;
      if (asked >= most) controller.abort();
      return { kind: threeInAWindow(candidate) ? 'same' : 'none' };
    },
  });
}

/** Data that fit their schemas: no NULL where there must be none, nothing twice that is unique, arrivals in order. */
function expectSound({ dataset }: Case): void {
  const arrivals = eventsOf({ dataset } as Case).map(({ arrival }) => arrival);
  expect(new Set(arrivals).size).toBe(arrivals.length);
  for (const { schema, partitions } of dataset.streams) {
    const { columns } = schema;
    expect(partitions.length).toBeGreaterThan(0);
    for (const events of partitions) {
      const own = events.map(({ arrival }) => arrival);
      expect(own).toEqual(own.toSorted((a, b) => a - b));
      for (const { row } of events) {
        expect(row).toHaveLength(columns.length);
        for (const [index, { nullable, type }] of columns.entries()) {
          if (!nullable) expect(row[index]).not.toBeNull();
          if (row[index] === null) continue;
          const isText = type === 'STRING' || type.startsWith('DECIMAL');
          expect(typeof row[index] === 'string').toBe(isText);
        }
      }
    }
    for (const set of schema.unique) {
      const keys = partitions
        .flat()
        .map(({ row }) => set.map((name) => `${row[columnIndex(columns, name)]}`).join());
      expect(new Set(keys).size).toBe(keys.length);
    }
  }
}
