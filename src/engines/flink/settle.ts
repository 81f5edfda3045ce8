import { setTimeout as sleep } from 'node:timers/promises';
import { allAtWatermark, allRead, type Produced, rowsRead, rowsWritten } from './expectation.ts';
import type { JobState } from './job.ts';

const POLL_MS = 200;

/** A job in which nothing more can happen stays as it is for so long, while metrics are 250 ms old at most. */
const QUIET_MS = 600;

const STUCK_MS = 15_000;

/** How a job came to rest. */
export interface Settled {
  readonly kind: 'settled';
  readonly rowsRead: number;
  readonly endOffset: bigint;
  /** Whether every subtask had the watermark that the data call for. */
  readonly watermark: 'expected' | 'other';
}

/** `state`: that of the job now. */
export interface SettleOptions {
  readonly state: () => Promise<JobState>;
  readonly produced: Produced;
  /** The end of the job's output. */
  readonly endOffset: () => Promise<bigint>;
  readonly limitMs: number;
  /** Default 15 s: where it is not where it should be in the end, it may still be on its way. */
  readonly stuckMs?: number | undefined;
}

/**
 * Waits until a job has read everything, handed it through, and written what it had to: by its own counts and
 * watermarks, and by the end of its output, all of them quiet. How much it writes decides nothing.
 */
export async function settle(options: SettleOptions): Promise<Settled | 'ended' | 'timeout'> {
  const { produced, limitMs, stuckMs = STUCK_MS } = options;
  const deadline = performance.now() + limitMs;
  let before = '';
  let since = 0;
  for (;;) {
    const state = await options.state();
    if (state.status !== 'RUNNING' && state.status !== 'OTHER') return 'ended';
    const endOffset = await options.endOffset();
    const now = performance.now();
    const picture = pictureOf(state, endOffset);
    if (picture !== before) {
      before = picture;
      since = now;
    }
    const quietMs = now - since;
    if (state.status === 'RUNNING' && allRead(state, produced)) {
      const expected = allAtWatermark(state, produced);
      // The broker has what the sinks say that they sent.
      const sent = BigInt(rowsWritten(state)) === endOffset;
      if (quietMs >= (expected && sent ? QUIET_MS : stuckMs)) {
        return {
          kind: 'settled',
          rowsRead: rowsRead(state),
          endOffset,
          watermark: expected ? 'expected' : 'other',
        };
      }
    }
    if (now > deadline) return 'timeout';
    await sleep(POLL_MS);
  }
}

/** All that would change while something happens. */
function pictureOf({ vertices }: JobState, endOffset: bigint): string {
  const counts = vertices.map(({ read, written, watermarks }) => [read, written, ...watermarks].join());
  return [...counts, endOffset].join(' ');
}
