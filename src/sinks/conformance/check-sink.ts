import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HistoryProfile, historyProfiles } from '../../../generators/histories/index.ts';
import type { SinkNumbers, SinkVerdict } from '../../judge/sinks/sink-verdict.ts';
import { InputError } from '../../model/errors.ts';
import { DELIVERY_MODES, type DeliveryMode, guarantees } from '../../model/history/index.ts';
import type { SinkConfig } from '../config.ts';
import { checkSource, openLease, type PostgresServer } from '../postgres/index.ts';
import { boundOf } from './bound-text.ts';
import type { FaultKinds } from './draw-fault-plan.ts';
import { runSinkCase } from './run-sink-case.ts';
import { emptyDatabase, openScratchDatabase } from './scratch-database.ts';
import { type CaseOptions, type SinkCase, sinkCase } from './sink-case.ts';
import { type ModeSummary, type SinkFailure, worstOf } from './sink-summary.ts';

/** Histories a mode that has nothing to deliver in most of them may ask for, for each that it is given. */
const DISCARDS = 40;
const LIMIT_MS = 30_000;
const BATCH_SIZE = 3;
const CHUNK_ROWS = 3;

export interface CheckSinkOptions {
  readonly config: SinkConfig;
  readonly server: Pick<PostgresServer, 'url'>;
  /** Default all that the sink claims. */
  readonly modes?: readonly DeliveryMode[] | undefined;
  /** For each mode. */
  readonly histories: number;
  readonly seed: number;
  /** Only the case of this index. */
  readonly only?: number | undefined;
  readonly faults?: FaultKinds | undefined;
  readonly onCase?: ((mode: DeliveryMode, done: number, failures: number) => void) | undefined;
  /** Called for each case that is no pass; what it gives is where the case is kept. */
  readonly onFailure?:
    | ((index: number, sinkCase: SinkCase, verdict: SinkVerdict) => Promise<string | undefined>)
    | undefined;
  readonly signal: AbortSignal;
}

/**
 * Tries a sink in each of its modes with random histories, and tells how each mode's guarantee held (semantics §10). Two
 * databases of ours are made on the server, for the source and for the sink, and dropped at the end.
 *
 * @throws PostgresError where the server cannot be used, InputError for a profile that is not there
 */
export async function checkSink(options: CheckSinkOptions): Promise<readonly ModeSummary[]> {
  const { config, server, signal } = options;
  const profiles = profilesOf(config.profiles);
  if (config.pipeline !== undefined) await checkPipeline(server.url, config.pipeline, signal);
  await using source = await openScratchDatabase(server.url, signal);
  await checkRights(source.url, signal);
  await using target = await openScratchDatabase(server.url, signal);
  const directory = await mkdtemp(join(tmpdir(), 'tidemark-sink-'));
  const modes = DELIVERY_MODES.filter((mode) => (options.modes ?? config.sink.modes).includes(mode));
  try {
    const summaries: ModeSummary[] = [];
    for (const mode of modes) {
      const places = { sourceUrl: source.url, targetUrl: target.url, directory };
      summaries.push(await checkMode(mode, profiles, options, places));
    }
    return summaries;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

interface Places {
  readonly sourceUrl: string;
  readonly targetUrl: string;
  readonly directory: string;
}

/** @throws PostgresError where what the user's pipeline reads is not there */
async function checkPipeline(
  url: string,
  { slot, publications }: NonNullable<SinkConfig['pipeline']>,
  signal: AbortSignal,
): Promise<void> {
  await checkSource({ url, publications, ...(slot === undefined ? {} : { slot }), signal });
}

/** @throws PostgresError where nothing can be captured from the server */
async function checkRights(url: string, signal: AbortSignal): Promise<void> {
  await using lease = await openLease({ url, signal });
  await checkSource({ url, publications: [await lease.createPublication([])], signal });
}

async function checkMode(
  mode: DeliveryMode,
  profiles: readonly HistoryProfile[],
  options: CheckSinkOptions,
  places: Places,
): Promise<ModeSummary> {
  const { config, histories, seed, only, signal, onCase, onFailure } = options;
  const { sink, batchSize = BATCH_SIZE, chunkRows = CHUNK_ROWS, limitMs = LIMIT_MS } = config;
  const began = performance.now();
  const tally = new Tally();
  if (!sink.modes.includes(mode)) {
    return tally.summary(mode, batchSize, 0, {
      kind: 'not-gated',
      reason: 'the sink does not claim this mode',
    });
  }
  const caseOptions: CaseOptions = {
    profiles,
    faults: options.faults ?? 'redelivery',
    batchSize,
    chunkRows,
  };
  const first = only ?? 0;
  const last = only ?? histories * DISCARDS;
  for (let index = first; index <= last && tally.histories < histories; index++) {
    signal.throwIfAborted();
    const drawn = sinkCase(mode, seed, index, caseOptions);
    if (drawn === undefined) {
      tally.discarded++;
      continue;
    }
    await emptyDatabase(places.targetUrl, signal);
    const verdict = await runSinkCase({ sink, ...drawn, ...places, limitMs, signal });
    const file = verdict.kind === 'agree' ? undefined : await onFailure?.(index, drawn.sinkCase, verdict);
    tally.add(mode, index, verdict, file);
    onCase?.(mode, tally.histories, tally.failures.length);
  }
  return tally.summary(mode, batchSize, (performance.now() - began) / 1_000);
}

/** @throws InputError naming the profiles that there are. */
function profilesOf(names: readonly string[] | undefined): readonly HistoryProfile[] {
  if (names === undefined) return historyProfiles;
  return names.map((name) => {
    const found = historyProfiles.find((profile) => profile.name === name);
    if (found !== undefined) return found;
    const known = historyProfiles.map((profile) => profile.name).join(', ');
    throw new InputError(`no profile ${name}; there are ${known}`, { field: 'profiles' });
  });
}

/** The cases of one mode added up. */
class Tally {
  readonly failures: SinkFailure[] = [];
  histories = 0;
  discarded = 0;
  #transactions = 0;
  #messages = 0;
  #chunks = 0;
  #redelivered = 0;
  #dup = 0;
  #worst = 0;
  #loss = 0;

  add(mode: DeliveryMode, index: number, verdict: SinkVerdict, file: string | undefined): void {
    this.histories++;
    if (verdict.kind !== 'not-gated') this.#count(mode, verdict.numbers);
    if (verdict.kind === 'agree') return;
    const problems =
      verdict.kind === 'diverge'
        ? verdict.problems.map(({ kind, count, message }) => ({ kind, count, message }))
        : [
            {
              kind: verdict.kind === 'not-gated' ? verdict.code : verdict.reason,
              count: 1,
              message: verdict.message,
            },
          ];
    this.failures.push({ index, verdict: verdict.kind, problems, file });
  }

  summary(
    mode: DeliveryMode,
    batchSize: number,
    seconds: number,
    forced?: { readonly kind: SinkVerdict['kind']; readonly reason: string },
  ): ModeSummary {
    const kind = worstOf([
      ...this.failures.map(({ verdict }) => verdict),
      ...(this.histories > this.failures.length ? (['agree'] as const) : []),
    ]);
    const first = this.failures.find(({ verdict }) => verdict === kind)?.problems[0];
    const none = this.histories === 0 ? 'no history had what the mode is about' : undefined;
    return {
      mode,
      guarantee: guarantees[mode].name,
      bound: boundOf(mode, batchSize),
      histories: this.histories,
      discarded: this.discarded,
      transactions: this.#transactions,
      messages: this.#messages,
      chunks: this.#chunks,
      redelivered: this.#redelivered,
      dup: this.#dup,
      worst: this.#worst,
      loss: this.#loss,
      verdict: forced?.kind ?? kind,
      reason: forced?.reason ?? (first === undefined ? none : `${first.kind}: ${first.message}`),
      failures: this.failures,
      seconds,
    };
  }

  #count(
    mode: DeliveryMode,
    { transactions, messages, chunks, redelivered, loss, restarts }: SinkNumbers,
  ): void {
    this.#transactions += transactions;
    this.#messages += messages;
    this.#chunks += chunks;
    this.#redelivered += redelivered;
    this.#loss += loss;
    for (const { dupTransactions, dupMessages, dupChunks } of restarts) {
      // Messages of no transaction may come again in every mode that has them.
      const again = dupTransactions + dupChunks + (mode === 'message' ? dupMessages : 0);
      this.#dup += again;
      this.#worst = Math.max(this.#worst, again);
    }
  }
}
