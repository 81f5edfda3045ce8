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
 * - `subtaskWithoutPartition`: whether a source's subtask that owns no partition holds the watermark at −∞.
 */
export interface Traits {
  readonly mode: 'streaming' | 'batch';
  readonly watermarkDelayMs: number;
  readonly fireEarlyMs: { readonly window: number };
  readonly watermarkScope: 'partition' | 'reader';
  readonly watermarkEmission: 'every-row' | 'periodic';
  readonly sessionTouching: 'merge' | 'separate';
  readonly subtaskWithoutPartition: 'holds' | 'ignored';
  readonly values: ValueTraits;
  readonly stops: readonly StopMode[];
  /** Of its sinks over Kafka; at least once alone where absent. */
  readonly deliveries?: readonly Delivery[] | undefined;
  /** Whether it can be restored from a checkpoint within a run, see `ScheduleStep`; it cannot where absent. */
  readonly restart?: boolean | undefined;
  readonly transports: readonly Transport[];
  /** Whether subtasks share the rows of a stream that is read from files or memory; each reads all where absent. */
  readonly splitsFiles?: boolean | undefined;
}

/**
 * What an engine makes of values at the edges of their types.
 *
 * - `integerDivision`: of BIGINT, where the quotient is negative and not whole.
 * - `divisionByZero`: of BIGINT.
 * - `integerOverflow`, `sumOverflow`: of `+` and of SUM beyond 64 bits; `widens`: the result is no BIGINT.
 * - `nullOrder`: where NULL stands in an order; `least` and `greatest` whether asked to stand first or last.
 * - `stringUnit`: what lengths and positions of strings count.
 */
export interface ValueTraits {
  readonly integerDivision: 'truncates' | 'floors';
  readonly divisionByZero: 'fails' | 'null';
  readonly integerOverflow: Overflow;
  readonly sumOverflow: Overflow;
  readonly nullOrder: 'as-asked' | 'least' | 'greatest';
  readonly stringUnit: 'code-point' | 'utf-16' | 'byte';
}

export type Overflow = 'fails' | 'null' | 'wraps' | 'widens';

/** How a run ends (semantics §5). */
export type StopMode = 'settle-cancel' | 'cancel' | 'drain' | 'kill';

/** What a sink promises to do with a row of its input (semantics §6, Sink delivery). */
export type Delivery = 'at-least-once' | 'exactly-once';

/** How rows reach an engine. */
export type Transport = 'files' | 'kafka';

export const stopModes = ['settle-cancel', 'cancel', 'drain', 'kill'] as const satisfies readonly StopMode[];
export const deliveries = ['at-least-once', 'exactly-once'] as const satisfies readonly Delivery[];
export const transports = ['files', 'kafka'] as const satisfies readonly Transport[];

const overflow = z.enum(['fails', 'null', 'wraps', 'widens']);

export const traitsSchema = z.strictObject({
  mode: z.enum(['streaming', 'batch']),
  watermarkDelayMs: z.int().min(0),
  fireEarlyMs: z.strictObject({ window: z.int().min(0) }),
  watermarkScope: z.enum(['partition', 'reader']),
  watermarkEmission: z.enum(['every-row', 'periodic']),
  sessionTouching: z.enum(['merge', 'separate']),
  subtaskWithoutPartition: z.enum(['holds', 'ignored']),
  values: z.strictObject({
    integerDivision: z.enum(['truncates', 'floors']),
    divisionByZero: z.enum(['fails', 'null']),
    integerOverflow: overflow,
    sumOverflow: overflow,
    nullOrder: z.enum(['as-asked', 'least', 'greatest']),
    stringUnit: z.enum(['code-point', 'utf-16', 'byte']),
  }),
  stops: z.array(z.enum(stopModes)),
  deliveries: z.array(z.enum(deliveries)).optional(),
  restart: z.boolean().optional(),
  transports: z.array(z.enum(transports)),
  splitsFiles: z.boolean().optional(),
});

/**
 * The law without any engine's habit: c = 0, f = 0, the least over partitions, after every row; touching sessions
 * merge; what the law refuses fails.
 */
export const neutralTraits: Traits = {
  mode: 'streaming',
  watermarkDelayMs: 0,
  fireEarlyMs: { window: 0 },
  watermarkScope: 'partition',
  watermarkEmission: 'every-row',
  sessionTouching: 'merge',
  subtaskWithoutPartition: 'holds',
  values: {
    integerDivision: 'truncates',
    divisionByZero: 'fails',
    integerOverflow: 'fails',
    sumOverflow: 'fails',
    nullOrder: 'as-asked',
    stringUnit: 'code-point',
  },
  stops: stopModes,
  transports,
};
