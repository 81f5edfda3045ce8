import { z } from 'zod';

/**
 * In what an engine lawfully differs (semantics §9). Oracle, judge and properties read these, never a name.
 *
 * - `mode`: a `batch` engine knows no watermark and drops no row; it referees the drained truth only.
 * - `watermarkDelayMs`: `c` of §2, the watermark is `m − L − c`.
 * - `fireEarlyMs`: `f` of §2 for each kind of operator, a result with fire point `x` is due at `x − f`.
 * - `watermarkScope`: whether a source's watermark is the least over its partitions, or follows the greatest
 *   time its one reader has seen.
 * - `watermarkEmission`: whether the watermark advances after every row, so that lateness is decided by the
 *   order of rows, or now and then, so that a late row may still be counted.
 * - `sessionTouching`: whether rows exactly a gap apart are one session.
 */
export interface Traits {
  readonly mode: 'streaming' | 'batch';
  readonly watermarkDelayMs: number;
  readonly fireEarlyMs: { readonly window: number };
  readonly watermarkScope: 'partition' | 'reader';
  readonly watermarkEmission: 'every-row' | 'periodic';
  readonly sessionTouching: 'merge' | 'separate';
  readonly stops: readonly StopMode[];
  readonly transports: readonly Transport[];
}

/** How a run ends (semantics §5). */
export type StopMode = 'settle-cancel' | 'cancel' | 'drain' | 'kill';

/** How rows reach an engine. */
export type Transport = 'files' | 'kafka';

export const stopModes = ['settle-cancel', 'cancel', 'drain', 'kill'] as const satisfies readonly StopMode[];
export const transports = ['files', 'kafka'] as const satisfies readonly Transport[];

export const traitsSchema = z.strictObject({
  mode: z.enum(['streaming', 'batch']),
  watermarkDelayMs: z.int().min(0),
  fireEarlyMs: z.strictObject({ window: z.int().min(0) }),
  watermarkScope: z.enum(['partition', 'reader']),
  watermarkEmission: z.enum(['every-row', 'periodic']),
  sessionTouching: z.enum(['merge', 'separate']),
  stops: z.array(z.enum(stopModes)),
  transports: z.array(z.enum(transports)),
});

/** The law without any engine's habit: c = 0, f = 0, the least over partitions,
 * after every row; touching sessions merge. */
export const neutralTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 0 },
  watermarkScope: 'partition',
  watermarkEmission: 'every-row',
  sessionTouching: 'merge',
  stops: stopModes,
  transports,
};
