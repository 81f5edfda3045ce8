import type { FaultName } from '../../../src/engines/specimen/faults.ts';
import {
  asc,
  avg,
  bigint,
  call,
  count,
  countDistinct,
  cumulate,
  desc,
  from,
  hop,
  max,
  min,
  type PlanBuilder,
  session,
  sum,
  text,
  tumble,
} from '../../../src/model/build.ts';
import type { ScheduleStep } from '../../../src/model/case.ts';
import type { Dataset } from '../../../src/model/dataset.ts';
import type { Expression, Literal } from '../../../src/model/expression.ts';
import type { Row } from '../../../src/model/value.ts';
import { click, input, inputOf, type Run, sale } from './support.ts';

/** A small case on which a fault shows, with the final rows of the healthy specimen and of the one that has it. */
export interface FaultCase {
  readonly plan: PlanBuilder;
  readonly dataset: Dataset;
  readonly run?: Run;
  readonly healthy: readonly Row[];
  readonly faulty: readonly Row[];
}

const countsOf = (window: Parameters<PlanBuilder['window']>[0]) =>
  from('click').window(window).perWindow(['k'], { n: count() });
const totalsOf = (window: Parameters<PlanBuilder['window']>[0]) =>
  from('click').window(window).perWindow([], { n: count() });
const tens = totalsOf(tumble(10));
const sessions = countsOf(session(10, ['k']));
const times = from('click').select('at');
const perKey = from('click').aggregate(['k'], { n: count() });
const pairs = from('click').select('k', 'v').join(from('sale').select('item', 'price'), { k: 'item' });
const best = (limit: number) =>
  from('click').select('k', 'v', 'seq').top(limit, ['k'], desc('v', 'last'), asc('seq'));
const topSums = (limit: number) =>
  from('click')
    .aggregate(['k'], { s: sum('v') })
    .top(limit, [], desc('s', 'last'), asc('k', 'last'));
const worth = (expression: Expression) => from('click').project({ x: expression });

const settled: Run = { stop: 'settle-cancel' };
/** A checkpoint and a restart once the row of this number was read. */
const restored = (after: number, restart = after): Run => ({
  steps: [{ after, do: 'checkpoint' }, { after: restart, do: 'restart' } satisfies ScheduleStep],
});

const one = input(0, click('a', 1));
const lateRed = input(
  0,
  click('red', 3_000),
  click('red', 12_000),
  click('red', 4_000),
  click('red', 23_000),
  click('red', 31_000),
);
const redPanes: readonly Row[] = [
  [0, 10_000, 1],
  [10_000, 20_000, 1],
  [20_000, 30_000, 1],
];
/** Partition 1 is behind partition 0 by more than a window. */
const apart = input(0, click('a', 30, null, 0), click('a', 2, null, 1));
const bothPanes: readonly Row[] = [
  [0, 10, 1],
  [30, 40, 1],
];
const latePane: readonly Row[] = [[30, 40, 1]];
const bridge = input(20, click('a', 0), click('a', 15), click('a', 8));
const yes: Literal = { lit: true, type: 'BOOLEAN' };
const no: Literal = { lit: false, type: 'BOOLEAN' };
const unknown: Literal = { lit: null, type: 'BOOLEAN' };

/** Every fault but those that show only in the text of a line. */
export const faultCases: Readonly<Partial<Record<FaultName, FaultCase>>> = {
  'negative-time-truncates': {
    plan: totalsOf(tumble(10_000)),
    dataset: input(0, click('lamp', -13_000), click('lamp', -4_000), click('lamp', 2_500)),
    healthy: [
      [-20_000, -10_000, 1],
      [-10_000, 0, 1],
      [0, 10_000, 1],
    ],
    faulty: [
      [-10_000, 0, 2],
      [0, 10_000, 1],
    ],
  },
  'first-pane-clamped': {
    plan: totalsOf(hop(2_000, 500)),
    dataset: input(0, click('kite', 300)),
    healthy: [
      [-1_500, 500, 1],
      [-1_000, 1_000, 1],
      [-500, 1_500, 1],
      [0, 2_000, 1],
    ],
    faulty: [[0, 2_000, 1]],
  },
  'hop-loses-uneven-pane': {
    plan: totalsOf(hop(5, 2)),
    dataset: input(0, click('a', 4)),
    healthy: [
      [0, 5, 1],
      [2, 7, 1],
      [4, 9, 1],
    ],
    faulty: [
      [2, 7, 1],
      [4, 9, 1],
    ],
  },
  'hop-gains-uneven-pane': {
    plan: totalsOf(hop(5, 2)),
    dataset: input(0, click('a', 5)),
    healthy: [
      [2, 7, 1],
      [4, 9, 1],
    ],
    faulty: [
      [0, 5, 1],
      [2, 7, 1],
      [4, 9, 1],
    ],
  },
  'window-offset-ignored': {
    plan: totalsOf(tumble(10, 3)),
    dataset: input(0, click('a', 2)),
    healthy: [[-7, 3, 1]],
    faulty: [[0, 10, 1]],
  },
  'tumble-end-inclusive': {
    plan: tens,
    dataset: input(0, click('a', 10)),
    healthy: [[10, 20, 1]],
    faulty: [[0, 10, 1]],
  },
  'cumulate-loses-last-step': {
    plan: totalsOf(cumulate(2, 6)),
    dataset: input(0, click('a', 3)),
    healthy: [
      [0, 4, 1],
      [0, 6, 1],
    ],
    faulty: [[0, 4, 1]],
  },
  'cumulate-loses-first-step': {
    plan: totalsOf(cumulate(2, 6)),
    dataset: input(0, click('a', 3)),
    healthy: [
      [0, 4, 1],
      [0, 6, 1],
    ],
    faulty: [[0, 6, 1]],
  },
  // A local day from 16 o'clock; hours for milliseconds. The buffer was flushed at 24.
  'unaligned-pane-misses-last-rows': {
    plan: countsOf(tumble(24, 16)),
    dataset: input(0, click('k1', 20), click('k1', 34), click('k9', 41)),
    healthy: [
      [16, 40, 'k1', 2],
      [40, 64, 'k9', 1],
    ],
    faulty: [
      [16, 40, 'k1', 1],
      [40, 64, 'k9', 1],
    ],
  },
  'fires-one-ms-late': {
    plan: tens,
    dataset: input(0, click('a', 5), click('a', 9)),
    run: settled,
    healthy: [[0, 10, 2]],
    faulty: [],
  },
  'fires-one-ms-early': {
    plan: tens,
    dataset: input(0, click('a', 5), click('a', 8)),
    run: settled,
    healthy: [],
    faulty: [[0, 10, 2]],
  },
  'pane-fires-twice': {
    plan: tens,
    dataset: input(0, click('a', 5), click('a', 9), click('a', 12)),
    run: settled,
    healthy: [[0, 10, 2]],
    faulty: [
      [0, 10, 2],
      [0, 10, 2],
    ],
  },
  'late-row-reopens-pane': {
    plan: totalsOf(tumble(10_000)),
    dataset: lateRed,
    run: settled,
    healthy: redPanes,
    faulty: [...redPanes, [0, 10_000, 1]],
  },
  'late-row-misses-open-panes': {
    plan: totalsOf(hop(4, 2)),
    dataset: input(0, click('a', 4), click('a', 3)),
    healthy: [
      [2, 6, 2],
      [4, 8, 1],
    ],
    faulty: [
      [2, 6, 1],
      [4, 8, 1],
    ],
  },
  'late-by-row-time': {
    plan: tens,
    dataset: input(0, click('a', 8), click('a', 3)),
    healthy: [[0, 10, 2]],
    faulty: [[0, 10, 1]],
  },
  'late-test-off-by-one': {
    plan: tens,
    dataset: input(0, click('a', 9), click('a', 4)),
    healthy: [[0, 10, 1]],
    faulty: [
      [0, 10, 1],
      [0, 10, 1],
    ],
  },
  'batch-takes-late-rows': {
    plan: totalsOf(tumble(10_000)),
    dataset: lateRed,
    run: settled,
    healthy: redPanes,
    faulty: [...redPanes, [0, 10_000, 1]],
  },
  'watermark-of-greatest-partition': { plan: tens, dataset: apart, healthy: bothPanes, faulty: latePane },
  'empty-partition-is-idle': { plan: tens, dataset: apart, healthy: bothPanes, faulty: latePane },
  'empty-partition-holds-the-end': {
    plan: tens,
    dataset: inputOf(0, 2, [click('a', 1)]),
    healthy: [[0, 10, 1]],
    faulty: [],
  },
  'watermark-of-fastest-channel': {
    plan: tens,
    dataset: apart,
    run: { parallelism: 2 },
    healthy: bothPanes,
    faulty: latePane,
  },
  'idle-subtask-holds': {
    plan: tens,
    dataset: input(0, click('a', 1), click('a', 30)),
    run: { ...settled, parallelism: 2 },
    healthy: [[0, 10, 1]],
    faulty: [],
  },
  'watermark-one-ms-behind': {
    plan: tens,
    dataset: input(0, click('a', 5), click('a', 9)),
    run: settled,
    healthy: [[0, 10, 2]],
    faulty: [],
  },
  'sessions-merge-across-keys': {
    plan: sessions,
    dataset: input(20, click('m', 1), click('n', 6), click('m', 14)),
    healthy: [
      [1, 11, 'm', 1],
      [6, 16, 'n', 1],
      [14, 24, 'm', 1],
    ],
    faulty: [
      [1, 24, 'm', 2],
      [1, 24, 'n', 1],
    ],
  },
  'merged-session-kept': {
    plan: sessions,
    dataset: bridge,
    healthy: [[0, 25, 'a', 3]],
    faulty: [
      [0, 25, 'a', 3],
      [15, 25, 'a', 1],
    ],
  },
  'bridge-merges-one-session': {
    plan: sessions,
    dataset: bridge,
    healthy: [[0, 25, 'a', 3]],
    faulty: [
      [0, 18, 'a', 2],
      [15, 25, 'a', 1],
    ],
  },
  'touching-sessions-separate': {
    plan: sessions,
    dataset: input(20, click('a', 0), click('a', 10)),
    healthy: [[0, 20, 'a', 2]],
    faulty: [
      [0, 10, 'a', 1],
      [10, 20, 'a', 1],
    ],
  },
  'session-start-fixed': {
    plan: sessions,
    dataset: input(20, click('a', 5), click('a', -5)),
    healthy: [[-5, 15, 'a', 2]],
    faulty: [[5, 15, 'a', 2]],
  },
  'late-row-opens-session': {
    plan: sessions,
    dataset: input(0, click('a', 0), click('b', 30), click('a', 5)),
    healthy: [
      [0, 10, 'a', 1],
      [30, 40, 'b', 1],
    ],
    faulty: [
      [0, 10, 'a', 1],
      [5, 15, 'a', 1],
      [30, 40, 'b', 1],
    ],
  },
  'late-row-misses-live-session': {
    plan: sessions,
    dataset: input(0, click('a', 0), click('a', 9), click('b', 12), click('a', 1)),
    healthy: [
      [0, 19, 'a', 3],
      [12, 22, 'b', 1],
    ],
    faulty: [
      [0, 19, 'a', 2],
      [12, 22, 'b', 1],
    ],
  },
  'drain-loses-sessions': {
    plan: sessions,
    dataset: input(0, click('a', 0)),
    healthy: [[0, 10, 'a', 1]],
    faulty: [],
  },
  'open-panes-lost-at-restore': {
    plan: tens,
    dataset: input(0, click('a', 1), click('a', 2), click('a', 3)),
    run: restored(1),
    healthy: [[0, 10, 3]],
    faulty: [[0, 10, 1]],
  },
  'open-sessions-lost-at-restore': {
    plan: countsOf(session(5_000, ['k'])),
    dataset: input(0, click('v', 1_000), click('v', 3_000), click('v', 6_000), click('w', 30_000)),
    run: restored(1),
    healthy: [
      [1_000, 11_000, 'v', 3],
      [30_000, 35_000, 'w', 1],
    ],
    faulty: [
      [6_000, 11_000, 'v', 1],
      [30_000, 35_000, 'w', 1],
    ],
  },
  'groups-lost-at-restore': {
    plan: perKey,
    dataset: input(0, click('a', 1), click('a', 2), click('a', 3)),
    run: restored(1),
    healthy: [['a', 3]],
    faulty: [
      ['a', 1],
      ['a', 2],
    ],
  },
  'distinct-lost-at-restore': {
    plan: from('click')
      .window(tumble(10))
      .perWindow([], { d: countDistinct('v') }),
    dataset: input(0, click('a', 1, 5), click('a', 2, 5)),
    run: restored(0),
    healthy: [[0, 10, 1]],
    faulty: [[0, 10, 2]],
  },
  'timers-lost-at-restore': {
    plan: tens,
    dataset: input(0, click('a', 1), click('a', 12)),
    run: restored(0),
    healthy: [
      [0, 10, 1],
      [10, 20, 1],
    ],
    faulty: [[10, 20, 1]],
  },
  'progress-lost-at-restore': {
    plan: totalsOf(cumulate(1, 5)),
    dataset: input(0, click('q', 0), click('q', 2), click('q', 1)),
    run: restored(1),
    healthy: [
      [0, 1, 1],
      [0, 2, 1],
      [0, 3, 2],
      [0, 4, 3],
      [0, 5, 3],
    ],
    faulty: [
      [0, 1, 1],
      [0, 2, 1],
      [0, 2, 1],
      [0, 3, 1],
      [0, 3, 2],
      [0, 4, 3],
      [0, 5, 3],
    ],
  },
  'join-side-lost-at-restore': {
    plan: pairs,
    dataset: input(0, sale('a', 1, 10), click('a', 2, 1)),
    run: restored(0),
    healthy: [['a', 1, 'a', 10]],
    faulty: [],
  },
  'top-n-cut-lost-at-restore': {
    plan: topSums(1),
    dataset: input(0, click('x', 1, 10), click('y', 2, 8), click('x', 3, -5)),
    run: restored(1),
    healthy: [['y', 8]],
    faulty: [['x', 5]],
  },
  'source-skips-row-at-restore': {
    plan: times,
    dataset: input(0, click('a', 1), click('a', 2), click('a', 3)),
    run: restored(0),
    healthy: [[1], [2], [3]],
    faulty: [[1], [3]],
  },
  'source-repeats-row-at-restore': {
    plan: times,
    dataset: input(0, click('a', 1), click('a', 2), click('a', 3)),
    run: restored(0),
    healthy: [[1], [2], [3]],
    faulty: [[1], [1], [2], [3]],
  },
  'output-repeated-at-restore': {
    plan: times,
    dataset: input(0, click('a', 1), click('a', 2), click('a', 3)),
    run: restored(0, 1),
    healthy: [[1], [2], [3]],
    faulty: [[1], [2], [2], [3]],
  },
  'join-probes-one-side': {
    plan: pairs,
    dataset: input(0, sale('a', 1, 10), click('a', 2, 1)),
    healthy: [['a', 1, 'a', 10]],
    faulty: [],
  },
  'null-join-keys-match': {
    plan: pairs,
    dataset: input(0, sale(null, 1, 10), click(null, 2, 1)),
    healthy: [],
    faulty: [[null, 1, null, 10]],
  },
  'join-loses-duplicates': {
    plan: pairs,
    dataset: input(0, sale('a', 1, 10), sale('a', 2, 10), click('a', 3, 1)),
    healthy: [
      ['a', 1, 'a', 10],
      ['a', 1, 'a', 10],
    ],
    faulty: [['a', 1, 'a', 10]],
  },
  'join-condition-one-sided': {
    plan: from('click')
      .select('k', 'v')
      .join(from('sale').select('item', 'price'), { k: 'item' }, call('gt', 'price', 'v')),
    dataset: input(0, click('a', 1, 5), sale('a', 2, 4)),
    healthy: [],
    faulty: [['a', 5, 'a', 4]],
  },
  'join-withdraws-one-pair': {
    plan: perKey.join(from('click').project({ k2: 'k', seq: 'seq' }), { k: 'k2' }).select('n', 'seq'),
    dataset: input(0, click('a', 1), click('a', 2), click('a', 3)),
    healthy: [
      [3, 0],
      [3, 1],
      [3, 2],
    ],
    faulty: [
      [2, 1],
      [3, 0],
      [3, 1],
      [3, 2],
    ],
  },
  'null-group-lost': {
    plan: perKey,
    dataset: input(0, click('a', 1), click(null, 2)),
    healthy: [
      ['a', 1],
      [null, 1],
    ],
    faulty: [['a', 1]],
  },
  'count-takes-nulls': {
    plan: from('click').aggregate(['k'], { n: count('v') }),
    dataset: input(0, click('a', 1, 4), click('a', 2)),
    healthy: [['a', 1]],
    faulty: [['a', 2]],
  },
  'avg-counts-nulls': {
    plan: from('click')
      .project({ d: call('to_double', 'v') })
      .aggregate([], { mean: avg('d') }),
    dataset: input(0, click('a', 1, 4), click('a', 2)),
    healthy: [[4]],
    faulty: [[2]],
  },
  'min-takes-nulls': {
    plan: from('click').aggregate([], { least: min('v') }),
    dataset: input(0, click('a', 1, 4), click('a', 2)),
    healthy: [[4]],
    faulty: [[null]],
  },
  'sum-of-nothing-is-zero': {
    plan: from('click').aggregate([], { total: sum('v') }),
    dataset: one,
    healthy: [[null]],
    faulty: [[0]],
  },
  'avg-truncates': {
    plan: from('click')
      .project({ d: call('to_double', 'v') })
      .aggregate([], { mean: avg('d') }),
    dataset: input(0, click('a', 1, 1), click('a', 2, 2)),
    healthy: [[1.5]],
    faulty: [[1]],
  },
  'distinct-aggregates-share-values': {
    plan: from('click').aggregate([], { v: countDistinct('v'), seq: countDistinct('seq') }),
    dataset: input(0, click('a', 1, 1), click('a', 2, 0), click('a', 3, 1)),
    healthy: [[2, 3]],
    faulty: [[1, 2]],
  },
  'filter-ignored-with-distinct': {
    plan: from('click').aggregate([], {
      d: { ...countDistinct('v'), where: call('eq', 'k', text('a')) },
    }),
    dataset: input(0, click('a', 1, 1), click('b', 2, 2)),
    healthy: [[1]],
    faulty: [[2]],
  },
  'sum-through-double': {
    plan: from('click').aggregate([], { total: sum('v') }),
    dataset: input(0, click('a', 1, 2n ** 53n), click('a', 2, 1)),
    healthy: [[2n ** 53n + 1n]],
    faulty: [[2n ** 53n]],
  },
  // k0 is forgotten when the seventeenth key comes.
  'hot-keys-evicted': {
    plan: perKey.filter(call('eq', 'k', text('k0'))),
    dataset: input(0, ...Array.from({ length: 18 }, (_, index) => click(`k${index % 17}`, index))),
    healthy: [['k0', 2]],
    faulty: [
      ['k0', 1],
      ['k0', 1],
    ],
  },
  'keys-collide': {
    plan: from('click').aggregate(['v'], { n: count() }),
    dataset: input(0, click('a', 1, 1), click('a', 2, 2 ** 32 + 1)),
    healthy: [
      [1, 1],
      [2 ** 32 + 1, 1],
    ],
    faulty: [[1, 2]],
  },
  'keys-composed': {
    plan: perKey,
    dataset: input(0, click('\u00e9', 1), click('e\u0301', 2)),
    healthy: [
      ['\u00e9', 1],
      ['e\u0301', 1],
    ],
    faulty: [['\u00e9', 2]],
  },
  'updates-count-twice': {
    plan: perKey.aggregate([], { total: sum('n') }),
    dataset: input(0, click('ro', 1), click('ro', 2), click('ro', 3)),
    healthy: [[3]],
    faulty: [[6]],
  },
  'update-before-not-sent': {
    plan: perKey,
    dataset: input(0, click('a', 1), click('a', 2)),
    healthy: [['a', 2]],
    faulty: [
      ['a', 1],
      ['a', 2],
    ],
  },
  'having-keeps-ghost': {
    plan: from('click')
      .aggregate(['k'], { s: sum('v') })
      .filter(call('gt', 's', bigint(5))),
    dataset: input(0, click('a', 1, 9), click('a', 2, -8)),
    healthy: [],
    faulty: [['a', 9]],
  },
  // 70 is first among the toys (1), then among the books (2).
  'key-change-leaves-old-row': {
    plan: from('click').aggregate(['k'], { category: max('v') }),
    dataset: input(0, click('70', 1, 1), click('70', 2, 2)),
    run: { keys: ['category'] },
    healthy: [['70', 2]],
    faulty: [
      ['70', 1],
      ['70', 2],
    ],
  },
  // x 10, y 8, z 9, then y 3 below the cut and z 1.
  'ghost-in-top-n': {
    plan: topSums(2),
    dataset: input(
      0,
      click('x', 1, 10),
      click('y', 2, 8),
      click('z', 3, 9),
      click('y', 4, -5),
      click('z', 5, -8),
    ),
    healthy: [
      ['x', 10],
      ['y', 3],
    ],
    faulty: [
      ['x', 10],
      ['y', 8],
    ],
  },
  'top-n-forgets-cut-rows': {
    plan: topSums(2),
    dataset: input(0, click('x', 1, 10), click('y', 2, 8), click('z', 3, 9), click('z', 4, -8)),
    healthy: [
      ['x', 10],
      ['y', 8],
    ],
    faulty: [
      ['x', 10],
      ['z', 1],
    ],
  },
  'top-n-one-too-many': {
    plan: best(1),
    dataset: input(0, click('a', 1, 3), click('a', 2, 7)),
    healthy: [['a', 7, 1]],
    faulty: [
      ['a', 3, 0],
      ['a', 7, 1],
    ],
  },
  'top-n-keeps-pushed-out-row': {
    plan: best(1),
    dataset: input(0, click('a', 1, 3), click('a', 2, 7)),
    healthy: [['a', 7, 1]],
    faulty: [
      ['a', 3, 0],
      ['a', 7, 1],
    ],
  },
  'null-order-by-direction': {
    plan: best(1),
    dataset: input(0, click('a', 1), click('a', 2, 3)),
    healthy: [['a', 3, 1]],
    faulty: [['a', null, 0]],
  },
  'tie-breaker-ignored': {
    plan: from('click').select('k', 'at', 'seq').top(1, ['k'], desc('at'), desc('seq')),
    dataset: input(0, click('a', 5), click('a', 5)),
    healthy: [['a', 5, 1]],
    faulty: [['a', 5, 0]],
  },
  'bigint-read-as-double': {
    plan: from('click').select('v'),
    dataset: input(0, click('a', 1, 2n ** 53n + 1n)),
    healthy: [[2n ** 53n + 1n]],
    faulty: [[2n ** 53n]],
  },
  'empty-string-is-null': {
    plan: from('click').select('k'),
    dataset: input(0, click('', 1)),
    healthy: [['']],
    faulty: [[null]],
  },
  'position-in-bytes': {
    plan: worth(call('position', text('r'), text('Zo\u00eb-r'))),
    dataset: one,
    healthy: [[5]],
    faulty: [[6]],
  },
  'length-in-utf16': {
    plan: worth(call('char_length', text('🚀'))),
    dataset: one,
    healthy: [[1]],
    faulty: [[2]],
  },
  'strings-by-utf16-order': {
    plan: worth(call('lt', text('\ue010'), text('🚀'))),
    dataset: one,
    healthy: [[true]],
    faulty: [[false]],
  },
  'division-floors': {
    plan: worth(call('divide', bigint(-7), bigint(2))),
    dataset: one,
    healthy: [[-3]],
    faulty: [[-4]],
  },
  'modulo-never-negative': {
    plan: worth(call('modulo', bigint(-7), bigint(2))),
    dataset: one,
    healthy: [[-1]],
    faulty: [[1]],
  },
  'not-null-is-true': {
    plan: worth(call('not', unknown)),
    dataset: one,
    healthy: [[null]],
    faulty: [[true]],
  },
  'or-with-null-is-null': {
    plan: worth(call('or', unknown, yes)),
    dataset: one,
    healthy: [[true]],
    faulty: [[null]],
  },
  'else-lost': {
    plan: worth(call('case', no, text('x'), 'k')),
    dataset: one,
    healthy: [['a']],
    faulty: [[null]],
  },
  'hour-truncates': {
    plan: worth(call('hour', 'at')),
    dataset: input(0, click('a', -3_600_001)),
    healthy: [[22]],
    faulty: [[-1]],
  },
  'replace-once': {
    plan: worth(call('replace', text('aXaX'), text('X'), text(''))),
    dataset: one,
    healthy: [['aa']],
    faulty: [['aaX']],
  },
  'split-skips-empty-parts': {
    plan: worth(call('split_index', text('a//b'), text('/'), bigint(1))),
    dataset: one,
    healthy: [['']],
    faulty: [['b']],
  },
  'case-of-ascii-only': {
    plan: worth(call('lower', text('\u00c9A'))),
    dataset: one,
    healthy: [['\u00e9a']],
    faulty: [['\u00c9a']],
  },
  'batch-loses-last-row': {
    plan: from('click').aggregate([], { n: count() }),
    dataset: input(0, ...Array.from({ length: 33 }, (_, index) => click('a', index))),
    healthy: [[33]],
    faulty: [[32]],
  },
  'cancel-flushes-panes': {
    plan: countsOf(tumble(10)),
    dataset: input(0, click('t', 1), click('t', 12), click('t', 13)),
    run: { stop: 'cancel', cancelAfterRows: 3 },
    healthy: [[0, 10, 't', 1]],
    faulty: [
      [0, 10, 't', 1],
      [10, 20, 't', 2],
    ],
  },
  // Key u is on the first subtask, t on the last.
  'cancel-flushes-one-subtask': {
    plan: countsOf(tumble(10)),
    dataset: input(0, click('t', 1), click('t', 12), click('u', 13)),
    run: { stop: 'cancel', cancelAfterRows: 3, parallelism: 2 },
    healthy: [[0, 10, 't', 1]],
    faulty: [
      [0, 10, 't', 1],
      [10, 20, 't', 1],
    ],
  },
  'group-not-exchanged': {
    plan: from('click').aggregate([], { n: count() }),
    dataset: input(0, click('a', 1, null, 0), click('a', 2, null, 1)),
    run: { parallelism: 2 },
    healthy: [[2]],
    faulty: [[1], [1]],
  },
};

/** A case whose fault shows in how a line is written. */
export interface TextCase {
  readonly plan: PlanBuilder;
  readonly dataset: Dataset;
  readonly healthy: string;
  readonly faulty: string;
}

export const textCases: Readonly<Partial<Record<FaultName, TextCase>>> = {
  'internal-column-written': {
    plan: countsOf(tumble(10)).select('k', 'n'),
    dataset: one,
    healthy: '{"k":"a","n":1}\n',
    faulty: '{"k":"a","n":1,"window_end":10}\n',
  },
  'computed-column-misnamed': {
    plan: from('click').project({ k: 'k', later: call('to_bigint', 'at') }),
    dataset: one,
    healthy: '{"k":"a","later":1}\n',
    faulty: '{"k":"a","EXPR$1":1}\n',
  },
  'quotes-not-escaped': {
    plan: from('click').select('k'),
    dataset: input(0, click('say "hi" \\', 1)),
    healthy: '{"k":"say \\"hi\\" \\\\"}\n',
    faulty: '{"k":"say "hi" \\"}\n',
  },
};
