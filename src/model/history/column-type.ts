import { z } from 'zod';

/** The types of columns that histories use, as PostgreSQL spells them in DDL; none takes a length or a scale. */
export const COLUMN_TYPES = [
  'int2',
  'int4',
  'int8',
  'numeric',
  'float8',
  'text',
  'bool',
  'timestamp',
  'timestamptz',
  'date',
  'uuid',
  'bytea',
  'int4[]',
  'text[]',
  'jsonb',
] as const;

export type ColumnType = (typeof COLUMN_TYPES)[number];

export const columnTypeSchema = z.enum(COLUMN_TYPES);
