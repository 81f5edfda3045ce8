import { z } from 'zod';
import { type ColumnType, columnTypeSchema } from './column-type.ts';
import { pgNameSchema } from './pg-text.ts';
import { TOKEN_COLUMN } from './token.ts';

/**
 * One column of a table. `nullable` and `toast` default to false in JSON.
 *
 * `toast`: it may hold values of more than {@link TOAST_CHARACTERS}, which are stored out of line; they are made
 * incompressible. Values of all other columns of a row together stay far below 2 kB and in line.
 */
export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly toast: boolean;
}

/** A unique index beside the primary key. Its columns are not nullable, so that it may be a replica identity. */
export interface UniqueIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/** What of an old row the log holds: its primary key, all of it, the columns of an index, or nothing. */
export type ReplicaIdentity =
  | { readonly kind: 'default' | 'full' | 'nothing' }
  | { readonly kind: 'index'; readonly index: string };

/** A table as it is when a history begins. Names are used quoted; `key` is its primary key. */
export interface Table {
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly key: readonly string[];
  readonly indexes: readonly UniqueIndex[];
  readonly identity: ReplicaIdentity;
}

/** Characters beyond which a text in a TOAST column is always out of line, in line up to a tenth of it. */
export const TOAST_CHARACTERS = 2_100;

/** Whether a value of this column is stored out of line, so that an update that leaves it shows it as unchanged. */
export function isOutOfLine(column: TableColumn, text: string | null): boolean {
  return column.toast && text !== null && text.length > TOAST_CHARACTERS;
}

/**
 * The columns that tell a sink which row a change is about: those of the identity's index, else the primary key. Under
 * identity FULL and NOTHING the stream names no key, and the primary key is the table's declared one.
 */
export function rowKey(table: Pick<Table, 'key' | 'indexes' | 'identity'>): readonly string[] {
  const { identity } = table;
  if (identity.kind !== 'index') return table.key;
  return table.indexes.find(({ name }) => name === identity.index)?.columns ?? table.key;
}

export const tableColumnSchema = z.strictObject({
  name: pgNameSchema,
  type: columnTypeSchema,
  nullable: z.boolean().default(false),
  toast: z.boolean().default(false),
});

export const replicaIdentitySchema: z.ZodType<ReplicaIdentity> = z.union([
  z.strictObject({ kind: z.enum(['default', 'full', 'nothing']) }),
  z.strictObject({ kind: z.literal('index'), index: pgNameSchema }),
]);

export const tableSchema = z
  .strictObject({
    name: pgNameSchema,
    columns: z.array(tableColumnSchema).min(1),
    key: z.array(pgNameSchema).min(1),
    indexes: z
      .array(z.strictObject({ name: pgNameSchema, columns: z.array(pgNameSchema).min(1) }))
      .default([]),
    identity: replicaIdentitySchema.default({ kind: 'default' }),
  })
  .superRefine(({ columns, key, indexes, identity }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const names = columns.map(({ name }) => name);
    if (new Set(names).size < names.length) refuse(['columns'], 'column named twice');
    const token = columns.find(({ name }) => name === TOKEN_COLUMN);
    if (token?.type !== 'text' || token.nullable) refuse(['columns'], 'no text column for the token');
    const isFirm = (name: string) => columns.some((column) => column.name === name && !column.nullable);
    if (!key.every(isFirm)) refuse(['key'], 'names a column that is not there or nullable');
    for (const [index, unique] of indexes.entries()) {
      if (!unique.columns.every(isFirm)) {
        refuse(['indexes', index, 'columns'], 'names a column that is not there or nullable');
      }
    }
    if (identity.kind === 'index' && !indexes.some(({ name }) => name === identity.index)) {
      refuse(['identity', 'index'], 'names an index that is not there');
    }
  });
