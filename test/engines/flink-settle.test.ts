import { describe, expect, it } from 'vitest';
import {
  allAtWatermark,
  allRead,
  NO_WATERMARK,
  producedOf,
  rowsRead,
  rowsWritten,
} from '../../src/engines/flink/expectation.ts';
import type { JobState, Vertex } from '../../src/engines/flink/job.ts';
import { settle } from '../../src/engines/flink/settle.ts';
import { type Dataset, rowsOf } from '../../src/model/dataset.ts';
import { clickStream, saleStream } from './cases.ts';

/** Clicks at these times, a list for each partition, and sales in one partition. */
function clicks(
  lagMs: number,
  partitions: readonly (readonly number[])[],
  sales: readonly number[] = [],
): Dataset {
  let arrival = 0;
  return {
    lagMs,
    provenance: 'captured',
    streams: [
      {
        schema: clickStream,
        partitions: partitions.map((times) =>
          times.map((at) => ({ arrival: arrival++, row: ['a', at, null, arrival] })),
        ),
      },
      {
        schema: saleStream,
        partitions: [sales.map((sold) => ({ arrival: arrival++, row: ['a', sold, null] }))],
      },
    ],
  };
}

describe('what was produced', () => {
  it('has the watermark of the partition that is furthest behind', () => {
    const produced = producedOf(clicks(5, [[1, 24, 9], [29]], [7]), 2);
    expect(produced.get('click')).toEqual({ rows: 4, watermark: 19n });
    expect(produced.get('sale')).toEqual({ rows: 1, watermark: NO_WATERMARK });
  });

  it.each([
    ['a partition is empty', [[1], []], 1],
    ['a subtask has no partition', [[1], [2]], 3],
    ['there are no rows', [[]], 1],
  ] as const)('has none where %s', (_, partitions, parallelism) => {
    expect(producedOf(clicks(5, partitions), parallelism).get('click')!.watermark).toBe(NO_WATERMARK);
  });

  it('counts the rows of the streams that a query reads', () => {
    expect(rowsOf(clicks(5, [[1, 2], [3]], [7]), ['click'])).toBe(3);
  });
});

const vertex = (id: string, parts: Partial<Vertex>): Vertex => ({
  id,
  name: id,
  inputs: [],
  parallelism: 1,
  read: 0,
  written: 0,
  watermarks: [],
  ...parts,
});

const produced = producedOf(clicks(5, [[1, 24], [29]], [7]), 1);

/** A join of a window over clicks with sales, settled. */
const join: JobState = {
  status: 'RUNNING',
  vertices: [
    vertex('join', { inputs: ['window', 'sales'], read: 2, written: 1, watermarks: [2n] }),
    vertex('window', { inputs: ['clicks'], parallelism: 2, read: 2, written: 1, watermarks: [19n, 19n] }),
    vertex('clicks', { name: 'Source: click[1] -> Calc[2]', read: 3, written: 2 }),
    vertex('sales', { name: 'Source: sale[3]', read: 1, written: 1 }),
  ],
};

function changed(id: string, parts: Partial<Vertex>): JobState {
  return { ...join, vertices: join.vertices.map((each) => (each.id === id ? { ...each, ...parts } : each)) };
}

describe('a job', () => {
  it('has read all when its sources have, and nothing is on its way', () => {
    expect(allRead(join, produced)).toBe(true);
    expect(rowsRead(join)).toBe(4);
    expect(rowsWritten(join)).toBe(1);
  });

  it.each([
    ['a source has not', changed('clicks', { read: 2 })],
    ['a row is between two vertices', changed('window', { written: 2 })],
    ['nothing is known of it yet', { status: 'RUNNING', vertices: [] } as JobState],
  ])('has not read all while %s', (_, state) => {
    expect(allRead(state, produced)).toBe(false);
  });

  it('is at the watermark of its sources, the least where they meet', () => {
    expect(allAtWatermark(join, produced)).toBe(true);
    expect(allAtWatermark(changed('join', { watermarks: [19n] }), produced)).toBe(false);
    expect(allAtWatermark(changed('window', { watermarks: [19n] }), produced)).toBe(false);
    expect(allAtWatermark(changed('window', { watermarks: [19n, 18n] }), produced)).toBe(false);
  });
});

describe('settling', () => {
  const settling = (states: readonly JobState[], ends: readonly bigint[] = [1n], limits = {}) => {
    const next = <T>(values: readonly T[]) => {
      let at = 0;
      return async () => values[Math.min(at++, values.length - 1)]!;
    };
    return settle({ state: next(states), endOffset: next(ends), produced, limitMs: 5_000, ...limits });
  };

  it('waits until everything is where it belongs and quiet', async () => {
    const early = changed('clicks', { read: 1 });
    expect(await settling([{ ...join, status: 'OTHER' }, early, join])).toEqual({
      kind: 'settled',
      rowsRead: 4,
      endOffset: 1n,
      watermark: 'expected',
    });
  });

  it('waits for output that the sinks have sent and the broker does not have', async () => {
    const settled = await settling([join], [0n, 0n, 0n, 0n, 0n, 0n, 1n]);
    expect(settled).toMatchObject({ endOffset: 1n });
  });

  it('does not take a wrong watermark for rest before its limit', async () => {
    expect(await settling([changed('join', { watermarks: [1n] })], [1n], { limitMs: 1_500 })).toBe('timeout');
  });

  it('takes it for rest after a long while, and says so', async () => {
    const settled = await settling([changed('join', { watermarks: [1n] })], [1n], { stuckMs: 1_000 });
    expect(settled).toMatchObject({ kind: 'settled', watermark: 'other' });
  });

  it('tells that the job has ended', async () => {
    expect(await settling([join, { ...join, status: 'FAILED' }])).toBe('ended');
  });
});
