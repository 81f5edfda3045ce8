import { z } from 'zod';
import { type Publication, publicationSchema, replicationNameSchema } from './publication.ts';
import { type Step, stepSchema } from './step.ts';
import { type Table, tableSchema } from './table.ts';

/** The version of the JSON form below. A greater one is refused. */
export const HISTORY_VERSION = 1;

/**
 * A transaction history (semantics §10): tables and publications, all there before the first step, and what connections
 * do to them, in one order. Every step succeeds, none waits for another connection, and every transaction is ended.
 *
 * `subscribed`: the publications whose stream is delivered.
 */
export interface History {
  readonly version: typeof HISTORY_VERSION;
  readonly tables: readonly Table[];
  readonly publications: readonly Publication[];
  readonly subscribed: readonly string[];
  readonly steps: readonly Step[];
}

export const historySchema: z.ZodType<History> = z
  .strictObject({
    version: z.literal(HISTORY_VERSION),
    tables: z.array(tableSchema).min(1),
    publications: z.array(publicationSchema).min(1),
    subscribed: z.array(replicationNameSchema).min(1),
    steps: z.array(stepSchema),
  })
  .superRefine(({ tables, publications, subscribed, steps }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const names = tables.map(({ name }) => name);
    if (new Set(names).size < names.length) refuse(['tables'], 'table named twice');
    for (const [index, publication] of publications.entries()) {
      if (publication.tables.some((name) => !names.includes(name))) {
        refuse(['publications', index, 'tables'], 'names a table that is not there');
      }
      if (publications.findIndex(({ name }) => name === publication.name) !== index) {
        refuse(['publications', index, 'name'], 'publication named twice');
      }
    }
    if (subscribed.some((name) => !publications.some((publication) => publication.name === name))) {
      refuse(['subscribed'], 'names a publication that is not there');
    }
    for (const [index, step] of steps.entries()) {
      const used = 'tables' in step ? step.tables : 'table' in step ? [step.table] : [];
      if (used.some((name) => !names.includes(name))) {
        refuse(['steps', index], 'names a table that is not there');
      }
    }
  });
