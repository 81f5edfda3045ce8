import { describe, expect, it } from 'vitest';
import {
  asc,
  count,
  countDistinct,
  cumulate,
  desc,
  from,
  hop,
  type PlanBuilder,
  session,
  sum,
  tumble,
} from '../../../src/model/build.ts';
import type { ScheduleStep } from '../../../src/model/case.ts';
import { answer, click, input, rows, sale, textFrom } from './support.ts';

const restoredAt = (checkpoint: number, restart = checkpoint): readonly ScheduleStep[] => [
  { after: checkpoint, do: 'checkpoint' },
  { after: restart, do: 'restart' },
];

describe('a restart from a checkpoint', () => {
  it('keeps open sessions', async () => {
    const plan = from('click')
      .window(session(5_000, ['k']))
      .perWindow(['k'], { n: count() });
    const dataset = input(0, click('v', 1_000), click('v', 3_000), click('v', 6_000), click('w', 30_000));
    expect(await answer(plan, dataset, { steps: restoredAt(1) })).toEqual(
      rows([1_000, 11_000, 'v', 3], [30_000, 35_000, 'w', 1]),
    );
  });

  it('keeps what is late: a closed pane does not open again', async () => {
    const plan = from('click').window(cumulate(60_000, 300_000)).perWindow(['k'], { n: count() });
    // The first three panes have fired at the watermark 180 000; the row at 42 000 counts in the others alone.
    const dataset = input(
      0,
      click('q', 12_000),
      click('q', 78_000),
      click('q', 126_000),
      click('r', 180_000),
      click('q', 42_000),
      click('r', 330_000),
    );
    const of = async (steps: readonly ScheduleStep[]) =>
      (await answer(plan, dataset, { steps })).filter(([, , key]) => key === 'q');
    const expected = rows(
      [0, 60_000, 'q', 1],
      [0, 120_000, 'q', 2],
      [0, 180_000, 'q', 3],
      [0, 240_000, 'q', 4],
      [0, 300_000, 'q', 4],
    );
    expect(await of([])).toEqual(expected);
    expect(await of(restoredAt(3))).toEqual(expected);
  });

  it('without a checkpoint begins anew', async () => {
    const plan = from('click').aggregate(['k'], { n: count() });
    const dataset = input(0, click('a', 1), click('a', 2));
    expect(await textFrom(plan, dataset, { steps: [{ after: 0, do: 'restart' }] })).toBe(
      await textFrom(plan, dataset),
    );
  });

  it('is cancelled where it would have been', async () => {
    const plan = from('click').select('k', 'at');
    const dataset = input(0, click('a', 1), click('a', 2), click('a', 3));
    const run = { stop: 'cancel', cancelAfterRows: 2, steps: restoredAt(0) } as const;
    expect(await answer(plan, dataset, run)).toEqual(rows(['a', 1], ['a', 2]));
  });

  const plans: Readonly<Record<string, PlanBuilder>> = {
    rows: from('click').select('k', 'at'),
    tumble: from('click')
      .window(tumble(10))
      .perWindow(['k'], { n: count(), d: countDistinct('v') }),
    hop: from('click').window(hop(10, 3)).perWindow(['k'], { n: count() }),
    cumulate: from('click').window(cumulate(5, 10)).perWindow([], { n: count() }),
    session: from('click')
      .window(session(4, ['k']))
      .perWindow(['k'], { n: count() }),
    groups: from('click').aggregate(['k'], { n: count(), s: sum('v'), d: countDistinct('v') }),
    'groups of groups': from('click').aggregate(['k'], { n: count() }).aggregate(['n'], { keys: count() }),
    'top-N': from('click').select('k', 'v', 'seq').top(2, ['k'], desc('v', 'last'), asc('seq')),
    'top-N of groups': from('click')
      .aggregate(['k'], { s: sum('v') })
      .top(1, [], desc('s', 'last'), asc('k', 'last')),
    join: from('click').select('k', 'v').join(from('sale').select('item', 'price'), { k: 'item' }),
    'window results joined': from('click')
      .window(tumble(10))
      .perWindow(['k'], { n: count() })
      .join(from('sale').select('item', 'price'), { k: 'item' }),
  };
  const dataset = input(
    3,
    click('a', 1, 5, 0),
    sale('a', 2, 1, 1),
    click('b', 9, 5, 1),
    click('a', 8, -4, 1),
    click('a', 12, 5, 0),
    sale('b', 13, 2, 0),
    click('b', 11, -9, 1),
    click('a', 17, 5, 1),
    click('a', 3, 2, 0),
    click('b', 26, 1, 0),
    sale('a', 27, 3, 1),
    click('a', 40, 1, 1),
  );

  it.each(Object.entries(plans))('leaves no trace in the lines of %s', async (_, plan) => {
    for (const stop of ['drain', 'settle-cancel'] as const) {
      for (const parallelism of [1, 2, 3]) {
        const expected = await textFrom(plan, dataset, { stop, parallelism });
        for (let checkpoint = 0; checkpoint < 12; checkpoint++) {
          // Twice from the same one, some rows later and at the end.
          const steps: readonly ScheduleStep[] = [
            ...restoredAt(checkpoint, checkpoint + 2),
            { after: 11, do: 'restart' },
          ];
          expect(await textFrom(plan, dataset, { stop, parallelism, steps })).toBe(expected);
        }
      }
    }
  });
});
