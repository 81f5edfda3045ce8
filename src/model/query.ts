import { z } from 'zod';
import type { Dataset } from './dataset.ts';
import { checkDeclaration, type Declaration, declarationSchema } from './declaration.ts';
import { PlanError } from './errors.ts';
import { type CheckedPlan, checkPlan, type Plan, planSchema } from './plan/index.ts';
import { type Column, nameSchema, type StreamSchema } from './schema.ts';

export const QUERY_VERSION = 1;

/** A query, defined once: what it computes, and how its output is judged. Rendered into every dialect. */
export interface QueryDefinition {
  readonly version: typeof QUERY_VERSION;
  readonly name: string;
  readonly title: string;
  readonly plan: Plan;
  readonly declaration: Declaration;
  readonly premises: readonly Premise[];
}

/**
 * What the query takes for granted of its data, with the reason. Data that breaks a premise is not judged.
 *
 * - `not-null`: none of the columns holds NULL.
 * - `unique`: no two rows agree on all of the columns.
 */
export interface Premise {
  readonly kind: 'not-null' | 'unique';
  readonly stream: string;
  readonly columns: readonly string[];
  readonly reason: string;
}

/** JSON form of a query definition. */
export const querySchema = z.strictObject({
  version: z.literal(QUERY_VERSION),
  name: z.string().regex(/^[a-z][a-z0-9_-]{0,62}$/, 'expected a name like my-query: [a-z][a-z0-9_-]*'),
  title: z.string(),
  plan: planSchema,
  declaration: declarationSchema,
  premises: z
    .array(
      z.strictObject({
        kind: z.enum(['not-null', 'unique']),
        stream: nameSchema,
        columns: z.array(nameSchema).min(1),
        reason: z.string().min(1),
      }),
    )
    .default([]),
});

/** A query whose plan and declaration were found sound against the schemas of its streams. */
export interface CheckedQuery extends CheckedPlan {
  readonly definition: QueryDefinition;
  readonly columns: readonly Column[];
}

/** @throws PlanError naming the culprit's path in the plan or the declaration. */
export function checkQuery(definition: QueryDefinition, streams: readonly StreamSchema[]): CheckedQuery {
  const checked = checkPlan(definition.plan, streams);
  checkDeclaration(definition.declaration, checked.output);
  const columns = checked.output.columns.map(({ name, type, nullable }) => ({ name, type, nullable }));
  return { ...checked, definition, columns };
}

/** The query of a definition over a dataset; undefined where it is not sound. */
export function checkedOver(definition: QueryDefinition, { streams }: Dataset): CheckedQuery | undefined {
  try {
    return checkQuery(
      definition,
      streams.map(({ schema }) => schema),
    );
  } catch (error) {
    if (error instanceof PlanError) return undefined;
    throw error;
  }
}
