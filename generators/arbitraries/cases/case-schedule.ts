import type { Schedule, ScheduleStep } from '../../../src/model/case.ts';
import { type Dataset, rowCount } from '../../../src/model/dataset.ts';
import { Digits } from './digits.ts';
import type { Restarts, ScheduleShape } from './profile.ts';

/** The draws of a schedule, each less than 2^31. */
export interface ScheduleCode {
  readonly choices: number;
  /** Where it is cut: one draw for each of up to four places. */
  readonly cuts: readonly [number, number, number, number];
}

const STEPS: Readonly<Record<Restarts, readonly ScheduleStep['do'][]>> = {
  none: [],
  checkpoint: ['checkpoint'],
  restart: ['restart'],
  'checkpoint-restart': ['checkpoint', 'restart'],
  twice: ['checkpoint', 'restart', 'checkpoint', 'restart'],
};

/** The schedule that draws stand for. Steps fall behind any row but the last, so that there is a rest to read. */
export function caseSchedule(code: ScheduleCode, dataset: Dataset, shape: ScheduleShape): Schedule {
  const digits = new Digits(code.choices);
  const stop = digits.of(shape.stops);
  const wished = digits.of(shape.parallelism);
  const partitions = dataset.streams[0]?.partitions.length ?? 1;
  const rows = dataset.streams.reduce((sum, stream) => sum + rowCount(stream), 0);
  const steps = stepsAt(code.cuts, STEPS[digits.of(shape.restarts)], dataset);
  return {
    parallelism: wished === 'partitions' ? partitions : wished,
    stop,
    ...(stop === 'cancel' && rows > 0 ? { cancelAfterRows: 1 + (code.cuts[3] % rows) } : {}),
    ...(steps.length > 0 ? { steps } : {}),
  };
}

/** A step behind a row, for each; none where no row is left to be read afterwards. */
function stepsAt(
  cuts: ScheduleCode['cuts'],
  steps: readonly ScheduleStep['do'][],
  dataset: Dataset,
): ScheduleStep[] {
  if (steps.length === 0) return [];
  const arrivals = arrivalsOf(dataset);
  if (arrivals.length < 2) return [];
  return cuts
    .slice(0, steps.length)
    .map((cut) => arrivals[cut % (arrivals.length - 1)]!)
    .sort((a, b) => a - b)
    .map((after, index) => ({ after, do: steps[index]! }));
}

function arrivalsOf(dataset: Dataset): readonly number[] {
  return dataset.streams
    .flatMap(({ partitions }) => partitions.flatMap((events) => events.map(({ arrival }) => arrival)))
    .sort((a, b) => a - b);
}
