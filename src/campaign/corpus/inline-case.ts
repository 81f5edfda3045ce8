import { z } from 'zod';
import type { Case } from '../../model/case.ts';
import { InputError, PlanError } from '../../model/errors.ts';
import { checkQuery, querySchema } from '../../model/query.ts';
import { brokenPremise } from '../premises.ts';
import { inlineDataset, inlineDatasetSchema } from './inline-dataset.ts';

/** A case whole, small enough to stand within another file. */
export const inlineCaseSchema = z.strictObject({
  query: querySchema,
  dataset: inlineDatasetSchema,
  schedule: z.strictObject({
    parallelism: z.int().min(1),
    stop: z.enum(['drain', 'settle-cancel', 'cancel']),
    cancelAfterRows: z.int().min(1).optional(),
    cancelAfterOutput: z.int().min(1).optional(),
    steps: z
      .array(z.strictObject({ after: z.int().min(0), do: z.enum(['checkpoint', 'restart']) }))
      .optional(),
  }),
});
export type InlineCase = z.infer<typeof inlineCaseSchema>;

/**
 * @throws InputError naming the field: rows that do not fit their schema, a query that does not fit its streams, data
 * that break a premise of it.
 */
export function caseOfInline({ query, dataset: inline, schedule }: InlineCase): Case {
  const dataset = below('dataset', () => inlineDataset(inline));
  const schemas = dataset.streams.map(({ schema }) => schema);
  const checked = below('query', () => checkQuery(query, schemas));
  const broken = brokenPremise(query, dataset);
  if (broken !== undefined) throw new InputError(broken, { field: 'dataset' });
  return { query: checked, dataset, schedule };
}

/** Runs a check; what it finds wrong is told below `field`. */
export function below<T>(field: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof PlanError) throw new InputError(error.message, { field });
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, {
      field: error.field === undefined ? field : `${field}.${error.field}`,
    });
  }
}
