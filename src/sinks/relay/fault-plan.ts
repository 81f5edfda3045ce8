import { z } from 'zod';

/** The version of the JSON form below. A greater one is refused. */
export const FAULT_PLAN_VERSION = 1;

/** One delivery: the first, second, … of its kind, counted from 0 as they first come; what comes again keeps its number. */
export interface ItemAddress {
  readonly kind: 'transaction' | 'message' | 'chunk';
  readonly index: number;
}

/**
 * When it happens, seen from the kit:
 *
 * - `before-send`: nothing of the item has been sent.
 * - `inside`: some of a spilled transaction's items have been read by the sink.
 * - `before-checkpoint`: at the fail point of a sink that has one.
 * - `reply-lost`: the sink has answered, and nobody knows.
 * - `after-reply`: the answer has come and a checkpoint of the library's is durable, but nothing is acknowledged.
 */
export type FaultMoment = 'before-send' | 'inside' | 'before-checkpoint' | 'reply-lost' | 'after-reply';

/**
 * One fault; it happens once, the first time the item gets so far. `disconnect` cuts the connection to the source, and
 * the sink lives on; `kill` ends the sink too, as a crash would.
 */
export interface Fault {
  readonly item: ItemAddress;
  readonly when: FaultMoment;
  readonly do: 'disconnect' | 'kill';
}

/**
 * What goes wrong while a history is delivered. Data, not draws during the run, so that it can be reduced.
 *
 * `acknowledgeEvery`: of how many units of delivery one is acknowledged to the source, so that more than the last may come
 * again.
 */
export interface FaultPlan {
  readonly version: typeof FAULT_PLAN_VERSION;
  readonly acknowledgeEvery: number;
  readonly faults: readonly Fault[];
}

export const faultPlanSchema: z.ZodType<FaultPlan> = z.strictObject({
  version: z.literal(FAULT_PLAN_VERSION),
  acknowledgeEvery: z.int().min(1),
  faults: z.array(
    z.strictObject({
      item: z.strictObject({
        kind: z.enum(['transaction', 'message', 'chunk']),
        index: z.int().min(0),
      }),
      when: z.enum(['before-send', 'inside', 'before-checkpoint', 'reply-lost', 'after-reply']),
      do: z.enum(['disconnect', 'kill']),
    }),
  ),
});
