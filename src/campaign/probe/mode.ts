import type { Bench } from './bench.ts';
import { PANES, panesInOrder, panesOfLateRows, SIGHT_MS } from './numbered-panes.ts';
import { measured, type Probe, type Reading } from './probe.ts';
import { endOf } from './stops.ts';

/** A streaming engine holds panes back, and drops rows, by its watermark; a batch engine does neither. */
export const mode: Probe = {
  trait: 'mode',
  declared: (traits) => traits.mode,
  measure: modeOf,
};

/** @throws NotMeasured */
export async function modeOf(bench: Bench): Promise<Reading & { kind: 'measured' }> {
  const end = await endOf(bench);
  if (end === 'settle-cancel') {
    const all = (await bench.rows(panesInOrder, end)).length === PANES;
    return reading(all ? 'batch' : 'streaming', `of ordered rows, ${all ? 'all' : 'not all'} panes fired`);
  }
  const late = (await bench.rows(panesOfLateRows, end)).filter(([, , k]) => k === 'late').length;
  const all = late === 2 * SIGHT_MS;
  return reading(all ? 'batch' : 'streaming', `of late rows, ${all ? 'all' : 'not all'} were counted`);
}

const reading = (value: 'batch' | 'streaming', how: string) =>
  measured(value, how) as Reading & { kind: 'measured' };
