import { count, from, tumble } from '../../model/build.ts';
import { type Answer, whyNoRows } from './bench.ts';
import { patience } from './numbered-panes.ts';
import { measured, NotMeasured, type Probe, type Reading, withoutMeaning } from './probe.ts';
import { endOf } from './stops.ts';
import { type TinyCase, ticks } from './tiny-case.ts';

/** A pane that has fired, and a row that comes too late for it. */
const onePartition: TinyCase = {
  name: 'one-partition',
  plan: from('tick').window(tumble(10)).perWindow(['k'], { n: count() }),
  dataset: ticks(5, [['a', 1], ...patience(101), ['late', 2]]),
  parallelism: 1,
};

/** One of the two subtasks has nothing to read. */
const oneTooMany: TinyCase = { ...onePartition, name: 'one-subtask-too-many', parallelism: 2 };

/**
 * Whether a subtask without a partition keeps every pane from firing, and every row from coming late, which both
 * happen without it.
 */
export const subtaskWithoutPartition: Probe = {
  trait: 'subtaskWithoutPartition',
  ofWatermarks: true,
  declared: (traits) => traits.subtaskWithoutPartition,
  async measure(bench) {
    const end = await endOf(bench);
    const [alone, beside] = await Promise.all([bench.ask(onePartition, end), bench.ask(oneTooMany, end)]);
    if (alone.kind !== 'rows') throw new NotMeasured(whyNoRows(alone));
    if (beside.kind === 'unsupported') return withoutMeaning(`such a case is not run: ${beside.reason}`);
    return end === 'drain' ? byLateRow(beside) : byPane(beside);
  },
};

function byPane(beside: Exclude<Answer, { kind: 'unsupported' }>): Reading {
  // The engine would settle, could it be told: it is idle, and with a subtask less it had written something by then.
  if (beside.kind === 'failed' && beside.code === 'nothing-seen') return held;
  if (beside.kind !== 'rows') throw new NotMeasured(whyNoRows(beside));
  return beside.rows.length === 0 ? held : measured('ignored', 'a pane fired with one subtask too many');
}

function byLateRow(beside: Exclude<Answer, { kind: 'unsupported' }>): Reading {
  if (beside.kind !== 'rows') throw new NotMeasured(whyNoRows(beside));
  return beside.rows.some(([, , k]) => k === 'late')
    ? measured('holds', 'no row was late with one subtask too many')
    : measured('ignored', 'a row was late with one subtask too many');
}

const held = measured('holds', 'no pane fired with one subtask too many');
