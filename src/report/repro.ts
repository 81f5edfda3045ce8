import type { Case } from '../model/case.ts';
import { streamsOf } from '../model/plan/index.ts';
import { rowToJson } from '../model/row-json.ts';
import type { Column } from '../model/schema.ts';
import type { Difference, Verdict } from '../model/verdict.ts';

/** A case: its query and schedule, its rows by arrival, and what differs. */
export function caseLines({ query, dataset, schedule }: Case, verdict: Verdict | undefined): string[] {
  const reads = streamsOf(query.plan);
  const events = dataset.streams
    .filter(({ schema }) => reads.includes(schema.name))
    .flatMap(({ schema, partitions }) =>
      partitions.flatMap((rows, partition) => rows.map((event) => ({ schema, partition, event }))),
    )
    .sort((a, b) => a.event.arrival - b.event.arrival);
  const steps = (schedule.steps ?? []).map((step) => `${step.do} after ${step.after}`);
  return [
    `query: ${query.definition.title}`,
    `lag ${dataset.lagMs} ms, parallelism ${schedule.parallelism}, ${[...steps, `stop ${schedule.stop}`].join(', ')}`,
    '',
    ...events.map(
      ({ schema, partition, event }) =>
        `${event.arrival}  ${schema.name}/${partition}  ${rowToJson(schema.columns, event.row)}`,
    ),
    '',
    ...(verdict?.kind === 'diverge'
      ? verdict.samples.flatMap((difference) => differenceLines(difference, query.columns))
      : []),
  ];
}

function differenceLines(difference: Difference, columns: readonly Column[]): string[] {
  switch (difference.kind) {
    case 'lost':
      return [`lost      ${rowToJson(columns, difference.expected)}`];
    case 'altered':
      return [
        `expected  ${rowToJson(columns, difference.expected)}`,
        `actual    ${rowToJson(columns, difference.actual)}`,
      ];
    case 'corrupt':
      return [`corrupt   line ${difference.position.line}: ${difference.position.problem}`];
    default:
      return [`${difference.kind.padEnd(9)} ${rowToJson(columns, difference.actual)}`];
  }
}
