import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HistoryProfile, historyProfiles } from '../../../generators/histories/index.ts';
import type { SinkVerdict } from '../../judge/sinks/sink-verdict.ts';
import { InputError } from '../../model/errors.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../../model/history/index.ts';
import type { SinkConfig } from '../config.ts';
import {
  checkSource,
  openLease,
  type PostgresServer,
  PROTOCOLS,
  type ProtocolVersion,
} from '../postgres/index.ts';
import type { FaultKinds } from './draw-fault-plan.ts';
import { ModeTally } from './mode-tally.ts';
import { runSinkCase } from './run-sink-case.ts';
import { emptyDatabase, openScratchDatabase } from './scratch-database.ts';
import { type CaseOptions, type SinkCase, sinkCase } from './sink-case.ts';
import type { ModeSummary } from './sink-summary.ts';

/** Histories a mode that has nothing to deliver in most of them may ask for, for each that it is given. */
const DISCARDS = 40;
const LIMIT_MS = 30_000;
const BATCH_SIZE = 3;
const CHUNK_ROWS = 3;

export interface CheckSinkOptions {
  readonly config: SinkConfig;
  readonly server: Pick<PostgresServer, 'url' | 'version'>;
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
 * @throws PostgresError where the server cannot be used, InputError for a profile that is not there or protocols of which
 * the server knows none
 */
export async function checkSink(options: CheckSinkOptions): Promise<readonly ModeSummary[]> {
  const { config, server, signal } = options;
  const profiles = profilesOf(config.profiles);
  const protocols = protocolsOf(config.protocols, server.version);
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
      summaries.push(await checkMode(mode, { profiles, protocols }, options, places));
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
  drawnFrom: Pick<CaseOptions, 'profiles' | 'protocols'>,
  options: CheckSinkOptions,
  places: Places,
): Promise<ModeSummary> {
  const { config, histories, seed, only, signal, onCase, onFailure } = options;
  const { sink, batchSize = BATCH_SIZE, chunkRows = CHUNK_ROWS, limitMs = LIMIT_MS } = config;
  const began = performance.now();
  const tally = new ModeTally(mode, batchSize);
  if (!sink.modes.includes(mode)) {
    return { ...tally.summary(0), verdict: 'not-gated', reason: 'the sink does not claim this mode' };
  }
  const caseOptions: CaseOptions = {
    ...drawnFrom,
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
    tally.add(index, verdict, file);
    onCase?.(mode, tally.histories, tally.failures.length);
  }
  return tally.summary((performance.now() - began) / 1_000);
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

/** Those of the protocols, by default all, that a server of the version knows. @throws InputError where it knows none */
function protocolsOf(
  wanted: readonly ProtocolVersion[] = PROTOCOLS,
  version: string,
): readonly ProtocolVersion[] {
  const known = wanted.filter((protocol) => protocol < 4 || Number.parseInt(version, 10) >= 16);
  if (known.length > 0) return known;
  throw new InputError('protocol 4 takes PostgreSQL 16 or later', { field: 'protocols' });
}
