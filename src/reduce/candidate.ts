import type { Case, Schedule } from '../model/case.ts';
import type { Dataset, StreamData } from '../model/dataset.ts';
import type { Declaration } from '../model/declaration.ts';
import { PlanError } from '../model/errors.ts';
import { checkPlan, hasWindow, type Plan, streamsOf } from '../model/plan/index.ts';
import { type Relation, WINDOW_END } from '../model/plan/relation.ts';
import { type CheckedQuery, checkQuery, type Premise } from '../model/query.ts';
import { columnIndex } from '../model/schema.ts';
import type { Row } from '../model/value.ts';

/** What of a case is to be other. A new plan or schema is declared anew. */
export interface Change {
  readonly plan?: Plan | undefined;
  readonly streams?: readonly StreamData[] | undefined;
  readonly lagMs?: number | undefined;
  readonly schedule?: Schedule | undefined;
  readonly premises?: readonly Premise[] | undefined;
}

/**
 * A case with some of it changed; undefined where it is no valid case: an ill-typed plan, data that break their schema
 * or a premise, a step of the schedule that nothing follows. Streams that the plan does not read are left out.
 */
export function changed(testCase: Case, change: Change): Case | undefined {
  const { dataset } = testCase;
  const plan = change.plan ?? testCase.query.plan;
  const reads = streamsOf(plan);
  const streams = (change.streams ?? dataset.streams).filter(({ schema }) => reads.includes(schema.name));
  const premises = change.premises ?? testCase.query.definition.premises;
  const query = queryOf(testCase.query, plan, premises, testCase.dataset, streams);
  if (query === undefined) return undefined;
  const isSound = streams.every((stream) => fits(stream, query.definition.premises));
  if (!isSound) return undefined;
  const changedDataset: Dataset = { ...dataset, lagMs: change.lagMs ?? dataset.lagMs, streams };
  const schedule = fittedSchedule(change.schedule ?? testCase.schedule, streams);
  return schedule === undefined ? undefined : { query, dataset: changedDataset, schedule };
}

function queryOf(
  query: CheckedQuery,
  plan: Plan,
  premises: readonly Premise[],
  dataset: Dataset,
  streams: readonly StreamData[],
): CheckedQuery | undefined {
  const isSame =
    plan === query.plan &&
    premises === query.definition.premises &&
    streams.length === dataset.streams.length &&
    streams.every(({ schema }, index) => schema === dataset.streams[index]!.schema);
  if (isSame) return query;
  const schemas = streams.map(({ schema }) => schema);
  try {
    return checkQuery(
      {
        version: query.definition.version,
        name: 'reduced',
        title: 'Reduced',
        plan,
        declaration: declarationOf(plan, checkPlan(plan, schemas).output, query.definition.declaration),
        premises: premises.flatMap((premise) => premiseOver(premise, streams)),
      },
      schemas,
    );
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
  }
}

/** Append unless rows are withdrawn, keyed by what makes a row unique (semantics §6). */
function declarationOf(plan: Plan, output: Relation, { tolerance }: Declaration): Declaration {
  const names = output.columns.map(({ name }) => name);
  const keys = output.unique.find((set) => set.length > 0) ?? names;
  const forgiven = (tolerance?.columns ?? []).filter((name) =>
    output.columns.some((column) => column.name === name && column.type === 'DOUBLE' && !keys.includes(name)),
  );
  const windowed = hasWindow(plan);
  return {
    class: output.updating ? 'materialised' : 'append',
    reason: output.updating ? 'rows are updated' : 'no row is withdrawn',
    keys,
    ...(forgiven.length === 0 ? {} : { tolerance: { ...tolerance!, columns: forgiven } }),
    fire: !windowed
      ? 'immediate'
      : !output.updating && names.includes(WINDOW_END)
        ? { column: WINDOW_END }
        : 'unknown',
  };
}

/** The premise as far as its columns are there and may break it. */
function premiseOver(premise: Premise, streams: readonly StreamData[]): readonly Premise[] {
  const schema = streams.find((stream) => stream.schema.name === premise.stream)?.schema;
  const there = premise.columns.filter((name) => {
    const column = schema?.columns.find((each) => each.name === name);
    return column !== undefined && (premise.kind === 'unique' || column.nullable);
  });
  if (there.length === 0) return [];
  // Of fewer columns it would claim more.
  if (premise.kind === 'unique' && there.length < premise.columns.length) return [];
  return [{ ...premise, columns: there }];
}

function fits({ schema, partitions }: StreamData, premises: readonly Premise[]): boolean {
  const rows = partitions.flatMap((events) => events.map(({ row }) => row));
  const own = premises.filter(({ stream }) => stream === schema.name);
  const never = schema.columns.flatMap(({ name, nullable }, index) =>
    !nullable || own.some(({ kind, columns }) => kind === 'not-null' && columns.includes(name))
      ? [index]
      : [],
  );
  if (never.some((index) => rows.some((row) => row[index] === null))) return false;
  const sets = [
    ...schema.unique,
    ...own.flatMap(({ kind, columns }) => (kind === 'unique' ? [columns] : [])),
  ];
  return sets.every((set) =>
    isUnique(
      rows,
      set.map((name) => columnIndex(schema.columns, name)),
    ),
  );
}

function isUnique(rows: readonly Row[], columns: readonly number[]): boolean {
  const keys = new Set(
    rows.map((row) => columns.map((index) => `${typeof row[index]} ${row[index]}`).join('\n')),
  );
  return keys.size === rows.length;
}

/** The schedule over these rows: a run is cancelled within them, and some are left to be read after a restart. */
function fittedSchedule(schedule: Schedule, streams: readonly StreamData[]): Schedule | undefined {
  const arrivals = streams.flatMap(({ partitions }) =>
    partitions.flatMap((events) => events.map(({ arrival }) => arrival)),
  );
  const { steps, cancelAfterRows, ...rest } = schedule;
  return {
    ...rest,
    ...(cancelAfterRows === undefined || schedule.stop !== 'cancel' || arrivals.length === 0
      ? {}
      : { cancelAfterRows: Math.max(1, Math.min(cancelAfterRows, arrivals.length)) }),
    ...(steps === undefined || steps.length === 0 ? {} : { steps }),
  };
}
