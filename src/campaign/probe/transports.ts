import { whyNoRows } from './bench.ts';
import { everyRow } from './numbered-panes.ts';
import { measured, NotMeasured, type Probe } from './probe.ts';
import { endOf } from './stops.ts';

/** A session states the transport that it was opened for; the form of its output shows which it used. */
export const transports: Probe = {
  trait: 'transports',
  declared: (traits) => traits.transports,
  async measure(bench) {
    const answer = await bench.ask(everyRow, await endOf(bench));
    if (answer.kind !== 'rows') throw new NotMeasured(whyNoRows(answer));
    const { format } = answer;
    return measured([format === 'records' ? 'kafka' : 'files'], `the output came as ${format}`);
  },
};
