import fc from 'fast-check';

/** Sizes of the windows whose edges times are drawn on, in milliseconds. */
const EDGES_MS = [2_000, 10_000] as const;

/** Gap of the sessions that times touch, miss or overlap by one, in milliseconds. */
const SESSION_GAP_MS = 10_000;

/** A place on a window's edge or one millisecond beside it. */
interface Edge {
  readonly edgeMs: (typeof EDGES_MS)[number];
  readonly offsetMs: number;
}

/** How far the clock goes on before an event: by some milliseconds, or to the next such edge. */
export type Step = number | Edge;

/** How far an event lies behind the clock: some milliseconds, or as far as the edge before. */
export type Lateness = number | Edge;

const edge: fc.Arbitrary<Edge> = fc.record({
  edgeMs: fc.constantFrom(...EDGES_MS),
  offsetMs: fc.constantFrom(0, -1, 1),
});

/**
 * The clock before the first step, in epoch milliseconds and at least `leastMs`: about the epoch, more than ten
 * seconds before it, or in our days. Shrinks to the epoch, or to `leastMs` if that is later.
 */
export function startTimes(leastMs: number): fc.Arbitrary<number> {
  return fc
    .oneof(
      { withCrossShrink: true },
      { weight: 2, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: -60_000, max: 60_000 }) },
      { weight: 1, arbitrary: fc.constant(1_704_095_990_000) }, // 2024-01-01 07:59:50 UTC
    )
    .map((startMs) => Math.max(startMs, leastMs));
}

/** Steps from 0 ms (a tie) to a little over a session gap. Shrinks to 0 ms. */
export function steps(): fc.Arbitrary<Step> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 2, arbitrary: fc.nat({ max: 3 }) },
    { weight: 4, arbitrary: fc.nat({ max: 3_000 }) },
    { weight: 2, arbitrary: fc.constantFrom(SESSION_GAP_MS, SESSION_GAP_MS - 1, SESSION_GAP_MS + 1) },
    { weight: 3, arbitrary: edge },
  );
}

/** Lateness from 0 to `disorderMs`. Shrinks to 0, so that disorder left over is needed. */
export function latenesses(disorderMs: number): fc.Arbitrary<Lateness> {
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat({ max: disorderMs }) },
    { weight: 1, arbitrary: fc.constant(disorderMs) },
    { weight: 2, arbitrary: edge },
  );
}

/** The clock after a step, in epoch milliseconds. Never goes back. */
export function clockAfter(clockMs: number, step: Step): number {
  if (typeof step === 'number') return clockMs + step;
  return Math.ceil((clockMs - step.offsetMs) / step.edgeMs) * step.edgeMs + step.offsetMs;
}

/** The time of an event at a clock, in epoch milliseconds: at most `disorderMs` before the clock, never after. */
export function timeOf(clockMs: number, lateness: Lateness, disorderMs: number): number {
  if (typeof lateness === 'number') return clockMs - lateness;
  const edgeMs = Math.floor((clockMs - lateness.offsetMs) / lateness.edgeMs) * lateness.edgeMs;
  return Math.max(edgeMs + lateness.offsetMs, clockMs - disorderMs);
}
