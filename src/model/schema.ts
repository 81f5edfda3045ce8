import { z } from 'zod';
import { type Type, typeSchema } from './type.ts';

/** One column of a stream or an output. `nullable` defaults to true in JSON. */
export interface Column {
  readonly name: string;
  readonly type: Type;
  readonly nullable: boolean;
}

/**
 * The schema of one stream (semantics §1).
 *
 * - `eventTime` names the non-null TIMESTAMP(3) column that carries event time.
 * - `unique` lists column sets of which no two rows of the stream share the values; a total order may rest
 *   on them (§3, Totality).
 */
export interface StreamSchema {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly eventTime: string;
  readonly unique: readonly (readonly string[])[];
}

/** Names of streams and columns: plain lower-case identifiers; a dialect quotes those it reserves. */
export const nameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,62}$/, 'expected a name like auction_id: [a-z][a-z0-9_]*');

export const columnSchema = z.strictObject({
  name: nameSchema,
  type: typeSchema,
  nullable: z.boolean().default(true),
});

export const streamSchema = z
  .strictObject({
    name: nameSchema,
    columns: z.array(columnSchema).min(1),
    eventTime: nameSchema,
    unique: z.array(z.array(nameSchema).min(1)).default([]),
  })
  .superRefine((schema, context) => {
    const names = new Set<string>();
    for (const [index, column] of schema.columns.entries()) {
      if (names.has(column.name)) {
        context.addIssue({ code: 'custom', path: ['columns', index, 'name'], message: 'column named twice' });
      }
      names.add(column.name);
    }
    const time = schema.columns.find((column) => column.name === schema.eventTime);
    if (time === undefined || time.type !== 'TIMESTAMP(3)' || time.nullable) {
      context.addIssue({
        code: 'custom',
        path: ['eventTime'],
        message: 'event time must be a column of type TIMESTAMP(3) that is not nullable',
      });
    }
    for (const [index, set] of schema.unique.entries()) {
      if (set.some((name) => !names.has(name))) {
        context.addIssue({
          code: 'custom',
          path: ['unique', index],
          message: 'names a column that is not there',
        });
      }
    }
  });

/** Position of a column, or -1. */
export function columnIndex(columns: readonly { readonly name: string }[], name: string): number {
  return columns.findIndex((column) => column.name === name);
}
