import type { Case } from '../model/case.ts';
import type { Event, StreamData } from '../model/dataset.ts';
import { type Plan, streamsOf } from '../model/plan/index.ts';
import { operatorsOf } from '../model/plan/rewrite.ts';
import type { Premise } from '../model/query.ts';
import { changed } from './candidate.ts';
import { type Edit, rebuild } from './rebuild.ts';

/** What is put behind the names of a copy. */
const COPY = '_copy';

/**
 * A join of a stream with itself as one of two streams that are alike. Has more rows, but what is left of the two can be
 * reduced apart, and no longer has to come from the same rows.
 */
export function* splitJoins(testCase: Case): Generator<Case | undefined> {
  const { query, dataset } = testCase;
  for (const node of operatorsOf(query.plan)) {
    if (node.op !== 'join') continue;
    const left = streamsOf(node.left);
    const [shared, ...others] = streamsOf(node.right).filter((name) => left.includes(name));
    if (shared === undefined || others.length > 0) continue;
    const stream = dataset.streams.find(({ schema }) => schema.name === shared);
    if (stream === undefined) continue;
    const edits = operatorsOf(node.right).flatMap((scan): [Plan, Edit][] =>
      scan.op === 'scan' && scan.stream === shared
        ? [
            [
              scan,
              () => ({ plan: { op: 'scan', stream: copied(shared) }, of: (name) => ({ col: copied(name) }) }),
            ],
          ]
        : [],
    );
    const made = rebuild(query, new Map(edits));
    if (made === undefined) continue;
    const { premises } = query.definition;
    yield changed(testCase, {
      plan: made.plan,
      streams: [...dataset.streams.map((each) => renumbered(each, 0)), copyOf(stream)],
      premises: [...premises, ...premises.filter((premise) => premise.stream === shared).map(premiseOfCopy)],
      schedule: {
        ...testCase.schedule,
        ...(testCase.schedule.steps === undefined
          ? {}
          : { steps: testCase.schedule.steps.map((step) => ({ ...step, after: 2 * step.after + 1 })) }),
      },
    });
  }
}

/** The arrival in the case as it was of an event after a split. */
export function arrivalBeforeSplit(arrival: number): number {
  return Math.floor(arrival / 2);
}

const copied = (name: string) => `${name}${COPY}`;

/** Each row of the copy arrives just after its own. */
function copyOf(stream: StreamData): StreamData {
  const { name, columns, eventTime, unique } = stream.schema;
  return {
    schema: {
      name: copied(name),
      columns: columns.map((column) => ({ ...column, name: copied(column.name) })),
      eventTime: copied(eventTime),
      unique: unique.map((set) => set.map(copied)),
    },
    partitions: renumbered(stream, 1).partitions,
  };
}

function premiseOfCopy(premise: Premise): Premise {
  return { ...premise, stream: copied(premise.stream), columns: premise.columns.map(copied) };
}

function renumbered({ schema, partitions }: StreamData, beside: 0 | 1): StreamData {
  const later = ({ arrival, row }: Event): Event => ({ arrival: 2 * arrival + beside, row });
  return { schema, partitions: partitions.map((events) => events.map(later)) };
}
