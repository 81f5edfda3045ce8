import { z } from 'zod';
import { type PgRecord, pgNameSchema, pgRecordSchema } from './pg-text.ts';

/** Writes rows, each with every column of the table, in one statement and in this order. */
export interface InsertStep {
  readonly do: 'insert';
  readonly connection: number;
  readonly table: string;
  readonly rows: readonly PgRecord[];
}

/**
 * Assigns `set`, the token among it, to the one row whose primary key is `key`. A column that is assigned counts as
 * changed, also to the value it had.
 */
export interface UpdateStep {
  readonly do: 'update';
  readonly connection: number;
  readonly table: string;
  readonly key: PgRecord;
  readonly set: PgRecord;
}

/** Deletes the one row whose primary key is `key`. */
export interface DeleteStep {
  readonly do: 'delete';
  readonly connection: number;
  readonly table: string;
  readonly key: PgRecord;
}

/** Empties these tables in one statement. */
export interface TruncateStep {
  readonly do: 'truncate';
  readonly connection: number;
  readonly tables: readonly string[];
}

const connection = z.int().min(0);
const row = pgRecordSchema;

export const insertStepSchema = z.strictObject({
  do: z.literal('insert'),
  connection,
  table: pgNameSchema,
  rows: z.array(row).min(1),
});

export const updateStepSchema = z.strictObject({
  do: z.literal('update'),
  connection,
  table: pgNameSchema,
  key: row,
  set: row,
});

export const deleteStepSchema = z.strictObject({
  do: z.literal('delete'),
  connection,
  table: pgNameSchema,
  key: row,
});

export const truncateStepSchema = z.strictObject({
  do: z.literal('truncate'),
  connection,
  tables: z.array(pgNameSchema).min(1),
});
