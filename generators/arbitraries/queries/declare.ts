import type { PlanBuilder } from '../../../src/model/build.ts';
import type { Declaration } from '../../../src/model/declaration.ts';
import { checkPlan, hasWindow, inputsOf, type Plan, streamsOf } from '../../../src/model/plan/index.ts';
import { type Relation, WINDOW_END } from '../../../src/model/plan/relation.ts';
import { type Premise, QUERY_VERSION, type QueryDefinition } from '../../../src/model/query.ts';
import type { StreamSchema } from '../../../src/model/schema.ts';

/** What a family says of one of its queries; the rest follows from the plan. */
export interface DeclaredParts {
  readonly name: string;
  readonly title: string;
  readonly plan: PlanBuilder;
  /** Whether join keys may be NULL, which equals nothing (semantics §3); by default a premise keeps them out. */
  readonly nullJoinKeys?: boolean | undefined;
}

/**
 * A definition whose declaration follows from its plan alone (semantics §6): append unless rows are withdrawn, keyed
 * by what makes a row unique.
 *
 * @throws PlanError for a plan that is ill-typed.
 */
export function declare(parts: DeclaredParts, streams: readonly StreamSchema[]): QueryDefinition {
  const { plan } = parts.plan;
  const { output } = checkPlan(plan, streams);
  const declaration = declarationOf(plan, output);
  const read = streams.filter(({ name }) => streamsOf(plan).includes(name));
  const joinKeys = parts.nullJoinKeys ? [] : joinKeysOf(plan);
  return {
    version: QUERY_VERSION,
    name: parts.name,
    title: parts.title,
    plan,
    declaration,
    premises: [
      ...(declaration.class === 'materialised'
        ? notNull(declaration.keys, read, 'an upsert key must not be null: engines fail the job on one')
        : []),
      ...notNull(joinKeys, read, 'engines differ in whether a null join key is an error'),
    ],
  };
}

function declarationOf(plan: Plan, output: Relation): Declaration {
  const names = output.columns.map(({ name }) => name);
  // A limit of one without a partition makes the empty set unique: such a row is known by the others.
  const unique = output.unique.find((set) => set.length > 0);
  const windowed = hasWindow(plan);
  if (output.updating) {
    return {
      class: 'materialised',
      reason: 'a later row updates or withdraws the row of its key',
      keys: unique ?? names,
      fire: windowed ? 'unknown' : 'immediate',
    };
  }
  return {
    class: 'append',
    reason: windowed
      ? 'a window without allowed lateness fires once'
      : 'a row or a pair of rows gives one row',
    keys: unique ?? names,
    fire: !windowed ? 'immediate' : names.includes(WINDOW_END) ? { column: WINDOW_END } : 'unknown',
  };
}

function joinKeysOf(plan: Plan): readonly string[] {
  const own = plan.op === 'join' ? plan.equal.flatMap(({ left, right }) => [left, right]) : [];
  return [...own, ...inputsOf(plan).flatMap(joinKeysOf)];
}

/** The families rename a column only on the right of a join, to `other_` and its name. */
function notNull(names: readonly string[], read: readonly StreamSchema[], reason: string): Premise[] {
  const wanted = new Set(names.map((name) => name.replace(/^other_/, '')));
  return read.flatMap((stream) => {
    const columns = stream.columns.filter(({ name, nullable }) => nullable && wanted.has(name));
    if (columns.length === 0) return [];
    return [
      { kind: 'not-null' as const, stream: stream.name, columns: columns.map(({ name }) => name), reason },
    ];
  });
}
