import type { Case, Schedule } from '../../model/case.ts';
import type { Traits } from '../../model/traits.ts';
import { sha256 } from '../manifest.ts';

/**
 * A seed of the command line as a number: digits stand for themselves, any other text for 48 bits of its hash.
 */
export function seedNumber(seed: string): number {
  const number = Number(seed);
  if (/^\d+$/.test(seed) && Number.isSafeInteger(number)) return number;
  return Number.parseInt(sha256(seed).slice(0, 12), 16);
}

/** The case as an engine of these traits can run it: what it has no means for is left out of its schedule. */
export function fitted({ query, dataset, schedule }: Case, traits: Traits): Case {
  return { query, dataset, schedule: fittedSchedule(schedule, traits) };
}

function fittedSchedule(schedule: Schedule, traits: Traits): Schedule {
  const { steps, ...rest } = schedule;
  return {
    ...rest,
    // Several readers of one file are an engine's own affair.
    parallelism: traits.splitsFiles === true ? schedule.parallelism : 1,
    stop: traits.stops.includes(schedule.stop) ? schedule.stop : (traits.stops[0] ?? schedule.stop),
    ...(traits.restart === true && steps !== undefined ? { steps } : {}),
  };
}
