import { count, from, tumble } from '../../model/build.ts';
import { measured, type Probe } from './probe.ts';
import { endOf } from './stops.ts';
import { type Tick, type TinyCase, ticks } from './tiny-case.ts';

const ROUNDS = 20;
const ROUND_MS = 1_000;

/** In each round a pane of 10 ms, a row far beyond its end, and right after it a late row of the pane. */
const lateAtOnce: TinyCase = {
  name: 'late-at-once',
  plan: from('tick').window(tumble(10)).perWindow(['k'], { n: count() }),
  dataset: ticks(0, [
    ...Array.from({ length: ROUNDS }, (_, round): readonly Tick[] => [
      ['on time', round * ROUND_MS],
      ['beyond', round * ROUND_MS + ROUND_MS / 2],
      ['late', round * ROUND_MS + 1],
    ]).flat(),
    ['beyond', ROUNDS * ROUND_MS],
  ]),
  parallelism: 1,
};

/**
 * Whether a row that follows at once upon the one that made it late is dropped. One that is counted proves that the
 * watermark stood still in between. That all are dropped proves nothing as such: an engine that advances it now and
 * then could have done so before every one of them. It is taken for `every-row` since that engine would have had to
 * time it so in each round.
 */
export const watermarkEmission: Probe = {
  trait: 'watermarkEmission',
  ofWatermarks: true,
  declared: (traits) => traits.watermarkEmission,
  async measure(bench) {
    const rows = await bench.rows(lateAtOnce, await endOf(bench));
    const counted = rows.filter(([, , k]) => k === 'late').length;
    const how = `${counted} of ${ROUNDS} rows that were late at once were counted`;
    return measured(counted === 0 ? 'every-row' : 'periodic', how);
  },
};
