import { z } from 'zod';
import { pgNameSchema } from './pg-text.ts';
import { type ReplicaIdentity, replicaIdentitySchema, type TableColumn, tableColumnSchema } from './table.ts';

/** Adds a nullable column without a default, under a name the table never had; it stands last. */
export interface AddColumnStep {
  readonly do: 'add-column';
  readonly connection: number;
  readonly table: string;
  readonly column: TableColumn;
}

/** Drops a column that is in no key, in no index, and not the token. */
export interface DropColumnStep {
  readonly do: 'drop-column';
  readonly connection: number;
  readonly table: string;
  readonly column: string;
}

export interface SetIdentityStep {
  readonly do: 'set-identity';
  readonly connection: number;
  readonly table: string;
  readonly identity: ReplicaIdentity;
}

const connection = z.int().min(0);

export const addColumnStepSchema = z.strictObject({
  do: z.literal('add-column'),
  connection,
  table: pgNameSchema,
  column: tableColumnSchema,
});

export const dropColumnStepSchema = z.strictObject({
  do: z.literal('drop-column'),
  connection,
  table: pgNameSchema,
  column: pgNameSchema,
});

export const setIdentityStepSchema = z.strictObject({
  do: z.literal('set-identity'),
  connection,
  table: pgNameSchema,
  identity: replicaIdentitySchema,
});
