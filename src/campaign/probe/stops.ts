import { type StopMode, stopModes } from '../../model/traits.ts';
import { type Bench, whyNoRows } from './bench.ts';
import { everyRow, PANES, panesInOrder } from './numbered-panes.ts';
import { measured, NotMeasured, type Probe } from './probe.ts';

/** Each stop is asked for, also those that are not declared, and its output is looked at. */
export const stops: Probe = {
  trait: 'stops',
  declared: (traits) => traits.stops,
  async measure(bench) {
    const works = await Promise.all(stopModes.map((stop) => stopWorks(bench, stop)));
    const working = stopModes.filter((_, index) => works[index]);
    return measured(working, 'each was asked for, and its output looked at');
  },
};

/** How a run is ended whose watermark is to show: it rests where it stands, or all input ends. @throws NotMeasured */
export async function endOf(bench: Bench): Promise<'settle-cancel' | 'drain'> {
  if (await stopWorks(bench, 'settle-cancel')) return 'settle-cancel';
  if (await stopWorks(bench, 'drain')) return 'drain';
  throw new NotMeasured('the engine neither settles nor drains');
}

/** Whether a run ends so, with an output that it may have. An engine refuses the stops that it has not. */
async function stopWorks(bench: Bench, stop: StopMode): Promise<boolean> {
  const panes = await bench.ask(panesInOrder, stop);
  // It may be the window that it has not.
  const answer = panes.kind === 'unsupported' ? await bench.ask(everyRow, stop) : panes;
  if (answer.kind === 'unsupported') return false;
  if (answer.kind !== 'rows') throw new NotMeasured(`${stop}: ${whyNoRows(answer)}`);
  // Each pane and each row is told from the others by its first column.
  const numbers = new Set(answer.rows.map(([first]) => first as number));
  const onceEach =
    numbers.size === answer.rows.length && [...numbers].every((number) => number >= 0 && number < PANES);
  return onceEach && (stop !== 'drain' || numbers.size === PANES);
}
