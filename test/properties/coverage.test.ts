import { describe, expect, test } from 'vitest';
import { fuzzStreams } from '../../generators/arbitraries/index.ts';
import { labelsOf } from '../../properties/coverage.ts';
import {
  bigint,
  call,
  count,
  desc,
  from,
  hop,
  type PlanBuilder,
  session,
  sum,
  tumble,
} from '../../src/model/build.ts';
import type { Schedule } from '../../src/model/case.ts';
import { checkQuery, type QueryDefinition } from '../../src/model/query.ts';
import type { Value } from '../../src/model/value.ts';

/** A signal: its time, and what else matters. Its arrival number is its place in the list. */
interface Signal {
  readonly at: number;
  readonly partition?: number;
  readonly device?: Value;
  readonly zone?: Value;
  readonly amount?: Value;
}

const signal = fuzzStreams.find(({ name }) => name === 'signal')!;
const counted = from('signal').window(tumble(10_000)).perWindow(['device'], { rows: count() });
const drained: Schedule = { parallelism: 1, stop: 'drain' };

/** Labels of a query over signals, with a lag of 4 s. */
function labels(
  plan: PlanBuilder,
  signals: readonly Signal[],
  schedule: Schedule = drained,
): readonly string[] {
  const definition: QueryDefinition = {
    version: 1,
    name: 'test',
    title: 'Test',
    plan: plan.plan,
    declaration: { class: 'materialised', reason: 'test', keys: ['device'], fire: 'unknown' },
    premises: [],
  };
  // The declaration does not matter here, so it is not checked.
  const query = { ...checkQuery({ ...definition, ...fitting(plan) }, fuzzStreams), definition };
  const partitions = 1 + Math.max(0, ...signals.map(({ partition = 0 }) => partition));
  const events = signals.map(({ at, partition = 0, device = 1, zone = 'a', amount = 5 }, arrival) => ({
    partition,
    event: { arrival, row: [device, zone, amount, 'note', at] },
  }));
  const data = Array.from({ length: partitions }, (_, own) =>
    events.filter(({ partition }) => partition === own).map(({ event }) => event),
  );
  return labelsOf({
    query,
    dataset: { lagMs: 4_000, provenance: 'captured', streams: [{ schema: signal, partitions: data }] },
    schedule,
  });
}

/** A sound declaration for any of the plans below. */
function fitting({ plan }: PlanBuilder): Pick<QueryDefinition, 'declaration'> {
  const updating = plan.op === 'aggregate' && !plan.keys.includes('window_end');
  return {
    declaration: {
      class: updating ? 'materialised' : 'append',
      reason: 'test',
      keys: ['device'],
      fire: 'unknown',
    },
  };
}

const times = (...at: number[]): Signal[] => at.map((each) => ({ at: each }));

describe('a label of disorder', () => {
  test.each([
    [
      [20_000, 16_001],
      ['out-of-order', 'disorder-beside-lag'],
      ['late', 'disorder-exactly-lag'],
    ],
    [[20_000, 16_002], ['greatest-lawful-disorder'], ['late', 'disorder-beside-lag']],
    [[20_000, 16_000], ['disorder-exactly-lag'], ['late', 'disorder-beside-lag']],
    [
      [20_000, 15_999],
      ['late', 'disorder-beside-lag'],
      ['disorder-exactly-lag', 'late-beyond-window'],
    ],
    [[20_000, 6_000], ['late', 'late-beyond-window'], []],
    [[16_000, 20_000], [], ['out-of-order', 'late', 'disorder-exactly-lag']],
  ])('of %j is %j and not %j', (at, reached, not) => {
    const found = labels(counted, times(...at));
    expect(found).toEqual(expect.arrayContaining(reached));
    for (const label of not) expect(found).not.toContain(label);
  });
});

describe('a label of windows', () => {
  test.each([
    ['on-a-window-edge', [20_000], [20_001, 19_999, 12_000]],
    ['beside-a-window-edge', [20_001], [20_000]],
    ['beside-a-window-edge', [19_999], [19_998]],
    ['pane-before-the-epoch', [-10_001], [-9_999]],
    ['pane-about-the-epoch', [-1], [1]],
    ['before-the-epoch', [-1], [0]],
  ])('%s is of %j and not of %j', (label, reached, not) => {
    expect(labels(counted, times(...reached))).toContain(label);
    expect(labels(counted, times(...not))).not.toContain(label);
  });

  test('is of the ends of panes where the slide does not divide the size', () => {
    const uneven = from('signal').window(hop(7_000, 2_000)).perWindow(['device'], { rows: count() });
    expect(labels(uneven, times(7_000))).toEqual(
      expect.arrayContaining(['slide-not-dividing', 'on-a-window-edge']),
    );
    expect(labels(counted, times(7_000))).not.toContain('slide-not-dividing');
  });
});

describe('a label of sessions', () => {
  const sessions = from('signal')
    .window(session(5_000, ['device']))
    .perWindow(['device'], { rows: count() });

  test.each([
    ['exactly-a-gap-apart', times(10_000, 15_000), times(10_000, 15_001)],
    ['beside-a-gap-apart', times(10_000, 15_001), times(10_000, 15_000)],
    ['beside-a-gap-apart', times(10_000, 14_999), times(10_000, 14_998)],
    ['bridged-sessions', times(10_000, 16_000, 13_000), times(10_000, 13_000, 16_000)],
    ['bridged-sessions', times(10_000, 20_000, 15_000), times(10_000, 20_001, 15_000)],
  ])('%s is of %j and not of %j', (label, reached, not) => {
    expect(labels(sessions, reached)).toContain(label);
    expect(labels(sessions, not)).not.toContain(label);
  });

  test('is of one key only', () => {
    const two = [{ at: 10_000 }, { at: 15_000, device: 2 }];
    expect(labels(sessions, two)).not.toContain('exactly-a-gap-apart');
  });
});

describe('a label of restarts', () => {
  const at = (...after: number[]): Schedule => ({
    ...drained,
    steps: [
      { after: 0, do: 'checkpoint' },
      ...after.map((each) => ({ after: each, do: 'restart' as const })),
    ],
  });

  test('tells panes that go on from panes that are over', () => {
    expect(labels(counted, times(1_000, 2_000, 12_000), at(0))).toContain('restart-open-pane');
    expect(labels(counted, times(1_000, 2_000, 12_000), at(1))).not.toContain('restart-open-pane');
    expect(labels(counted, times(1_000, 2_000, 12_000))).not.toContain('restart');
  });

  test('tells one from two, and with a checkpoint from without', () => {
    const rows = times(1_000, 2_000, 12_000);
    expect(labels(counted, rows, at(0))).not.toContain('restart-twice');
    expect(labels(counted, rows, at(0, 1))).toContain('restart-twice');
    const bare: Schedule = { ...drained, steps: [{ after: 0, do: 'restart' }] };
    expect(labels(counted, rows, bare)).toContain('restart-without-checkpoint');
    expect(labels(counted, rows, at(0))).not.toContain('restart-without-checkpoint');
  });
});

describe('a label of partitions', () => {
  const in1 = (...arrivals: number[]) =>
    Array.from({ length: 8 }, (_, index) => ({
      at: 1_000 * index,
      partition: arrivals.includes(index) ? 1 : 0,
    }));

  test.each([
    ['late-start', in1(5), in1(1, 5)],
    ['skewed-partitions', in1(0, 1), in1(0, 1, 2)],
    ['empty-partition', [{ at: 0, partition: 1 }], in1(0)],
    ['several-partitions', in1(0), times(0, 1)],
  ])('%s', (label, reached, not) => {
    expect(labels(counted, reached)).toContain(label);
    expect(labels(counted, not)).not.toContain(label);
  });

  test('compares them with subtasks', () => {
    const runs = (parallelism: number) => labels(counted, in1(3), { ...drained, parallelism });
    expect(runs(2)).toContain('equal-parallelism');
    expect(runs(3)).toContain('more-subtasks-than-partitions');
    expect(runs(1)).not.toContain('parallel');
  });
});

describe('a label of values', () => {
  const of = (column: 'device' | 'zone' | 'amount', ...values: Value[]) =>
    labels(
      from('signal')
        .filter(call('eq', call('modulo', 'amount', bigint(3)), bigint(0)))
        .aggregate(['device'], {
          rows: count(),
          total: sum('amount'),
        }),
      values.map((value, index) => ({ at: index, [column]: value })),
    );

  test.each([
    ['apart-by-2^32', of('amount', 5, 2 ** 32 + 5), of('amount', 5, 2 ** 32 + 6)],
    ['beyond-2^31', of('amount', 2 ** 31), of('amount', 2 ** 31 - 1)],
    ['int-extreme', of('amount', 2 ** 31 - 1), of('amount', 2 ** 31)],
    ['beyond-2^53', of('amount', 2n ** 53n), of('amount', 2 ** 53 - 1)],
    ['bigint-extreme', of('amount', -(2n ** 63n)), of('amount', -(2n ** 62n))],
    ['negative-modulo', of('amount', -1), of('device', -1)],
    ['negative-sum', of('amount', -1), of('device', -1)],
    ['extreme-key', of('device', 2 ** 32), of('amount', 2 ** 32)],
    ['null-key', of('device', null), of('amount', null)],
    ['all-null-column', of('zone', null, null, null), of('zone', null, 'a', null)],
    ['empty-string', of('zone', ''), of('zone', ' ', null)],
    ['surrogate-pair', of('zone', '🚀'), of('zone', '\ue010')],
    ['combining-mark', of('zone', 'e\u0301'), of('zone', '\u00e9')],
    ['single-key', of('device', 1, 1, 1), of('device', 1, 2, 1)],
    ['hot-key', of('device', 1, 1, 1, 1, 1, 2, 3, 4), of('device', 1, 1, 1, 1, 2, 2, 3, 4)],
    ['many-keys', of('device', ...Array(65).keys()), of('device', ...Array(64).keys())],
    ['more-than-256-keys', of('device', ...Array(257).keys()), of('device', ...Array(256).keys())],
    ['around-256', of('amount', ...Array(257).keys()), of('amount', ...Array(258).keys())],
  ])('%s', (label, reached, not) => {
    expect(reached).toContain(label);
    expect(not).not.toContain(label);
  });

  test('duplicate and tie are of rows of one time', () => {
    expect(labels(counted, times(5, 5))).toEqual(expect.arrayContaining(['tie', 'duplicate']));
    const differ = labels(counted, [{ at: 5 }, { at: 5, amount: 6 }]);
    expect(differ).toContain('tie');
    expect(differ).not.toContain('duplicate');
    expect(labels(counted, times(5, 6))).not.toContain('tie');
  });
});

test('a label of nested queries is of what lies over what', () => {
  const panes = counted.project({ device: 'device', rows: 'rows', ended: 'window_end' });
  expect(labels(panes.window(tumble(20_000)).perWindow(['device'], { total: sum('rows') }), [])).toContain(
    'window-over-window',
  );
  expect(labels(panes.aggregate(['device'], { total: sum('rows') }), [])).toEqual(
    expect.arrayContaining(['unbounded', 'aggregate-over-window']),
  );
  expect(labels(counted, [])).not.toContain('aggregate-over-window');
  const last = from('reading')
    .select('device', 'datetime', 'seq')
    .top(1, ['device'], desc('datetime'), desc('seq'));
  expect(labels(last.aggregate(['device'], { rows: count() }), [])).toEqual(
    expect.arrayContaining(['aggregate-over-rank', 'keep-last']),
  );
});
