import { clink } from './clink.ts';
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { flink } from './flink.ts';

/** Every dialect by name. */
export const dialects: ReadonlyMap<string, Dialect> = new Map(
  [duckdb, clink, flink].map((dialect) => [dialect.name, dialect]),
);
