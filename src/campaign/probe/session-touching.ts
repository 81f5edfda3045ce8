import { count, from, session } from '../../model/build.ts';
import { measured, NotMeasured, type Probe } from './probe.ts';
import { endOf } from './stops.ts';
import { type TinyCase, ticks } from './tiny-case.ts';

const GAP_MS = 10;

/** Two rows exactly a gap apart, none of them late, and one that ends the session. */
const aGapApart: TinyCase = {
  name: 'gap',
  plan: from('tick')
    .window(session(GAP_MS, ['k']))
    .perWindow(['k'], { n: count() }),
  dataset: ticks(100, [
    ['a', 0],
    ['a', GAP_MS],
    ['end', 1_000],
  ]),
  parallelism: 1,
};

/** Whether rows exactly the gap apart are one session. */
export const sessionTouching: Probe = {
  trait: 'sessionTouching',
  declared: (traits) => traits.sessionTouching,
  async measure(bench) {
    const rows = await bench.rows(aGapApart, await endOf(bench));
    const counts = rows.filter(([, , k]) => k === 'a').map(([, , , n]) => n as number);
    const how = 'two rows exactly the gap apart';
    if (counts.length === 1 && counts[0] === 2) return measured('merge', `${how} gave one session`);
    if (counts.length === 2 && counts.every((n) => n === 1)) return measured('separate', `${how} gave two`);
    throw new NotMeasured(`${how} gave ${counts.length} sessions of ${counts.join(' and ')} rows`);
  },
};
