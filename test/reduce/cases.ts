import { bigint, call, count, from, hop, max, sum } from '../../src/model/build.ts';
import type { Case } from '../../src/model/case.ts';
import type { Dataset, Event } from '../../src/model/dataset.ts';
import { operatorsOf } from '../../src/model/plan/rewrite.ts';
import { checkQuery } from '../../src/model/query.ts';
import type { StreamSchema } from '../../src/model/schema.ts';
import type { Answer } from '../../src/reduce/index.ts';

const schema: StreamSchema = {
  name: 'visit',
  columns: [
    { name: 'place', type: 'STRING', nullable: true },
    { name: 'amount', type: 'BIGINT', nullable: true },
    { name: 'at', type: 'TIMESTAMP(3)', nullable: false },
    { name: 'number', type: 'BIGINT', nullable: false },
  ],
  eventTime: 'at',
  unique: [['number']],
};

/**
 * A case with something to leave out of everything: 24 rows in three partitions, two subtasks, a restart, a filter, a
 * key, a hop window with an offset, three aggregates, and a condition on groups.
 */
export function richCase(): Case {
  const rows = Array.from({ length: 24 }, (_, index) => [
    index % 5 === 0 ? null : `place-${index % 3}`,
    index % 7 === 0 ? null : index * 3,
    1_700_000_000_000 + index * 777,
    index + 100,
  ]);
  const dataset: Dataset = {
    lagMs: 4_000,
    provenance: { seed: '1', profile: 'made', parameters: {} },
    streams: [
      {
        schema,
        partitions: [0, 1, 2].map((partition) =>
          rows.flatMap((row, arrival): Event[] => (arrival % 3 === partition ? [{ arrival, row }] : [])),
        ),
      },
    ],
  };
  const plan = from('visit')
    .filter(call('ge', 'number', bigint(0)))
    .window(hop(10_000, 3_000, 500))
    .perWindow(['place'], { rows: count(), total: sum('amount'), most: max('amount') })
    .filter(call('ge', 'rows', bigint(0))).plan;
  const query = checkQuery(
    {
      version: 1,
      name: 'visits',
      title: 'Visits',
      plan,
      declaration: {
        class: 'append',
        reason: 'fires once',
        keys: ['window_start', 'window_end', 'place'],
        fire: { column: 'window_end' },
      },
      premises: [],
    },
    [schema],
  );
  return {
    query,
    dataset,
    schedule: {
      parallelism: 2,
      stop: 'settle-cancel',
      steps: [
        { after: 5, do: 'checkpoint' },
        { after: 9, do: 'restart' },
      ],
    },
  };
}

export function eventsOf({ dataset }: Case): readonly Event[] {
  return dataset.streams.flatMap(({ partitions }) => partitions.flat());
}

/** Whether a plan has an operator of a kind. */
export function has({ query }: Case, op: string): boolean {
  return operatorsOf(query.plan).some((node) => node.op === op);
}

/** A question that is answered by a condition alone. */
export const asks =
  (fails: (candidate: Case) => boolean) =>
  async (candidate: Case): Promise<Answer> => ({ kind: fails(candidate) ? 'same' : 'none' });
