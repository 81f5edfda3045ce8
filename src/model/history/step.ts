import { z } from 'zod';
import {
  type AddColumnStep,
  addColumnStepSchema,
  type DropColumnStep,
  dropColumnStepSchema,
  type SetIdentityStep,
  setIdentityStepSchema,
} from './ddl-step.ts';
import { type MessageStep, messageStepSchema } from './message-step.ts';
import {
  type DeleteStep,
  deleteStepSchema,
  type InsertStep,
  insertStepSchema,
  type TruncateStep,
  truncateStepSchema,
  type UpdateStep,
  updateStepSchema,
} from './row-step.ts';
import {
  type BoundaryStep,
  boundaryStepSchema,
  type SavepointStep,
  savepointStepSchema,
} from './transaction-step.ts';

/** What a connection runs inside a transaction, its own or one that is open. */
export type Statement =
  | InsertStep
  | UpdateStep
  | DeleteStep
  | TruncateStep
  | MessageStep
  | AddColumnStep
  | DropColumnStep
  | SetIdentityStep;

/** One step of a history: one SQL statement of one connection, which has finished before the next step begins. */
export type Step = BoundaryStep | SavepointStep | Statement;

export const stepSchema: z.ZodType<Step> = z.discriminatedUnion('do', [
  boundaryStepSchema,
  savepointStepSchema,
  insertStepSchema,
  updateStepSchema,
  deleteStepSchema,
  truncateStepSchema,
  messageStepSchema,
  addColumnStepSchema,
  dropColumnStepSchema,
  setIdentityStepSchema,
]);
