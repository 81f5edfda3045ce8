import { z } from 'zod';

/**
 * One value as PostgreSQL's output function writes it under `DateStyle ISO`, `TimeZone UTC`, `bytea_output hex` and
 * `extra_float_digits 1`, or null. A history holds values in this form only, so that what goes in is what comes out,
 * character for character.
 */
export type PgText = string | null;

/** Values by column name: a row, a key, or the columns an update assigns. */
export type PgRecord = Readonly<Record<string, PgText>>;

/** Name of a table or column, which any SQL must quote: up to 63 bytes, of any characters but NUL. */
export const pgNameSchema = z
  .string()
  .min(1)
  .refine((name) => new TextEncoder().encode(name).length <= 63 && !name.includes('\0'), 'no PostgreSQL name')
  .refine((name) => name !== '__proto__', 'a name that JavaScript objects cannot hold');

export const pgTextSchema: z.ZodType<PgText> = z.union([z.string(), z.null()]);
export const pgRecordSchema: z.ZodType<PgRecord> = z.record(pgNameSchema, pgTextSchema);
