import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { historyProfiles } from '../../../generators/histories/index.ts';
import { historyTruth } from '../../../oracles/history/truth.ts';
import type { SinkVerdict } from '../../../src/judge/sinks/sink-verdict.ts';
import type { DeliveryMode, History } from '../../../src/model/history/index.ts';
import type { FaultKinds } from '../../../src/sinks/conformance/draw-fault-plan.ts';
import { runSinkCase } from '../../../src/sinks/conformance/run-sink-case.ts';
import {
  openScratchDatabase,
  type ScratchDatabase,
} from '../../../src/sinks/conformance/scratch-database.ts';
import { type SinkCase, sinkCase } from '../../../src/sinks/conformance/sink-case.ts';
import { type PostgresServer, PROTOCOLS, type ProtocolVersion } from '../../../src/sinks/postgres/index.ts';
import type { Fault } from '../../../src/sinks/relay/fault-plan.ts';
import type { SinkUnderTest } from '../../../src/sinks/sink.ts';
import { signal } from '../postgres/support.ts';

const SIZES = { batchSize: 3, chunkRows: 2 };
const NEWEST: ProtocolVersion = 4;

/** Tries sinks on databases of a file's server. */
export function useTrial(server: () => PostgresServer) {
  let source: ScratchDatabase;
  let directory: string;
  beforeAll(async () => {
    source = await openScratchDatabase(server().url, signal);
    directory = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
  });
  afterAll(async () => {
    await source.close();
    rmSync(directory, { recursive: true });
  });
  const run = (sink: SinkUnderTest, drawn: { sinkCase: SinkCase; truth: ReturnType<typeof historyTruth> }) =>
    runSinkCase({
      sink,
      ...drawn,
      sourceUrl: source.url,
      targetUrl: source.url,
      limitMs: 10_000,
      directory,
      signal,
    });

  return {
    /** A history by hand, with these faults; everything is acknowledged at once. */
    byHand(
      sink: SinkUnderTest,
      mode: DeliveryMode,
      history: History,
      faults: readonly Fault[],
      { startBefore = 0, acknowledgeEvery = 1, protocol = NEWEST } = {},
    ): Promise<SinkVerdict> {
      const truth = historyTruth(history, { snapshotBefore: startBefore });
      const plan = { version: 1, acknowledgeEvery, faults } as const;
      return run(sink, { sinkCase: { mode, history, startBefore, plan, protocol, ...SIZES }, truth });
    },

    /** Verdicts of the first random histories of a seed that have something of the mode. */
    async atRandom(
      sink: SinkUnderTest,
      mode: DeliveryMode,
      { seed = 1, histories = 2, faults = 'redelivery' as FaultKinds } = {},
    ): Promise<readonly SinkVerdict[]> {
      const verdicts: SinkVerdict[] = [];
      for (let index = 0; verdicts.length < histories && index < 200; index++) {
        const drawn = sinkCase(mode, seed, index, {
          profiles: historyProfiles,
          protocols: PROTOCOLS,
          faults,
          ...SIZES,
        });
        if (drawn !== undefined) verdicts.push(await run(sink, drawn));
      }
      return verdicts;
    },
  };
}

/** The kinds of problems of a verdict, or what else it is. */
export function problemsOf(verdict: SinkVerdict): readonly string[] {
  return verdict.kind === 'diverge' ? verdict.problems.map(({ kind }) => kind) : [verdict.kind];
}
