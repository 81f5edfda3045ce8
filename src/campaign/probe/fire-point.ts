import type { Bench } from './bench.ts';
import { panesInOrder, panesOfLateRows, SIGHT_MS } from './numbered-panes.ts';
import { measured, NotMeasured, type Probe } from './probe.ts';
import { endOf } from './stops.ts';

/**
 * `f − c` (semantics §2) to the millisecond. A pane that ends at E fires once the greatest time is E + L + c − f, and
 * from then on its rows are late: neither an output nor a dropped row shows one of the two without the other, so only
 * their difference can be measured. Nothing that is computed from these traits depends on more.
 */
export const firePoint: Probe = {
  trait: 'fireEarlyMs.window − watermarkDelayMs',
  ofWatermarks: true,
  declared: ({ fireEarlyMs, watermarkDelayMs }) => fireEarlyMs.window - watermarkDelayMs,
  async measure(bench) {
    const end = await endOf(bench);
    const last = end === 'drain' ? await lastDropped(bench) : await lastFired(bench);
    const aheadMs = last - SIGHT_MS;
    if (Math.abs(aheadMs) >= SIGHT_MS) {
      throw new NotMeasured(`panes fire ${SIGHT_MS} ms or more from where the lag alone would have them`);
    }
    const how = end === 'drain' ? 'the last pane whose row was dropped' : 'the last pane that fired';
    return measured(aheadMs, how);
  },
};

/** The end of the last pane that fired. */
async function lastFired(bench: Bench): Promise<number> {
  const rows = await bench.rows(panesInOrder, 'settle-cancel');
  return Math.max(0, ...rows.map(([, end]) => end as number));
}

/** The end of the last pane whose late row was dropped. Once the input has ended, that is all that shows of it. */
async function lastDropped(bench: Bench): Promise<number> {
  const rows = await bench.rows(panesOfLateRows, 'drain');
  const counted = rows.flatMap(([, end, k]) => (k === 'late' ? [end as number] : []));
  return Math.min(2 * SIGHT_MS + 1, ...counted) - 1;
}
