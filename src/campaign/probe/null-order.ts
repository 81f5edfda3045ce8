import { asc, from } from '../../model/build.ts';
import type { Bench } from './bench.ts';
import { measured, NotMeasured, type Probe } from './probe.ts';
import { endOf } from './stops.ts';
import { type TinyCase, ticks } from './tiny-case.ts';

const dataset = ticks(0, [
  ['a', 1, 1],
  ['a', 2, null],
]);

/** The first of 1 and NULL in ascending order. */
const firstOf = (nulls: 'first' | 'last'): TinyCase => ({
  name: `nulls-${nulls}`,
  plan: from('tick').top(1, ['k'], asc('v', nulls), asc('seq')).select('k', 'v'),
  dataset,
  parallelism: 1,
});

const nullsFirst = firstOf('first');
const nullsLast = firstOf('last');

/** Where NULL stands when it is asked to stand first, and when last. A plan always asks, where there may be any. */
export const nullOrder: Probe = {
  trait: 'values.nullOrder',
  declared: ({ values }) => values.nullOrder,
  async measure(bench) {
    const [first, last] = await Promise.all([
      nullComesFirst(bench, nullsFirst),
      nullComesFirst(bench, nullsLast),
    ]);
    const how = 'the first of 1 and NULL, asked for NULLS FIRST and NULLS LAST';
    if (first && !last) return measured('as-asked', how);
    if (first === last) return measured(first ? 'least' : 'greatest', how);
    throw new NotMeasured('NULL stood first where it was to stand last, and the other way round');
  },
};

async function nullComesFirst(bench: Bench, tiny: TinyCase): Promise<boolean> {
  const [row, more] = await bench.rows(tiny, await endOf(bench));
  if (row === undefined || more !== undefined)
    throw new NotMeasured('the best row of one key is not one row');
  return row[1] === null;
}
