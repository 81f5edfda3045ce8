import { z } from 'zod';
import { type Lsn, lsnSchema } from './lsn.ts';

/**
 * A message of a transaction. `ordinal`: as of a change. `lsn`: where PostgreSQL says it is, the *end* of its record.
 * `content`: base64.
 */
export interface CapturedMessage {
  readonly ordinal: number;
  readonly prefix: string;
  readonly content: string;
  readonly lsn: Lsn;
}

/**
 * A message of no transaction. Its `lsn` may equal the `commit_lsn` of the transaction delivered next, so the two kinds
 * are never compared by position; `ordinal` is 0.
 */
export interface StandaloneMessage extends CapturedMessage {
  readonly ordinal: 0;
}

export const capturedMessageSchema = z.strictObject({
  ordinal: z.int().min(0),
  prefix: z.string(),
  content: z.base64(),
  lsn: lsnSchema,
});

export const standaloneMessageSchema = capturedMessageSchema.extend({ ordinal: z.literal(0) });
