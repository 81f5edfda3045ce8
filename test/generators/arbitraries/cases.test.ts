import { describe, expect, test } from 'vitest';
import { caseArbitrary, caseOf, caseValueOf, profiles } from '../../../generators/arbitraries/index.ts';
import type { Case } from '../../../src/model/case.ts';
import { rowCount } from '../../../src/model/dataset.ts';
import type { QueryDefinition } from '../../../src/model/query.ts';
import type { StreamSchema } from '../../../src/model/schema.ts';
import { queries } from '../../../src/queries/index.ts';
import { expectLawful } from './case-laws.ts';

const declared = [...queries.values()];
const SEED = 20_241_130;

/** A case without what is only a function: two are the same when these are. */
const asData = ({ query, dataset, schedule }: Case) => ({ definition: query.definition, dataset, schedule });

const rowsOf = ({ dataset }: Case) => dataset.streams.reduce((sum, stream) => sum + rowCount(stream), 0);

describe.each(profiles.map((profile) => [profile.name, profile] as const))(
  'any case of the profile %s',
  (_, profile) => {
    const cases = caseArbitrary({ profile, declared });
    const late = profile.data.beyondLag;

    test('is lawful', () => {
      for (let index = 0; index < 60; index++) expectLawful(caseOf(cases, SEED, index), { late });
    });

    test('is a function of seed and index, whatever was drawn before', () => {
      const inOrder = Array.from({ length: 40 }, (_, index) => asData(caseOf(cases, SEED, index)));
      const other = caseArbitrary({ profile, declared });
      for (const shard of [2, 0, 1]) {
        for (let index = 39 - shard; index >= 0; index -= 3) {
          expect(asData(caseOf(other, SEED, index))).toEqual(inOrder[index]);
        }
      }
      expect(asData(caseOf(other, SEED + 1, 0))).not.toEqual(inOrder[0]);
      expect(asData(caseOf(other, SEED + 2 ** 32, 0))).not.toEqual(inOrder[0]);
    });

    test('shrinks to lawful cases only', () => {
      for (let index = 0; index < 2; index++) {
        let value = caseValueOf(cases, SEED, index);
        for (let depth = 0; depth < 25; depth++) {
          let taken: typeof value | undefined;
          let looked = 0;
          for (const shrunk of cases.shrink(value.value, value.context)) {
            if (looked < 2) expectLawful(shrunk.value, { late });
            // The last of a few, so that walks differ from the straight way to nothing.
            if (rowsOf(shrunk.value) > 0) taken = shrunk;
            if (++looked === 6) break;
          }
          if (taken === undefined) break;
          value = taken;
        }
      }
    });
  },
);

describe('a case of one query', () => {
  const [q12] = declared.filter(({ name }) => name === 'q12');

  test('is over the streams that it reads', () => {
    const cases = caseArbitrary({ profile: profiles[0]!, declared: [q12!], families: false });
    for (let index = 0; index < 20; index++) {
      const { dataset, query } = caseOf(cases, 1, index);
      expect(dataset.streams.map(({ schema }) => schema.name)).toEqual(['bid']);
      expect(query.definition.name).toMatch(/^q12(-\d+)?$/);
    }
  });

  test('shrinks to the query itself and one plain row when any row will do', () => {
    const cases = caseArbitrary({ profile: profiles[0]!, declared: [q12!], families: false });
    let value = caseValueOf(cases, 3, 0);
    for (;;) {
      let smaller: typeof value | undefined;
      for (const shrunk of cases.shrink(value.value, value.context)) {
        if (rowsOf(shrunk.value) === 0) continue;
        smaller = shrunk;
        break;
      }
      if (smaller === undefined) break;
      value = smaller;
    }
    const { query, dataset, schedule } = value.value;
    expect(query.definition).toEqual(q12);
    expect(dataset.lagMs).toBe(4_000);
    expect(dataset.streams.map(({ partitions }) => partitions)).toEqual([
      [
        [
          {
            arrival: 0,
            row: [0, 1, 0, 'Apple', 'https://www.nexmark.com/a/b/c/item.htm?query=1', 100_000, 0],
          },
        ],
      ],
    ]);
    expect(schedule).toEqual({ parallelism: 1, stop: 'drain' });
  });

  test('over a schema of the user’s own keeps its unique sets and premises', () => {
    const visit: StreamSchema = {
      name: 'visit',
      columns: [
        { name: 'page', type: 'STRING', nullable: true },
        { name: 'price', type: 'DECIMAL(10,2)', nullable: true },
        { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
      ],
      eventTime: 'at',
      unique: [['at']],
    };
    const query: QueryDefinition = {
      version: 1,
      name: 'visits',
      title: 'Visits',
      plan: { op: 'scan', stream: 'visit' },
      declaration: { class: 'append', reason: 'as they come', keys: ['page'], fire: 'immediate' },
      premises: [
        { kind: 'unique', stream: 'visit', columns: ['page', 'at'], reason: 'test' },
        { kind: 'not-null', stream: 'visit', columns: ['page'], reason: 'test' },
      ],
    };
    const cases = caseArbitrary({
      profile: profiles[3]!,
      declared: [query],
      streams: [visit],
      families: false,
    });
    let rows = 0;
    for (let index = 0; index < 100; index++) {
      const drawn = caseOf(cases, 1, index);
      expectLawful(drawn, { late: false });
      rows += rowsOf(drawn);
    }
    expect(rows).toBeGreaterThan(500);
  });

  test('is refused where the profile finds none of its kind', () => {
    const sessions = profiles.find(({ name }) => name === 'session-gaps')!;
    expect(() => caseArbitrary({ profile: sessions, declared: [q12!], families: false })).toThrow(
      /finds no query/,
    );
  });
});
