import { z } from 'zod';
import type { StreamSchema } from '../schema.ts';
import { type Aggregate, aggregateSchema, checkAggregate } from './aggregate.ts';
import { checkFilter, type Filter, filterSchema } from './filter.ts';
import { checkJoin, type Join, joinSchema } from './join.ts';
import { checkProject, type Project, projectSchema } from './project.ts';
import { checkRank, type Rank, rankSchema } from './rank.ts';
import type { Relation } from './relation.ts';
import { checkScan, type Scan, scanSchema } from './scan.ts';
import { checkWindow, type Window, windowSchema } from './window.ts';

/**
 * A query as plain data, closed under composition: every operator takes plans and is one. An operator is one
 * file beside this one, holding its shape, its JSON form and its type rule.
 */
export type Plan = Scan | Filter | Project | Window | Aggregate | Rank | Join;

export const planSchema: z.ZodType<Plan> = z.lazy(() =>
  z.discriminatedUnion('op', [
    scanSchema,
    filterSchema(planSchema),
    projectSchema(planSchema),
    windowSchema(planSchema),
    aggregateSchema(planSchema),
    rankSchema(planSchema),
    joinSchema(planSchema),
  ]),
);

/** A plan together with the relation each of its operators gives. */
export interface CheckedPlan {
  readonly plan: Plan;
  readonly output: Relation;
  /** The relation of an operator of this plan. */
  relationOf(node: Plan): Relation;
}

/**
 * Derives the relation of every operator.
 *
 * @throws PlanError with the path of the culprit when the plan is ill-typed, or when its answer would depend on
 * ties or on the order of rows (semantics §3, Totality).
 */
export function checkPlan(plan: Plan, streams: readonly StreamSchema[]): CheckedPlan {
  const relations = new Map<Plan, Relation>();
  const check = (node: Plan, path: string): Relation => {
    const relation = checkNode(node, path);
    relations.set(node, relation);
    return relation;
  };
  const checkNode = (node: Plan, path: string): Relation => {
    switch (node.op) {
      case 'scan':
        return checkScan(node, streams, path);
      case 'filter':
        return checkFilter(node, check(node.input, `${path}.input`), path);
      case 'project':
        return checkProject(node, check(node.input, `${path}.input`), path);
      case 'window':
        return checkWindow(node, check(node.input, `${path}.input`), path);
      case 'aggregate':
        return checkAggregate(node, check(node.input, `${path}.input`), path);
      case 'rank':
        return checkRank(node, check(node.input, `${path}.input`), path);
      case 'join':
        return checkJoin(node, check(node.left, `${path}.left`), check(node.right, `${path}.right`), path);
    }
  };
  const output = check(plan, 'plan');
  return {
    plan,
    output,
    relationOf(node) {
      const relation = relations.get(node);
      if (relation === undefined) throw new Error('not an operator of this plan');
      return relation;
    },
  };
}

/** The inputs of an operator, in order. */
export function inputsOf(plan: Plan): readonly Plan[] {
  if (plan.op === 'scan') return [];
  return plan.op === 'join' ? [plan.left, plan.right] : [plan.input];
}

/** The names of the streams a plan reads, each once, in order of first use. */
export function streamsOf(plan: Plan): readonly string[] {
  const names: string[] = [];
  addStreams(plan, names);
  return names;
}

function addStreams(plan: Plan, names: string[]): void {
  switch (plan.op) {
    case 'scan':
      if (!names.includes(plan.stream)) names.push(plan.stream);
      break;
    case 'join':
      addStreams(plan.left, names);
      addStreams(plan.right, names);
      break;
    default:
      addStreams(plan.input, names);
  }
}

/** Whether rows wait for a window's end; without one every row of a plan is emitted at once (semantics §2). */
export function hasWindow(plan: Plan): boolean {
  return plan.op === 'window' || inputsOf(plan).some(hasWindow);
}
