import { describe, expect, it } from 'vitest';
import { cpuSecondsOf } from '../../src/engines/clink/cpu-time.ts';
import { Quiet } from '../../src/engines/clink/quiet.ts';

/** `[ms, records, CPU seconds]` */
type Seen = readonly [atMs: number, records: number, cpuSeconds?: number];

function seen(...looks: readonly Seen[]): Quiet {
  const quiet = new Quiet(0);
  for (const [atMs, records, cpuSeconds] of looks) quiet.see({ atMs, records: BigInt(records), cpuSeconds });
  return quiet;
}

describe('an output', () => {
  it('is settled once it is quiet for 10 s', () => {
    expect(seen([500, 3], [10_499, 3]).state).toBe('busy');
    expect(seen([500, 3], [10_499, 3], [10_500, 3]).state).toBe('settled');
  });

  it('that paused for 3 s has to be quiet for 15', () => {
    const grown: readonly Seen[] = [
      [1_000, 1],
      [4_000, 2],
      [5_000, 3],
    ];
    expect(seen(...grown, [19_999, 3]).state).toBe('busy');
    expect(seen(...grown, [20_000, 3]).state).toBe('settled');
  });

  it('may begin late: the wait for the first record is no gap', () => {
    expect(seen([9_000, 1], [19_000, 1]).state).toBe('settled');
  });

  it('that is empty is never settled', () => {
    expect(seen([9_999, 0]).state).toBe('busy');
    expect(seen([10_000, 0]).state).toBe('nothing-seen');
  });

  it('is not settled while the CPU works', () => {
    const works: readonly Seen[] = [
      [500, 3, 0.5],
      [9_000, 3, 8],
    ];
    expect(seen(...works, [11_000, 3, 8.5]).state).toBe('busy');
    expect(seen(...works, [11_000, 3, 8.1]).state).toBe('settled');
    expect(seen(...works, [11_000, 3, 10], [12_000, 3, 10.1], [13_000, 3, 10.2]).state).toBe('settled');
  });

  it('is not settled before the CPU was watched for a while', () => {
    expect(seen([500, 3], [11_000, 3, 1], [12_999, 3, 1]).state).toBe('busy');
    expect(seen([500, 3], [11_000, 3, 1], [13_000, 3, 1]).state).toBe('settled');
  });
});

describe('the CPU time of a process', () => {
  it.skipIf(process.platform !== 'linux')('grows with its work', async () => {
    const before = (await cpuSecondsOf(process.pid))!;
    const start = process.cpuUsage();
    for (let used = 0; used < 60_000; ) {
      const { user, system } = process.cpuUsage(start);
      used = user + system;
    }
    expect((await cpuSecondsOf(process.pid))! - before).toBeGreaterThan(0.02);
  });

  it('is not known of a process that there is not', async () => {
    expect(await cpuSecondsOf(2 ** 30)).toBeUndefined();
  });
});
