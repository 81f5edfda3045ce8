import { z } from 'zod';
import { pgNameSchema } from './pg-text.ts';

export const PUBLISHED_ACTIONS = ['insert', 'update', 'delete', 'truncate'] as const;

export type PublishedAction = (typeof PUBLISHED_ACTIONS)[number];

/** A publication: which of its tables' actions are in the stream. Those of several publications add up. */
export interface Publication {
  readonly name: string;
  readonly tables: readonly string[];
  readonly publish: readonly PublishedAction[];
}

/** Names of slots and publications (semantics §10, invariant 2): checked before they reach SQL. */
export const replicationNameSchema = z
  .string()
  .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'expected a name like orders_pub: [a-z_][a-z0-9_]*');

export const publicationSchema = z.strictObject({
  name: replicationNameSchema,
  tables: z.array(pgNameSchema).min(1),
  publish: z.array(z.enum(PUBLISHED_ACTIONS)).min(1),
});
