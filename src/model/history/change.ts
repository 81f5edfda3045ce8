import { z } from 'zod';
import { type PgRecord, pgNameSchema, pgRecordSchema } from './pg-text.ts';

/** What a change does. A TRUNCATE of several tables is one change for each. */
export type ChangeOp = 'insert' | 'update' | 'delete' | 'truncate';

/**
 * One change of a transaction as it is delivered.
 *
 * - `ordinal`: its place in the transaction, from 0, counting changes and transactional messages together, as far as
 *   they are published and not rolled back.
 * - `record`: the new row without its unchanged columns; null for delete and truncate.
 * - `old`: under identity FULL the whole old row of an update or delete; else the old key of a delete, and of an update
 *   that changes a column of the key; the key being what the replica identity says.
 * - `unchanged`: columns stored out of line that the update left as they are, in the table's order. Their values are in
 *   no `record`.
 */
export interface Change {
  readonly op: ChangeOp;
  readonly table: string;
  readonly ordinal: number;
  readonly record: PgRecord | null;
  readonly old?: PgRecord | undefined;
  readonly unchanged: readonly string[];
}

export const changeSchema = z.strictObject({
  op: z.enum(['insert', 'update', 'delete', 'truncate']),
  table: pgNameSchema,
  ordinal: z.int().min(0),
  record: z.union([pgRecordSchema, z.null()]),
  old: pgRecordSchema.optional(),
  unchanged: z.array(pgNameSchema),
});
