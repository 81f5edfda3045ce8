import { join } from 'node:path';
import seedrandom from 'seedrandom';
import { OracleRefusal } from '../../oracles/refusal.ts';
import type { Truth } from '../../oracles/truth.ts';
import { judgeOutcome } from '../../properties/agrees-with-truth.ts';
import { judgeInterrupted, type TruthOf } from '../../properties/interrupted-is-prefix.ts';
import { EngineError, type Session } from '../engines/engine.ts';
import { judge } from '../judge/judge.ts';
import type { Case, Schedule } from '../model/case.ts';
import { type Dataset, rowCount, rowsOf } from '../model/dataset.ts';
import { InputError } from '../model/errors.ts';
import type { Failed, Outcome, Output, Step, Unsupported } from '../model/outcome.ts';
import { hasWindow, streamsOf } from '../model/plan/index.ts';
import { type CheckedQuery, checkQuery, type QueryDefinition } from '../model/query.ts';
import type { Traits, Transport } from '../model/traits.ts';
import type { Verdict } from '../model/verdict.ts';
import { KafkaError } from '../streams/kafka/index.ts';
import { findingsFor, KnownRows } from './corpus/known-rows.ts';
import type { Corpus } from './corpus/read-corpus.ts';
import type { Ledger } from './ledger.ts';
import { hashQuery, MANIFEST_VERSION, type Manifest, sha256 } from './manifest.ts';
import { brokenPremise } from './premises.ts';
import { type Interrupted, MANIFEST_FILE, type RunDirectory } from './run-directory.ts';
import type { StepClock } from './step-clock.ts';
import { combine, type EngineResult, type QueryResult, type Summary, shorten, summarise } from './summary.ts';
import { type TimeLineSide, timeLine } from './time-line.ts';
import { Truths } from './truths.ts';

/** An engine that a run was asked for; `open` rejects with an EngineError or KafkaError where it cannot be had. */
export interface RequestedEngine {
  readonly name: string;
  /** Whether the engine reads the run's transport at all; else it is skipped. */
  readonly readsTransport: boolean;
  open(signal: AbortSignal): Promise<Session>;
}

export interface RunOptions {
  readonly queries: readonly QueryDefinition[];
  readonly engines: readonly RequestedEngine[];
  readonly dataset: Dataset;
  /** SHA-256 over the dataset's files. */
  readonly datasetSha256: string;
  readonly schedule: Schedule;
  readonly transport: Transport;
  readonly directory: RunDirectory;
  /** What a run that is resumed has done before. */
  readonly resumed?: Pick<Interrupted, 'manifest' | 'summary'> | undefined;
  /** Findings that may explain a divergence. */
  readonly known?: Corpus | undefined;
  /** The campaign that the run belongs to, if any. */
  readonly ledger?: Ledger | undefined;
  readonly tidemarkVersion: string;
  readonly command: readonly string[];
  readonly clock: StepClock;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number, doing: string) => void;
  /** Told after each query; the last result is the new one. */
  readonly onResult?: (results: readonly QueryResult[]) => void;
}

/** An engine that is there, or what becomes of every case because it is not. */
type Participant =
  | { readonly name: string; readonly session: Session }
  | { readonly name: string; readonly absent: Failed | Unsupported };

/**
 * Runs every query on every engine, one engine at a time, and judges each output against its own truth and against
 * the other engines' (semantics §6, §7). The evidence is written to the run's directory as it is made.
 *
 * Stops early when `signal` is aborted; the summary then says that it is not complete.
 *
 * @throws PlanError when a query does not fit the dataset.
 * @throws InputError when evidence cannot be written, and when a run that is resumed would not be the same run.
 */
export async function run(options: RunOptions): Promise<Summary> {
  const { dataset, directory, clock, signal, resumed, ledger } = options;
  const schemas = dataset.streams.map(({ schema }) => schema);
  const queries = options.queries.map((query) => checkQuery(query, schemas));
  const participants: Participant[] = [];
  try {
    for (const engine of options.engines) {
      participants.push(await clock.time('open', () => open(engine, options)));
    }
    const manifest = manifestOf(options, queries, participants);
    if (resumed?.manifest === undefined) await directory.writeManifest(manifest);
    else checkSame(resumed.manifest, manifest, directory);
    await ledger?.enterRun(directory.path);
    const objections = (await ledger?.objections(options.queries)) ?? [];
    const results: QueryResult[] = [...(resumed?.summary?.queries ?? [])];
    const summary = () =>
      summarise(results, {
        steps: clock.steps,
        complete: results.length === queries.length,
        objections: [...objections],
      });
    for (const [index, query] of queries.entries()) {
      if (signal.aborted) break;
      const { name } = query.definition;
      if (results.some((result) => result.query === name)) continue;
      const testCase = { query, dataset, schedule: options.schedule };
      const onEngine = (engine: string) => options.onProgress(index, queries.length, `${name} on ${engine}`);
      const result = await runQuery(testCase, participants, options, onEngine);
      if (signal.aborted) break;
      results.push(result);
      options.onResult?.(results);
      await ledger?.enterVerdict(query.definition, result);
      await directory.writeSummary(summary());
    }
    options.onProgress(results.length, queries.length, 'done');
    await directory.writeSummary(summary());
    return summary();
  } finally {
    for (const participant of participants) {
      if ('session' in participant) await participant.session[Symbol.asyncDispose]();
    }
  }
}

function manifestOf(
  options: RunOptions,
  queries: readonly CheckedQuery[],
  participants: readonly Participant[],
): Manifest {
  const { dataset, schedule } = options;
  return {
    version: MANIFEST_VERSION,
    tidemark: options.tidemarkVersion,
    command: [...options.command],
    dataset: {
      sha256: options.datasetSha256,
      provenance: dataset.provenance,
      rows: Object.fromEntries(dataset.streams.map((stream) => [stream.schema.name, rowCount(stream)])),
    },
    schedule: {
      transport: options.transport,
      parallelism: schedule.parallelism,
      stop: schedule.stop,
      ...(schedule.delivery === undefined ? {} : { delivery: schedule.delivery }),
    },
    engines: participants.map((each) => {
      if (!('session' in each)) return { name: each.name, version: 'not started', sql: {} };
      const { session, name } = each;
      const sql = queries.flatMap((query) => {
        const text = session.sqlOf?.(query);
        return text === undefined ? [] : [[query.definition.name, sha256(text)] as const];
      });
      return {
        name,
        version: session.version,
        ...(session.sha256 === undefined ? {} : { sha256: session.sha256 }),
        sql: Object.fromEntries(sql),
      };
    }),
    queries: options.queries.map(hashQuery),
    ...(options.known === undefined
      ? {}
      : { corpus: { sha256: options.known.sha256, findings: options.known.findings.length } }),
  };
}

/** A run goes on only as what it was: everything in its manifest but the words of the command is the same. */
function checkSame(before: Manifest, now: Manifest, { path }: RunDirectory): void {
  for (const field of ['tidemark', 'dataset', 'schedule', 'engines', 'queries', 'corpus'] as const) {
    if (sha256(before[field] ?? null) === sha256(now[field] ?? null)) continue;
    throw new InputError('is not what the run would now be: run it anew', {
      file: join(path, MANIFEST_FILE),
      field,
    });
  }
}

async function open(engine: RequestedEngine, { transport, signal }: RunOptions): Promise<Participant> {
  const { name } = engine;
  if (!engine.readsTransport) {
    return { name, absent: { kind: 'unsupported', reason: `${name} does not read ${transport}` } };
  }
  try {
    return { name, session: await engine.open(signal) };
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof KafkaError)) throw error;
    const { code, message } = error;
    return { name, absent: { kind: 'failed', step: stepOf(code), code, message } };
  }
}

function stepOf(code: EngineError['code'] | KafkaError['code']): Step {
  switch (code) {
    case 'start-failed':
    case 'broker-unreachable':
    case 'timeout':
    case 'aborted':
      return 'open';
    case 'produce-failed':
    case 'topic-failed':
      return 'produce';
    case 'drain-failed':
      return 'drain';
    default:
      return 'install';
  }
}

/**
 * When a run is cancelled midway: between a fiftieth and a quarter of what it reads, and of what it has to write once it
 * is settled, by dataset and query. Later, a fast engine is through before its stop arrives.
 */
function cutShort(
  { query: { plan, definition }, dataset, schedule }: Case,
  settled: Truth | OracleRefusal,
  datasetSha256: string,
): Schedule {
  const share = 0.02 + 0.23 * seedrandom.alea(`${datasetSha256}/${definition.name}`)();
  const output = settled instanceof OracleRefusal ? 1 : settled.rows.length;
  const after = (all: number) => Math.max(1, Math.floor(all * share));
  return {
    ...schedule,
    cancelAfterRows: after(rowsOf(dataset, streamsOf(plan))),
    cancelAfterOutput: after(output),
  };
}

async function runQuery(
  testCase: Case,
  participants: readonly Participant[],
  options: RunOptions,
  onEngine: (name: string) => void,
): Promise<QueryResult> {
  const { clock } = options;
  const { definition } = testCase.query;
  const truths = new Truths(
    testCase,
    clock,
    participants.flatMap((each) => ('session' in each ? [each.session.traits] : [])),
  );
  const before = clock.steps;
  const engines: EngineResult[] = [];
  const outputs: JudgedOutput[] = [];
  for (const participant of participants) {
    onEngine(participant.name);
    const { result, output } = await runEngine(testCase, participant, truths, options);
    engines.push(result);
    if (output !== undefined) outputs.push(output);
  }
  const pairs = await comparePairs(testCase, outputs, truths, options);
  await keepTimeLine(testCase, outputs, truths, options);
  for (const { output } of outputs) await output.capture.release?.();
  const spent = (step: string) => (clock.steps[step]?.seconds ?? 0) - (before[step]?.seconds ?? 0);
  return {
    query: definition.name,
    class: definition.declaration.class,
    verdict: combine([...engines, ...pairs].map(({ verdict }) => verdict)),
    truthRows: truths.rows,
    engines,
    pairs,
    seconds: { truth: spent('truth'), judge: spent('judge') },
  };
}

interface JudgedOutput {
  readonly name: string;
  readonly traits: Traits;
  readonly output: Output;
  /** Whether it agrees with its own truth. */
  readonly agrees: boolean;
  /** Whether known findings explain every row in which it does not. */
  readonly known: boolean;
}

async function runEngine(
  testCase: Case,
  participant: Participant,
  truths: Truths,
  options: RunOptions,
): Promise<{ readonly result: EngineResult; readonly output?: JudgedOutput }> {
  const { directory, clock, dataset } = options;
  const { name } = participant;
  const query = testCase.query.definition.name;
  const started = performance.now();
  const schedule =
    testCase.schedule.stop === 'cancel' && 'session' in participant
      ? cutShort(testCase, truths.for(participant.session.traits), options.datasetSha256)
      : testCase.schedule;
  const outcome = await outcomeOf({ ...testCase, schedule }, participant, options);
  const seconds = (performance.now() - started) / 1000;
  const [{ verdict, interrupted, known }] = await clock.time('judge', () =>
    Promise.all([
      judgeEngine(testCase, participant, outcome, truths, options),
      // Compressing is another thread's work, done while this one judges.
      outcome.kind === 'output' ? keepEvidence(query, name, outcome, options) : undefined,
    ]),
  );
  if (verdict.kind === 'diverge') {
    await directory.writeDivergence(query, name, testCase.query.columns, verdict, isPrivate(dataset));
  }
  const result: EngineResult = {
    engine: name,
    verdict: shorten(verdict),
    rows: rowsGiven(verdict, truths),
    skipped: outcome.kind === 'unsupported',
    interrupted,
    ...(known.length === 0 ? {} : { known: [...known] }),
    seconds,
    cpuSeconds: outcome.kind === 'output' ? outcome.evidence.cpuSeconds : undefined,
  };
  if (!('session' in participant) || outcome.kind !== 'output') return { result };
  const agrees = verdict.kind === 'agree';
  const { traits } = participant.session;
  return { result, output: { name, traits, output: outcome, agrees, known: known.length > 0 } };
}

async function keepEvidence(
  query: string,
  engine: string,
  output: Output,
  { directory }: RunOptions,
): Promise<void> {
  await directory.writeSql(query, engine, output.evidence.sql);
  await directory.writeOutput(query, engine, output.capture);
}

async function outcomeOf(testCase: Case, participant: Participant, options: RunOptions): Promise<Outcome> {
  const broken = brokenPremise(testCase.query.definition, options.dataset);
  if (broken !== undefined) return { kind: 'unsupported', reason: broken };
  if (!('session' in participant)) return participant.absent;
  const { session, name } = participant;
  const { stop } = testCase.schedule;
  if (!session.traits.stops.includes(stop)) {
    return { kind: 'unsupported', reason: `${name} cannot be stopped by ${stop}` };
  }
  const { delivery = 'at-least-once' } = testCase.schedule;
  if (!(session.traits.deliveries ?? ['at-least-once']).includes(delivery)) {
    return { kind: 'unsupported', reason: `${name} has no sink that delivers ${delivery}` };
  }
  if (isHeld(testCase, session.traits, options.transport)) {
    const message = `a subtask of ${name} that owns no partition holds the watermark, so that no window fires: use as many partitions as subtasks`;
    return { kind: 'failed', step: 'settle', code: 'watermark-held', message };
  }
  return options.clock.time('engines', () => session.run(testCase, options.signal));
}

/** Whether windows wait for a watermark that never comes (semantics §2): a subtask without a partition holds it at −∞. */
function isHeld({ query, dataset, schedule }: Case, traits: Traits, transport: Transport): boolean {
  if (transport !== 'kafka' || traits.subtaskWithoutPartition !== 'holds' || schedule.stop === 'drain') {
    return false;
  }
  const read = streamsOf(query.plan);
  return (
    hasWindow(query.plan) &&
    dataset.streams.some(
      ({ schema, partitions }) => read.includes(schema.name) && partitions.length < schedule.parallelism,
    )
  );
}

interface Judged {
  readonly verdict: Verdict;
  readonly interrupted?: EngineResult['interrupted'];
  /** Names of the findings that explain every row that differs. */
  readonly known: readonly string[];
}

/** Judges an outcome against the engine's own truth; a run that was cancelled midway against a prefix of it. */
async function judgeEngine(
  testCase: Case,
  participant: Participant,
  outcome: Outcome,
  truths: Truths,
  { known: corpus, transport }: RunOptions,
): Promise<Judged> {
  if (!('session' in participant) || outcome.kind !== 'output') {
    return { verdict: await judgeOutcome(testCase, outcome, NO_TRUTH), known: [] };
  }
  const { traits, version } = participant.session;
  const isCut = testCase.schedule.stop === 'cancel';
  const findings = findingsFor(corpus?.findings ?? [], {
    engine: participant.name,
    version,
    transport,
    property: isCut ? 'interrupted-is-prefix' : 'agrees-with-truth',
  });
  const rows = new KnownRows(findings, testCase);
  if (!isCut) {
    const verdict = await judgeOutcome(
      testCase,
      outcome,
      truths.for(traits),
      truths.beyond(traits),
      rows.onDifference,
      traits,
    );
    return { verdict, known: rows.explain(verdict) };
  }
  const truthOf: TruthOf = (until) => {
    const known = until === 'drained' ? truths.drained(traits) : truths.for(traits);
    if (known instanceof OracleRefusal) throw known;
    return known;
  };
  const { verdict, explained } = await judgeInterrupted(
    testCase,
    outcome,
    traits,
    truthOf,
    rows.onDifference,
  );
  const known = rows.explain(verdict);
  if (explained === undefined) return { verdict, known };
  const { watermark, open: missing } = explained;
  const interrupted = { from: finite(watermark.from), to: finite(watermark.to), open: missing };
  if (verdict.kind !== 'agree' || missing > 0) return { verdict, interrupted, known };
  const message = 'nothing was open when the run was cancelled, so that nothing was interrupted';
  return { verdict: { kind: 'inconclusive', reason: 'uncovered', message }, interrupted, known };
}

function finite(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}

/**
 * Compares the outputs of every two engines, row by row where their own truths coincide (semantics §7, Pairs). Runs
 * cancelled midway stopped at different rows and are not compared.
 */
async function comparePairs(
  testCase: Case,
  outputs: readonly JudgedOutput[],
  truths: Truths,
  { directory, clock, dataset }: RunOptions,
): Promise<QueryResult['pairs']> {
  if (testCase.schedule.stop === 'cancel') return [];
  const { columns, definition } = testCase.query;
  const pairs: QueryResult['pairs'] = [];
  for (const [index, a] of outputs.entries()) {
    for (const b of outputs.slice(index + 1)) {
      const gap = truths.gap(a.traits, b.traits);
      if (gap === undefined) continue;
      const equal = a.agrees && b.agrees && definition.declaration.tolerance === undefined;
      if (equal && gap.onlyFirst.length + gap.onlySecond.length === 0) {
        // Each equals one and the same truth exactly, so that each equals the other.
        pairs.push({ engines: [a.name, b.name], verdict: { kind: 'agree' }, explainedByTrait: 0 });
        continue;
      }
      const verdict = await clock.time('judge', () =>
        judge({
          columns,
          declaration: definition.declaration,
          // What only one side may show is given to the other, so that it makes no difference.
          expected: { capture: a.output.capture, plus: gap.onlySecond },
          actual: { capture: b.output.capture, plus: gap.onlyFirst },
        }),
      );
      if (verdict.kind === 'diverge') {
        await directory.writeDivergence(
          definition.name,
          `${a.name}-${b.name}`,
          columns,
          verdict,
          isPrivate(dataset),
        );
      }
      pairs.push({
        engines: [a.name, b.name],
        verdict: shorten(verdict),
        ...(isKnown(verdict, a, b, definition) ? { known: true } : {}),
        explainedByTrait: gap.onlyFirst.length + gap.onlySecond.length,
      });
    }
  }
  return pairs;
}

/** Where the rows of each engine lie over event time, for the report. */
async function keepTimeLine(
  { query, schedule }: Case,
  outputs: readonly JudgedOutput[],
  truths: Truths,
  { directory, clock }: RunOptions,
): Promise<void> {
  if (query.output.updating || !hasWindow(query.plan)) return;
  const isCut = schedule.stop === 'cancel';
  const sides = outputs.flatMap(({ name, traits, output, agrees }): TimeLineSide[] => {
    const own = truths.for(traits);
    if (own instanceof OracleRefusal) return [];
    return [
      {
        engine: name,
        drained: truths.drained(traits),
        reached: isCut ? undefined : { watermark: own.watermark, fireEarlyMs: traits.fireEarlyMs.window },
        output: agrees && !isCut ? 'as-due' : output.capture,
      },
    ];
  });
  const line = await clock.time('time-line', () => timeLine(query, sides));
  if (line !== undefined) await directory.writeTimeLine(query.definition.name, line);
}

/** Where each of two engines is right but for known findings, so is what differs between them. */
function isKnown(verdict: Verdict, a: JudgedOutput, b: JudgedOutput, query: QueryDefinition): boolean {
  return (
    verdict.kind === 'diverge' &&
    query.declaration.tolerance === undefined &&
    [a, b].every(({ agrees, known }) => agrees || known)
  );
}

function isPrivate(dataset: Dataset): boolean {
  return dataset.provenance === 'captured';
}

/** What an outcome without output is judged by: nothing. */
const NO_TRUTH: Truth = { rows: [], firePoints: [], watermark: Number.NEGATIVE_INFINITY, late: 0 };

function rowsGiven(verdict: Verdict, truths: Truths): number | undefined {
  if (verdict.kind === 'agree') return verdict.rows;
  if (verdict.kind !== 'diverge' || truths.rows === undefined) return undefined;
  const { lost, extra, premature } = verdict.counts;
  return truths.rows - lost + extra + premature;
}
