import { z } from 'zod';
import { deliveryModeSchema, historySchema } from '../../model/history/index.ts';
import { PROTOCOLS } from '../postgres/index.ts';
import { faultPlanSchema } from '../relay/fault-plan.ts';
import type { SinkCase } from './sink-case.ts';

/** A case in a file. Its history was generated, so that it may be read by anybody. */
export interface KeptSinkCase extends SinkCase {
  readonly version: 1;
  readonly seed: string;
  readonly index: number;
}

export const keptSinkCaseSchema: z.ZodType<KeptSinkCase> = z.strictObject({
  version: z.literal(1),
  seed: z.string(),
  index: z.int().min(0),
  mode: deliveryModeSchema,
  startBefore: z.int().min(0),
  batchSize: z.int().min(1),
  chunkRows: z.int().min(1),
  plan: faultPlanSchema,
  protocol: z.literal(PROTOCOLS),
  history: historySchema,
});
