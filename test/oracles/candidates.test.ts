import { describe, expect, test } from 'vitest';
import {
  bigint,
  call,
  count,
  cumulate,
  from,
  hop,
  max,
  session,
  sum,
  tumble,
} from '../../src/model/build.ts';
import { type Click, clicks, partitionedClicks } from '../support/clicks.ts';
import { verdictOn } from './verdict-on.ts';

const n = { n: count() };
const tens = from('click').window(tumble(10)).perWindow(['k'], n);
const agree = { kind: 'agree' };
const diverge = { kind: 'diverge' };
const undecided = { kind: 'inconclusive', reason: 'undecided' };

describe('tumbling windows: of each partition a prefix of the late rows may be counted (semantics §4)', () => {
  // Partition 0 has fired [0, 10) once it has seen 25; its rows of 1 and 2 may still be counted there, since nobody knows
  // how far partition 1 was read by then. Partition 1 has passed nothing: its 5 must be counted.
  const late: [number, Click][] = [
    [0, ['a', 25]],
    [0, ['a', 1, 100]],
    [0, ['a', 2, 200]],
    [1, ['a', 5, 7]],
  ];
  const dataset = partitionedClicks(0, ...late);
  const sums = from('click')
    .window(tumble(10))
    .perWindow(['k'], { total: sum('v') });
  const last = [20, 30, 'a', null];

  test.each([
    ['none of them', 7],
    ['the first', 107],
    ['both', 307],
  ])('%s', async (_, total) => {
    expect(await verdictOn(sums, dataset, [[0, 10, 'a', total], last])).toMatchObject(agree);
  });

  test('but not the second without the first', async () => {
    const rows = [[0, 10, 'a', 207], last];
    expect(await verdictOn(sums, dataset, rows)).toMatchObject({ ...diverge, counts: { altered: 1 } });
  });

  test('a row that must be counted is not lost for it', async () => {
    expect(await verdictOn(sums, dataset, [[0, 10, 'a', 300], last])).toMatchObject(diverge);
    expect(await verdictOn(sums, dataset, [last])).toMatchObject({ ...diverge, counts: { lost: 1 } });
  });

  test('panes in which nothing is late are certain', async () => {
    expect(await verdictOn(sums, dataset, [[0, 10, 'a', 7]])).toMatchObject({
      ...diverge,
      counts: { lost: 1 },
    });
    const extra = [40, 50, 'a', 1];
    const rows = [[0, 10, 'a', 7], last, extra];
    expect(await verdictOn(sums, dataset, rows)).toMatchObject({ ...diverge, counts: { extra: 1 } });
  });

  test('a pane is there once', async () => {
    const rows = [[0, 10, 'a', 7], [0, 10, 'a', 107], last];
    expect(await verdictOn(sums, dataset, rows)).toMatchObject(diverge);
  });

  test('a pane of late rows alone may be missing', async () => {
    const alone = partitionedClicks(0, [0, ['a', 25]], [0, ['a', 1]], [1, ['b', 5]]);
    const certain = [
      [0, 10, 'b', 1],
      [20, 30, 'a', 1],
    ];
    expect(await verdictOn(tens, alone, certain)).toMatchObject(agree);
    expect(await verdictOn(tens, alone, [...certain, [0, 10, 'a', 1]])).toMatchObject(agree);
    expect(await verdictOn(tens, alone, [...certain, [0, 10, 'a', 2]])).toMatchObject(diverge);
  });

  test('each partition has a prefix of its own', async () => {
    const two = partitionedClicks(
      0,
      [0, ['a', 25]],
      [1, ['a', 35]],
      [0, ['a', 1, 1]],
      [1, ['a', 2, 10]],
      [0, ['a', 3, 100]],
      [1, ['a', 4, 1_000]],
    );
    const output = (total: number) => [[0, 10, 'a', total], last, [30, 40, 'a', null]];
    for (const total of [1, 10, 11, 101, 111, 1_010, 1_011, 1_111]) {
      expect(await verdictOn(sums, two, output(total)), `${total}`).toMatchObject(agree);
    }
    for (const total of [100, 110, 1_000, 1_001, 1_100, 1_101, 1_110]) {
      expect(await verdictOn(sums, two, output(total)), `${total}`).toMatchObject(diverge);
    }
  });

  test('keys choose apart', async () => {
    const keys = partitionedClicks(0, [0, ['a', 25]], [0, ['a', 1]], [0, ['b', 1]], [1, ['c', 5]]);
    const certain = [
      [0, 10, 'c', 1],
      [20, 30, 'a', 1],
    ];
    expect(await verdictOn(tens, keys, [...certain, [0, 10, 'b', 1]])).toMatchObject(agree);
    expect(await verdictOn(tens, keys, [...certain, [0, 10, 'b', 2]])).toMatchObject(diverge);
  });
});

describe('one partition', () => {
  const dataset = clicks(0, ['a', 25], ['a', 1]);
  const certain = [20, 30, 'a', 1];

  test('whose watermark comes after every row decides: a late row must not be counted', async () => {
    expect(await verdictOn(tens, dataset, [certain])).toMatchObject(agree);
    expect(await verdictOn(tens, dataset, [certain, [0, 10, 'a', 1]])).toMatchObject({
      ...diverge,
      counts: { extra: 1 },
    });
  });

  test('whose watermark comes now and then does not: it may', async () => {
    const traits = { watermarkEmission: 'periodic' } as const;
    expect(await verdictOn(tens, dataset, [certain], traits)).toMatchObject(agree);
    expect(await verdictOn(tens, dataset, [certain, [0, 10, 'a', 1]], traits)).toMatchObject(agree);
    expect(await verdictOn(tens, dataset, [certain, [0, 10, 'a', 2]], traits)).toMatchObject(diverge);
  });
});

describe('a row that an earlier pane accepted every later pane of it accepts (semantics §4)', () => {
  // Partition 0 has seen 25, so that every window that ends by 25 has fired there; the row at 3 is in several.
  const rows: [number, Click][] = [
    [0, ['a', 25]],
    [0, ['a', 3]],
    [1, ['b', 1]],
  ];
  const dataset = partitionedClicks(0, ...rows);

  test('hopping', async () => {
    const query = from('click').window(hop(10, 5)).perWindow(['k'], n);
    // 3 lies in [-5, 5) and [0, 10).
    const certain = [
      [-5, 5, 'b', 1],
      [0, 10, 'b', 1],
      [20, 30, 'a', 1],
      [25, 35, 'a', 1],
    ];
    const early = [-5, 5, 'a', 1];
    const later = [0, 10, 'a', 1];
    expect(await verdictOn(query, dataset, certain)).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [...certain, later])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [...certain, early, later])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [...certain, early])).toMatchObject({
      ...diverge,
      counts: { lost: 1 },
    });
  });

  test('cumulating', async () => {
    const query = from('click').window(cumulate(5, 15)).perWindow(['k'], n);
    // 3 lies in [0, 5), [0, 10) and [0, 15).
    const certain = [
      [0, 5, 'b', 1],
      [0, 10, 'b', 1],
      [0, 15, 'b', 1],
      [15, 30, 'a', 1],
    ];
    const panes = [5, 10, 15].map((end) => [0, end, 'a', 1]);
    for (const shown of [[], [2], [1, 2], [0, 1, 2]]) {
      const output = [...certain, ...shown.map((place) => panes[place]!)];
      expect(await verdictOn(query, dataset, output), `${shown}`).toMatchObject(agree);
    }
    for (const shown of [[0], [1], [0, 1], [0, 2]]) {
      const output = [...certain, ...shown.map((place) => panes[place]!)];
      expect(await verdictOn(query, dataset, output), `${shown}`).toMatchObject(diverge);
    }
  });

  test('also where its own partition has not fired the later pane: there it must', async () => {
    const query = from('click').window(cumulate(5, 15)).perWindow(['k'], n);
    // Partition 0 has seen 12: it has fired [0, 5) and [0, 10), not [0, 15).
    const some = partitionedClicks(0, [0, ['a', 12]], [0, ['a', 3]], [1, ['b', 1]]);
    const certain = [
      [0, 5, 'b', 1],
      [0, 10, 'b', 1],
      [0, 15, 'b', 1],
    ];
    expect(await verdictOn(query, some, [...certain, [0, 15, 'a', 2]])).toMatchObject(agree);
    expect(await verdictOn(query, some, [...certain, [0, 15, 'a', 1]])).toMatchObject(diverge);
  });
});

describe('sessions (semantics §3, §4)', () => {
  const query = from('click')
    .window(session(10, ['k']))
    .perWindow(['k'], n);

  test('a late row is in a session within its reach, stands alone, or is dropped', async () => {
    // Partition 0 has seen 40. The session [0, 10) of a, from partition 1, may have fired when 4 comes, and so may the
    // session [4, 14) that 4 would be.
    const dataset = partitionedClicks(0, [1, ['a', 0]], [0, ['b', 40]], [0, ['a', 4]]);
    const certain = [40, 50, 'b', 1];
    expect(await verdictOn(query, dataset, [certain, [0, 14, 'a', 2]])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [certain, [0, 10, 'a', 1]])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [certain, [0, 10, 'a', 1], [4, 14, 'a', 1]])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [certain, [4, 14, 'a', 1]])).toMatchObject(diverge);
    expect(await verdictOn(query, dataset, [certain, [0, 14, 'a', 1]])).toMatchObject(diverge);
    expect(await verdictOn(query, dataset, [[0, 14, 'a', 2]])).toMatchObject(diverge);
  });

  test('a row whose own partition has not passed it merges with all within reach', async () => {
    // 31 is late to partition 0, which has seen 40, but no session of it can have fired: 31 + 10 is beyond 40.
    const dataset = partitionedClicks(0, [0, ['b', 40]], [0, ['a', 31]], [1, ['a', 25]]);
    const certain = [40, 50, 'b', 1];
    expect(await verdictOn(query, dataset, [certain, [25, 41, 'a', 2]])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [certain, [25, 35, 'a', 1]])).toMatchObject(diverge);
  });

  test('a late row may stand beside a session that fired, though rows of that session come after it', async () => {
    // Partition 1 is read first: its session [0, 5) fires at the watermark 7 − 2 = 5. Then 0 is dropped, 1 is [1, 6).
    const five = from('click')
      .window(session(5, ['k']))
      .perWindow(['k'], n);
    const rows: [number, Click][] = [
      [0, ['a', 7]],
      [0, ['a', 0]],
      [0, ['a', 1]],
      [1, ['a', 0]],
      [1, ['a', 7]],
    ];
    const dataset = partitionedClicks(2, ...rows);
    const certain = [7, 12, 'a', 2];
    expect(await verdictOn(five, dataset, [certain, [0, 5, 'a', 1], [1, 6, 'a', 1]])).toMatchObject(agree);
    expect(await verdictOn(five, dataset, [certain, [0, 5, 'a', 2], [1, 6, 'a', 1]])).toMatchObject(agree);
    expect(await verdictOn(five, dataset, [certain, [1, 6, 'a', 1]])).toMatchObject(diverge);
  });

  test('late rows of several partitions may come in any order: what no candidate shows is undecided', async () => {
    const dataset = partitionedClicks(0, [0, ['b', 40]], [1, ['b', 41]], [0, ['a', 4]], [1, ['a', 6]]);
    const certain = [40, 51, 'b', 2];
    expect(await verdictOn(query, dataset, [certain, [4, 16, 'a', 2]])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [certain, [4, 16, 'a', 3]])).toMatchObject(undecided);
    expect(
      await verdictOn(query, dataset, [
        [40, 51, 'b', 1],
        [4, 16, 'a', 3],
      ]),
    ).toMatchObject(diverge);
  });
});

describe('more than 2^16 candidates are not looked through (semantics §4)', () => {
  // Partitions from 1 on have each seen 25 before two rows of [0, 10): 3^p ways.
  const dataset = (partitions: number) => {
    const rows: [number, Click][] = [[0, ['a', 25, 0]]];
    for (let partition = 1; partition <= partitions; partition++) {
      rows.push([partition, ['a', 25, 0]], [partition, ['a', 1, 1]], [partition, ['a', 2, 1]]);
    }
    return partitionedClicks(0, ...rows);
  };
  const sums = from('click')
    .window(tumble(10))
    .perWindow(['k'], { total: sum('v') });
  const output = (total: number) => [
    [0, 10, 'a', total],
    [20, 30, 'a', 0],
  ];

  test('3^10 are, and decide', async () => {
    expect(await verdictOn(sums, dataset(10), output(20))).toMatchObject(agree);
    expect(await verdictOn(sums, dataset(10), output(21))).toMatchObject(diverge);
  });

  test('3^11 are not: undecided, but for what is certain', async () => {
    expect(await verdictOn(sums, dataset(11), output(23))).toMatchObject(undecided);
    expect(await verdictOn(sums, dataset(11), [[0, 10, 'a', 7]])).toMatchObject(diverge);
  });
});

describe('what is around the aggregate', () => {
  const dataset = partitionedClicks(
    0,
    [0, ['a', 25, 1]],
    [0, ['a', 1, 5]],
    [0, ['a', 2, 9]],
    [1, ['b', 5, 2]],
  );

  test('filters and projections that keep its keys', async () => {
    const query = from('click')
      .filter(call('gt', 'v', bigint(1)))
      .project({ key: 'k', double: call('add', 'v', 'v'), at: 'at' })
      .window(tumble(10))
      .perWindow(['key'], { most: max('double') })
      .filter(call('gt', 'most', bigint(10)))
      .project({ k: 'key', window_end: 'window_end', most: 'most', window_start: 'window_start' });
    // b's 4 never passes the last filter; of a's 10 and 18 only the latter does.
    expect(await verdictOn(query, dataset, [['a', 10, 18, 0]])).toMatchObject(agree);
    expect(await verdictOn(query, dataset, [['a', 10, 10, 0]])).toMatchObject(diverge);
  });

  test('a plan of another shape stays undecided', async () => {
    const query = tens.project({ k: 'k', ends: 'window_end' }).window(tumble(20)).perWindow(['k'], n);
    expect(await verdictOn(query, dataset, [[0, 20, 'b', 1]])).toMatchObject(undecided);
    const keyless = tens.project({ n: 'n' });
    const keys = { keys: ['n'] };
    expect(await verdictOn(keyless, dataset, [[1]], {}, keys)).toMatchObject(undecided);
  });

  test('a difference within the tolerance is none', async () => {
    const query = from('click')
      .project({ k: 'k', d: call('to_double', 'v'), at: 'at' })
      .window(tumble(10))
      .perWindow(['k'], { d: max('d') });
    const tolerance = { tolerance: { columns: ['d'], relative: 1e-6, reason: 'decimal rendering' } };
    const output = (most: number) => [
      [0, 10, 'a', most],
      [0, 10, 'b', 2],
      [20, 30, 'a', 1],
    ];
    expect(await verdictOn(query, dataset, output(5.000001), {}, tolerance)).toMatchObject(agree);
    expect(await verdictOn(query, dataset, output(5.1), {}, tolerance)).toMatchObject(diverge);
    expect(await verdictOn(query, dataset, output(5.000001))).toMatchObject(diverge);
  });
});
