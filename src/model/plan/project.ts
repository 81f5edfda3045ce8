import { z } from 'zod';
import { PlanError } from '../errors.ts';
import { type Expression, expressionSchema, typeOf } from '../expression.ts';
import { nameSchema } from '../schema.ts';
import type { Plan } from './index.ts';
import { type Relation, WINDOW_END, WINDOW_START } from './relation.ts';

/** One row out for each row in; its columns are the given expressions, in the given order. */
export interface Project {
  readonly op: 'project';
  readonly input: Plan;
  readonly columns: readonly { readonly as: string; readonly value: Expression }[];
}

export const projectSchema = (plan: z.ZodType<Plan>) =>
  z.strictObject({
    op: z.literal('project'),
    input: plan,
    columns: z.array(z.strictObject({ as: nameSchema, value: expressionSchema })).min(1),
  });

export function checkProject(node: Project, input: Relation, path: string): Relation {
  const columns = node.columns.map(({ as, value }, index) => ({
    ...typeOf(value, input.columns, `${path}.columns[${index}].value`),
    name: as,
  }));
  const repeated = columns.findIndex(
    ({ name }, index) => columns.findIndex((c) => c.name === name) !== index,
  );
  if (repeated >= 0) {
    throw new PlanError(
      'duplicate-column',
      `${path}.columns[${repeated}].as`,
      `${columns[repeated]!.name} named twice`,
    );
  }
  /** The name under which an input column goes on unchanged, if it does. */
  const kept = (name: string) => node.columns.find(({ value }) => 'col' in value && value.col === name)?.as;
  const unique = input.unique.flatMap((set) => {
    const names = set.map(kept);
    return names.every((name) => name !== undefined) ? [names] : [];
  });
  const time = input.eventTime === undefined ? undefined : kept(input.eventTime.column);
  const keepsWindow = kept(WINDOW_START) === WINDOW_START && kept(WINDOW_END) === WINDOW_END;
  if (input.window !== undefined && !keepsWindow) {
    throw new PlanError(
      'partial-window',
      path,
      'rows in a window keep window_start and window_end under their names',
    );
  }
  return {
    columns,
    unique,
    eventTime: time === undefined ? undefined : { column: time, shiftMs: input.eventTime!.shiftMs },
    window: input.window,
    updating: input.updating,
  };
}
