import type { PlanBuilder } from '../model/build.ts';
import { type Premise, QUERY_VERSION, type QueryDefinition } from '../model/query.ts';

/** A definition from its parts; premises default to none. */
export function defineQuery(
  parts: Omit<QueryDefinition, 'version' | 'plan' | 'premises'> & {
    readonly plan: PlanBuilder;
    readonly premises?: readonly Premise[];
  },
): QueryDefinition {
  const { plan, premises = [], ...rest } = parts;
  return { version: QUERY_VERSION, ...rest, plan: plan.plan, premises };
}

/** The premise that none of the columns holds NULL. */
export function premiseNotNull(stream: string, columns: readonly string[], reason: string): Premise {
  return { kind: 'not-null', stream, columns, reason };
}
