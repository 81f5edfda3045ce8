import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { judgeSink } from '../../judge/sinks/judge-sink.ts';
import type { SinkVerdict } from '../../judge/sinks/sink-verdict.ts';
import type { HistoryTruth } from '../../model/history/index.ts';
import { PostgresError } from '../postgres/index.ts';
import type { Fault } from '../relay/fault-plan.ts';
import { Faults } from '../relay/faults.ts';
import { type HistorySourceOptions, openHistorySource } from '../relay/history-source.ts';
import { LeakSearch } from '../relay/leaks.ts';
import { isIncrementalSnapshot, isInitialSnapshot, isSpilled } from '../relay/mode.ts';
import { relay } from '../relay/relay.ts';
import { RelayError } from '../relay/relay-error.ts';
import { SinkCalls } from '../relay/sink-calls.ts';
import type { SinkUnderTest } from '../sink.ts';
import type { SinkCase } from './sink-case.ts';

export interface RunSinkCaseOptions {
  readonly sink: SinkUnderTest;
  readonly sinkCase: SinkCase;
  readonly truth: HistoryTruth;
  /** A database of ours, in which everything is dropped. */
  readonly sourceUrl: string;
  /** Another, empty, for the sink. */
  readonly targetUrl: string;
  /** How long one call of the sink may take. */
  readonly limitMs: number;
  /** Files go below it. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/**
 * Delivers the history of a case to a sink and judges what it made of it. What keeps the sink from being tried is
 * `not-gated`. @throws whatever `signal` is aborted with
 */
export async function runSinkCase(options: RunSinkCaseOptions): Promise<SinkVerdict> {
  const { sinkCase, sink, signal } = options;
  const { mode } = sinkCase;
  const work = await mkdtemp(join(options.directory, 'sink-'));
  const search = new LeakSearch(sinkCase.history);
  const calls = new SinkCalls({ limitMs: options.limitMs, signal }, search);
  const faults = new Faults(sinkCase.plan);
  try {
    await using source = await openHistorySource({
      url: options.sourceUrl,
      history: sinkCase.history,
      startBefore: sinkCase.startBefore,
      snapshot: snapshotOf(sinkCase),
      protocol: sinkCase.protocol,
      spills: isSpilled(mode),
      signal,
    });
    await mkdir(join(work, 'sink'));
    const setting = {
      postgresUrl: options.targetUrl,
      directory: join(work, 'sink'),
      log: (line: string) => calls.log(line),
      failPoint: async () => faults.inside('before-checkpoint'),
      signal,
    };
    await using home = await calls.use('prepare', () => sink.prepare(setting));
    const run = await relay({
      mode,
      source,
      home,
      calls,
      takesMessages: sink.takesMessages,
      acknowledgeEvery: sinkCase.plan.acknowledgeEvery,
      faults,
      batchSize: sinkCase.batchSize,
      directory: work,
    });
    const verdict = withReason(judgeSink(options.truth, run), run.halt?.reason);
    const left = run.halt === undefined ? faults.left : [];
    return withLeaks(withCoverage(verdict, left), calls.leaks);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof RelayError || error instanceof PostgresError)) throw error;
    return { kind: 'not-gated', code: error.code, message: error.message };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function snapshotOf({ mode, chunkRows: rows }: SinkCase): HistorySourceOptions['snapshot'] {
  if (isInitialSnapshot(mode)) return { kind: 'initial', rows };
  return isIncrementalSnapshot(mode) ? { kind: 'incremental', rows } : undefined;
}

/** Why the sink halted, where it must not have. */
function withReason(verdict: SinkVerdict, reason: string | undefined): SinkVerdict {
  if (verdict.kind !== 'diverge' || reason === undefined) return verdict;
  const problems = verdict.problems.map((problem) =>
    problem.kind === 'halted' ? { ...problem, message: `${problem.message}: ${reason}` } : problem,
  );
  return { ...verdict, problems };
}

/**
 * What was found stands; a pass does not where a fault did not happen. A sink that never came to its fail point is not
 * known to write rows and checkpoint as one. @throws RelayError `fault-not-fired` for any other
 */
function withCoverage(verdict: SinkVerdict, left: readonly Fault[]): SinkVerdict {
  if (verdict.kind !== 'agree' || left.length === 0) return verdict;
  if (left.some(({ when }) => when !== 'before-checkpoint'))
    throw new RelayError('fault-not-fired', `${left.length} planned faults never happened`);
  const message = 'it never came to its fail point before-checkpoint';
  return { kind: 'inconclusive', reason: 'uncovered', message, numbers: verdict.numbers };
}

/** A value that was told is a problem of its own (semantics §10, invariant 1). `leaks`: the places. */
function withLeaks(verdict: SinkVerdict, leaks: readonly string[]): SinkVerdict {
  if (leaks.length === 0 || verdict.kind === 'not-gated') return verdict;
  const places = [...new Set(leaks)].join(', ');
  const leak = {
    kind: 'leak',
    count: leaks.length,
    message: `values of rows or messages were told: ${places}`,
  } as const;
  const problems = verdict.kind === 'diverge' ? verdict.problems : [];
  return { kind: 'diverge', numbers: verdict.numbers, problems: [...problems, leak] };
}
