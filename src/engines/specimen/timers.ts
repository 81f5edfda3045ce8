import type { Key } from './keys.ts';

/** When something of a key is due, in epoch milliseconds of event time. */
export interface Timer {
  readonly atMs: number;
  readonly key: Key;
}

/** Timers in the order in which they fall due, those of one time as they were set. Plain data, to be snapshotted. */
export type Timers = Timer[];

export function setTimer(timers: Timers, atMs: number, key: Key): void {
  // From the end: time goes on, so that a new timer is mostly among the last.
  let index = timers.length;
  while (index > 0 && timers[index - 1]!.atMs > atMs) index--;
  if (index === timers.length) timers.push({ atMs, key });
  else timers.splice(index, 0, { atMs, key });
}

const NONE: readonly Timer[] = [];

/** Takes out the timers at or before a time. */
export function takeDue(timers: Timers, untilMs: number): readonly Timer[] {
  let count = 0;
  while (count < timers.length && timers[count]!.atMs <= untilMs) count++;
  return count === 0 ? NONE : timers.splice(0, count);
}
