import { count, from, tumble } from '../../model/build.ts';
import type { Bench } from './bench.ts';
import { patience } from './numbered-panes.ts';
import { measured, NotMeasured, type Probe, type Reading } from './probe.ts';
import { endOf } from './stops.ts';
import { type TinyCase, ticks } from './tiny-case.ts';

const plan = from('tick').window(tumble(10)).perWindow(['k'], { n: count() });

/**
 * Two partitions, the second of which ends before the pane [100, 110) does. Each has a subtask of its own, as the
 * traits of engines are declared for. The pane [0, 10) fires in any case: some engines tell a run that has settled by
 * its output.
 */
const oneBehind: TinyCase = {
  name: 'behind',
  plan,
  dataset: ticks(
    50,
    [['a', 1], ['a', 101], ...patience(1_001)],
    [
      ['a', 1],
      ['a', 101],
    ],
  ),
  parallelism: 2,
};

/** A partition far ahead, all of which arrives before the only row of the other. */
const behindOnArrival: TinyCase = {
  name: 'behind-on-arrival',
  plan,
  dataset: ticks(0, patience(1_000), [['behind', 1]]),
  parallelism: 1,
};

/** Whether the partition that is behind holds back the panes of the one ahead, or its own rows come late. */
export const watermarkScope: Probe = {
  trait: 'watermarkScope',
  ofWatermarks: true,
  declared: (traits) => traits.watermarkScope,
  async measure(bench) {
    return (await endOf(bench)) === 'settle-cancel' ? byPane(bench) : byLateRow(bench);
  },
};

async function byPane(bench: Bench): Promise<Reading> {
  const rows = await bench.rows(oneBehind, 'settle-cancel');
  return rows.some(([start]) => start === 100)
    ? measured('reader', 'a pane fired though one partition was behind')
    : measured('partition', 'a pane waited for the partition behind');
}

async function byLateRow(bench: Bench): Promise<Reading> {
  const answer = await bench.ask(behindOnArrival, 'drain');
  const counted = (await bench.rows(behindOnArrival, 'drain')).some(([, , k]) => k === 'behind');
  if (!counted) return measured('reader', 'the row of the partition behind was dropped');
  // Files are read in the order of arrival; a broker may have given the row that is behind first.
  if (answer.kind === 'rows' && answer.format === 'records') {
    throw new NotMeasured('over Kafka the order in which two partitions are read is not known');
  }
  return measured('partition', 'the row of the partition behind was counted');
}
