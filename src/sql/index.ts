import { clink } from './clink.ts';
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';

/** Every dialect by name. */
export const dialects: ReadonlyMap<string, Dialect> = new Map(
  [duckdb, clink].map((dialect) => [dialect.name, dialect]),
);
