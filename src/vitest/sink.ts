import { test } from 'vitest';
import { seedNumber } from '../campaign/fuzz/setting.ts';
import type { DeliveryMode } from '../model/history/index.ts';
import type { SinkConfig } from '../sinks/config.ts';
import { checkSink } from '../sinks/conformance/check-sink.ts';
import type { ModeSummary } from '../sinks/conformance/sink-summary.ts';
import { startPostgres } from '../sinks/postgres/index.ts';

/** How a sink is tested. */
export interface SinkTestOptions extends Omit<SinkConfig, 'version'> {
  /** Default all that the sink claims; each is a test. */
  readonly modes?: readonly DeliveryMode[];
  /** Histories for each mode, default 10. */
  readonly histories?: number;
  /** Default `TIDEMARK_SEED`, else 1. */
  readonly seed?: string;
  /** Kills too, or only plain disconnects; the latter is the default. */
  readonly faults?: 'redelivery' | 'all';
  /** A PostgreSQL as the source; where absent, one is started for each test. */
  readonly url?: string;
}

const DEFAULT_HISTORIES = 10;
const TEST_LIMIT_MS = 300_000;

/** A test for each delivery mode of a sink. It passes where the mode's guarantee held (semantics §10). */
export function testSink(options: SinkTestOptions): void {
  for (const mode of options.modes ?? options.sink.modes) {
    test(`${options.sink.name}: ${mode}`, { timeout: TEST_LIMIT_MS }, async ({ signal }) =>
      checkSinkMode(mode, options, signal),
    );
  }
}

/** The same within a test of one's own. @throws Error saying what did not hold, with seed and case */
export async function checkSinkMode(
  mode: DeliveryMode,
  {
    seed = process.env.TIDEMARK_SEED ?? '1',
    histories = DEFAULT_HISTORIES,
    url,
    faults,
    ...config
  }: SinkTestOptions,
  signal: AbortSignal,
): Promise<void> {
  const one = process.env.TIDEMARK_CASE;
  await using server = await startPostgres(url === undefined ? { signal } : { url, signal });
  const [summary] = await checkSink({
    config: { ...config, version: 1 },
    server,
    modes: [mode],
    histories,
    seed: seedNumber(seed),
    only: one === undefined ? undefined : Number(one),
    faults,
    signal,
  });
  if (summary!.verdict !== 'agree') throw new Error(failureText(summary!, seed));
}

function failureText({ mode, bound, verdict, reason, failures }: ModeSummary, seed: string): string {
  const [first] = failures;
  if (first === undefined) return `${mode}: ${verdict}: ${reason}`;
  return [
    `${mode}, ${bound}, loss = 0: ${verdict} in ${failures.length} histories`,
    ...first.problems.map(({ kind, count, message }) => `  ${kind} (${count}): ${message}`),
    `seed ${seed}, case ${first.index}; replay: TIDEMARK_SEED=${seed} TIDEMARK_CASE=${first.index} npx vitest run`,
  ].join('\n');
}
