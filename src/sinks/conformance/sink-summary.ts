import { z } from 'zod';
import type { SinkVerdict } from '../../judge/sinks/sink-verdict.ts';
import { type DeliveryMode, deliveryModeSchema } from '../../model/history/index.ts';

/** The version of the JSON form below. A greater one is refused. */
export const SINK_SUMMARY_VERSION = 1;

/** A case whose verdict is not `agree`. `index`: its number under the seed; `file`: where it was written, if anywhere. */
export interface SinkFailure {
  readonly index: number;
  readonly verdict: 'diverge' | 'not-gated' | 'inconclusive';
  /** The problem's kind or the code; how often; and in words without values. */
  readonly problems: readonly { readonly kind: string; readonly count: number; readonly message: string }[];
  readonly file?: string | undefined;
}

/**
 * One row of the table.
 *
 * - `histories`: those that were judged; `discarded`: those with nothing that the mode is about.
 * - `redelivered`, `dup`, `loss`: over all histories; `redeliveredIn`, `dupIn`: the histories in which something was
 *   delivered again, and took effect again.
 * - `worst`: most that took effect again after one restart: transactions from the first to the last of them, messages or
 *   chunks.
 * - `reason`: why the verdict is not `agree`.
 */
export interface ModeSummary {
  readonly mode: DeliveryMode;
  readonly guarantee: 'effect-once' | 'at-least-once';
  /** As the table shows it: `dup = 0`, `dup ≤ 1 transaction`. */
  readonly bound: string;
  readonly histories: number;
  readonly discarded: number;
  readonly transactions: number;
  readonly messages: number;
  readonly chunks: number;
  readonly redelivered: number;
  readonly redeliveredIn: number;
  readonly dup: number;
  readonly dupIn: number;
  readonly worst: number;
  readonly loss: number;
  readonly verdict: SinkVerdict['kind'];
  readonly reason?: string | undefined;
  readonly failures: readonly SinkFailure[];
  readonly seconds: number;
}

/** What `tidemark sink` comes to. `modes`: those that were tried, in the order of semantics §10. */
export interface SinkSummary {
  readonly version: typeof SINK_SUMMARY_VERSION;
  readonly tidemark: string;
  readonly sink: string;
  readonly seed: string;
  /** Of the source. */
  readonly postgres: string;
  readonly verdict: SinkVerdict['kind'];
  readonly modes: readonly ModeSummary[];
}

const count = z.int().min(0);
const verdict = z.enum(['agree', 'diverge', 'not-gated', 'inconclusive']);

export const sinkSummarySchema: z.ZodType<SinkSummary> = z.strictObject({
  version: z.literal(SINK_SUMMARY_VERSION),
  tidemark: z.string(),
  sink: z.string(),
  seed: z.string(),
  postgres: z.string(),
  verdict,
  modes: z.array(
    z.strictObject({
      mode: deliveryModeSchema,
      guarantee: z.enum(['effect-once', 'at-least-once']),
      bound: z.string(),
      histories: count,
      discarded: count,
      transactions: count,
      messages: count,
      chunks: count,
      redelivered: count,
      redeliveredIn: count,
      dup: count,
      dupIn: count,
      worst: count,
      loss: count,
      verdict,
      reason: z.string().optional(),
      failures: z.array(
        z.strictObject({
          index: count,
          verdict: z.enum(['diverge', 'not-gated', 'inconclusive']),
          problems: z.array(z.strictObject({ kind: z.string(), count, message: z.string() })),
          file: z.string().optional(),
        }),
      ),
      seconds: z.number().min(0),
    }),
  ),
});

/** One divergence makes a whole diverge; else anything that is no pass keeps it from passing (semantics §7). */
export function worstOf(kinds: readonly SinkVerdict['kind'][]): SinkVerdict['kind'] {
  const order = ['diverge', 'not-gated', 'inconclusive'] as const;
  if (kinds.length === 0) return 'inconclusive';
  return order.find((kind) => kinds.includes(kind)) ?? 'agree';
}
