import { z } from 'zod';

/** Begins or ends a connection's transaction. A statement outside of one is a transaction of its own. */
export interface BoundaryStep {
  readonly do: 'begin' | 'commit' | 'rollback';
  readonly connection: number;
}

/**
 * Sets, rolls back to, or releases a savepoint. Of several of one name the latest is meant; rolling back keeps the
 * savepoint itself, releasing takes it and all set after it.
 */
export interface SavepointStep {
  readonly do: 'savepoint' | 'rollback-to' | 'release';
  readonly connection: number;
  /** A plain lower-case identifier. */
  readonly name: string;
}

export const boundaryStepSchema = z.strictObject({
  do: z.enum(['begin', 'commit', 'rollback']),
  connection: z.int().min(0),
});

export const savepointStepSchema = z.strictObject({
  do: z.enum(['savepoint', 'rollback-to', 'release']),
  connection: z.int().min(0),
  name: z.string().regex(/^[a-z][a-z0-9]*$/),
});
