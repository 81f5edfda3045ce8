import { z } from 'zod';
import { type CapturedMessage, capturedMessageSchema } from './captured-message.ts';
import { type Change, changeSchema } from './change.ts';
import { type Lsn, lsnSchema } from './lsn.ts';

/**
 * One committed transaction as a source delivers it (semantics §10). `commit_lsn`, the start of its commit record,
 * identifies it; every change of it shares that position.
 */
export interface CapturedTransaction {
  readonly commit_lsn: Lsn;
  readonly xid: number;
  readonly changes: readonly Change[];
  readonly messages: readonly CapturedMessage[];
}

/** Decodes the JSON form and, with `z.encode`, writes it. */
export const capturedTransactionSchema: z.ZodType<CapturedTransaction, unknown> = z.strictObject({
  commit_lsn: lsnSchema,
  xid: z.int().min(0),
  changes: z.array(changeSchema),
  messages: z.array(capturedMessageSchema),
});
