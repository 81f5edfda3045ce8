import type { Case } from '../../model/case.ts';
import type { Event } from '../../model/dataset.ts';
import { inputsOf, type Plan, streamsOf } from '../../model/plan/index.ts';
import { WINDOW_END, WINDOW_START } from '../../model/plan/relation.ts';
import { operatorsOf } from '../../model/plan/rewrite.ts';
import type { CheckedQuery } from '../../model/query.ts';
import { columnIndex } from '../../model/schema.ts';
import type { Row, Value } from '../../model/value.ts';
import type { Difference, Diverge } from '../../model/verdict.ts';

/**
 * Events that may be all that stands behind the wrong rows: those of the keys and the windows that the first of them
 * tells, then beside them the ones by which watermarks come to pass, then those of all wrong rows. A guess, for whoever
 * asks whether it still fails: what a row does not tell leaves nothing out.
 */
export function behindRows(testCase: Case, { samples }: Diverge): readonly ReadonlySet<Event>[] {
  const rows = samples.flatMap(rowsOf);
  const [first] = rows;
  if (first === undefined) return [];
  const alone = behind(testCase, [first]);
  const marks = lastEvents(testCase);
  return [alone, new Set([...alone, ...marks]), new Set([...behind(testCase, rows), ...marks])].filter(
    ({ size }) => size > 0,
  );
}

function rowsOf(difference: Difference): readonly Row[] {
  switch (difference.kind) {
    case 'corrupt':
      return [];
    case 'lost':
      return [difference.expected];
    case 'altered':
      return [difference.expected, difference.actual];
    default:
      return [difference.actual];
  }
}

function behind(testCase: Case, rows: readonly Row[]): ReadonlySet<Event> {
  const { query, dataset } = testCase;
  const scans = operatorsOf(query.plan).flatMap((node) => (node.op === 'scan' ? [node] : []));
  const tells = query.columns.map(({ name }) => scans.map((scan) => sourceOf(query, query.plan, name, scan)));
  const [start, end] = [WINDOW_START, WINDOW_END].map((name) => columnIndex(query.columns, name));
  const kept = new Set<Event>();
  for (const row of rows) {
    for (const [place, scan] of scans.entries()) {
      const stream = dataset.streams.find(({ schema }) => schema.name === scan.stream);
      if (stream === undefined) continue;
      const { columns, eventTime } = stream.schema;
      const told = tells.flatMap((sources, column): [number, Value][] => {
        const source = sources[place];
        return source === undefined ? [] : [[columnIndex(columns, source), row[column]!]];
      });
      const time = columnIndex(columns, eventTime);
      for (const event of stream.partitions.flat()) {
        const at = event.row[time] as number;
        const isWithin =
          (start! < 0 || at >= (row[start!] as number)) && (end! < 0 || at < (row[end!] as number));
        if (isWithin && told.every(([column, value]) => event.row[column] === value)) kept.add(event);
      }
    }
  }
  return kept;
}

/** The column of a scan whose value a column of a plan shows unchanged, where there is one. */
function sourceOf(query: CheckedQuery, plan: Plan, name: string, scan: Plan): string | undefined {
  if (plan === scan)
    return query.relationOf(scan).columns.some((column) => column.name === name) ? name : undefined;
  switch (plan.op) {
    case 'scan':
      return undefined;
    case 'project': {
      const value = plan.columns.find(({ as }) => as === name)?.value;
      return value !== undefined && 'col' in value ? sourceOf(query, plan.input, value.col, scan) : undefined;
    }
    case 'aggregate':
      return plan.keys.includes(name) ? sourceOf(query, plan.input, name, scan) : undefined;
    case 'window':
      return name === WINDOW_START || name === WINDOW_END
        ? undefined
        : sourceOf(query, plan.input, name, scan);
    case 'join': {
      const pair = plan.equal.find(({ left, right }) => left === name || right === name);
      return pair === undefined
        ? inputsOf(plan)
            .map((input) => sourceOf(query, input, name, scan))
            .find((source) => source !== undefined)
        : (sourceOf(query, plan.left, pair.left, scan) ?? sourceOf(query, plan.right, pair.right, scan));
    }
    default:
      return sourceOf(query, plan.input, name, scan);
  }
}

/** The event with the greatest time of each partition that is read. */
function lastEvents({ query, dataset }: Case): readonly Event[] {
  const reads = streamsOf(query.plan);
  const streams = dataset.streams.filter(({ schema }) => reads.includes(schema.name));
  return streams.flatMap(({ schema, partitions }) => {
    const time = columnIndex(schema.columns, schema.eventTime);
    return partitions.flatMap((events) => {
      const [first] = events;
      if (first === undefined) return [];
      return [
        events.reduce(
          (last, event) => ((event.row[time] as number) > (last.row[time] as number) ? event : last),
          first,
        ),
      ];
    });
  });
}
