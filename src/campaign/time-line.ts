import { z } from 'zod';
import { inStableOrder, type Truth } from '../../oracles/truth.ts';
import { eachAppendedRow } from '../judge/appended-rows.ts';
import { Layout } from '../judge/canonical-row.ts';
import type { Capture } from '../model/outcome.ts';
import type { CheckedQuery } from '../model/query.ts';
import { axisOver, binOf, MAX_BINS, type TimeAxis } from './time-axis.ts';
import { TrueRows } from './true-rows.ts';

export const TIME_LINE_VERSION = 1;

const countsSchema = z.array(z.int().min(0)).max(MAX_BINS);

/** `time-line.json` of a query: over event time, how many rows were to fire and how many each engine showed. */
export const timeLineSchema = z.strictObject({
  version: z.literal(TIME_LINE_VERSION),
  /** Epoch ms of the first bin's start; a row belongs to the bin of its fire point. */
  from: z.int(),
  binMs: z.int().min(1),
  bins: z.int().min(1).max(MAX_BINS),
  engines: z.array(
    z.strictObject({
      engine: z.string(),
      /**
       * W, up to which the engine's truth is told: epoch ms; `end` where the input was drained, `start` where no row
       * moved it, `unknown` where the run was cancelled midway.
       */
      watermark: z.union([z.number(), z.enum(['start', 'end', 'unknown'])]),
      /** Rows that are true in the end, by the engine's own truth. */
      truth: countsSchema,
      /** Those of them that fire at W or before; absent where W is unknown. */
      due: countsSchema.optional(),
      /** True rows that the engine gave, and that were due where that is known. */
      shown: countsSchema,
      /** True rows that the engine gave though they fire after W. */
      premature: countsSchema,
      /** Rows that it gave and that are not true, or too often, at the time they bear. */
      extra: countsSchema,
      /** Rows that it gave that are not true, and bear no time that could place them. */
      unplaced: z.int().min(0),
    }),
  ),
});
export type TimeLine = z.infer<typeof timeLineSchema>;
export type EngineTimeLine = TimeLine['engines'][number];

/** What an engine gave, and what was to come of it. */
export interface TimeLineSide {
  readonly engine: string;
  /** All that is true in the end. */
  readonly drained: Truth;
  /** How far the engine's truth is told; undefined where the run was cancelled midway. */
  readonly reached: Reached | undefined;
  /** `as-due` for an output that was found to be all that is due and nothing else: it is not read again. */
  readonly output: Capture | 'as-due';
}

/** The watermark of the plan's last operator, and how much before its fire point a row is due. */
export interface Reached {
  readonly watermark: number;
  readonly fireEarlyMs: number;
}

/**
 * The time line of a query whose rows fire at points of event time, in counts; undefined for any other: rows that are
 * emitted at once, and final states. Corrupt lines are for the judge to tell.
 */
export async function timeLine(
  query: CheckedQuery,
  sides: readonly TimeLineSide[],
): Promise<TimeLine | undefined> {
  if (query.output.updating) return undefined;
  const axis = axisOver(sides.map(({ drained }) => drained.firePoints));
  if (axis === undefined) return undefined;
  const engines: EngineTimeLine[] = [];
  for (const side of sides) engines.push(await lineOf(query, side, axis));
  return { version: TIME_LINE_VERSION, ...axis, engines };
}

async function lineOf(query: CheckedQuery, side: TimeLineSide, axis: TimeAxis): Promise<EngineTimeLine> {
  const { engine, drained, reached, output } = side;
  const truth = countsOver(axis, drained.firePoints, Number.MAX_VALUE);
  const due = reached && countsOver(axis, drained.firePoints, lastDueOf(reached));
  const watermark = watermarkOf(reached);
  if (output === 'as-due') {
    if (due === undefined) throw new Error('what is due is not known of a run cancelled midway');
    const none = noCounts(axis);
    return { engine, watermark, truth, due, shown: due, premature: none, extra: none, unplaced: 0 };
  }
  const lastDue = reached === undefined ? Number.POSITIVE_INFINITY : lastDueOf(reached);
  return { engine, watermark, truth, due, ...(await countOutput(query, drained, lastDue, output, axis)) };
}

async function countOutput(
  { definition, columns }: CheckedQuery,
  drained: Truth,
  lastDue: number,
  capture: Capture,
  axis: TimeAxis,
): Promise<Pick<EngineTimeLine, 'shown' | 'premature' | 'extra' | 'unplaced'>> {
  const { fire, tolerance } = definition.declaration;
  // The column that bears the fire point comes first in a row's words, and equal rows then fire together.
  const bearsTime = typeof fire === 'object';
  const layout = new Layout(columns, bearsTime ? [fire.column] : [], tolerance?.columns ?? []);
  const { rows, firePoints } = bearsTime ? drained : inStableOrder(drained);
  const trueRows = new TrueRows(rows, layout);
  const shown = noCounts(axis);
  const premature = noCounts(axis);
  const extra = noCounts(axis);
  let unplaced = 0;
  await eachAppendedRow(
    { capture },
    layout,
    (row) => {
      const index = trueRows.take(row);
      if (index < 0) {
        const time = bearsTime ? timeAtStart(row.words) : undefined;
        if (time === undefined) unplaced++;
        else extra[binOf(axis, time)]!++;
        return;
      }
      const firePoint = firePoints[index]!;
      if (!Number.isFinite(firePoint)) return;
      const counts = firePoint > lastDue ? premature : shown;
      counts[binOf(axis, firePoint)]!++;
    },
    () => {},
  );
  return { shown, premature, extra, unplaced };
}

/** The TIMESTAMP(3) that a canonical row begins with, or undefined for NULL. */
function timeAtStart(words: Int32Array): number | undefined {
  return words[0] === 0 ? undefined : words[2]! * 0x1_0000_0000 + (words[1]! >>> 0);
}

/** How many of the finite fire points up to `last` fall into each bin. */
function countsOver(axis: TimeAxis, firePoints: readonly number[], last: number): number[] {
  const counts = noCounts(axis);
  for (const firePoint of firePoints) {
    if (firePoint <= last && Number.isFinite(firePoint)) counts[binOf(axis, firePoint)]!++;
  }
  return counts;
}

function noCounts({ bins }: TimeAxis): number[] {
  return new Array<number>(bins).fill(0);
}

/** The last fire point that is due at a watermark (semantics §2). */
function lastDueOf({ watermark, fireEarlyMs }: Reached): number {
  return watermark + fireEarlyMs;
}

function watermarkOf(reached: Reached | undefined): EngineTimeLine['watermark'] {
  if (reached === undefined) return 'unknown';
  if (reached.watermark === Number.POSITIVE_INFINITY) return 'end';
  return reached.watermark === Number.NEGATIVE_INFINITY ? 'start' : reached.watermark;
}
