import fc from 'fast-check';
import { caseRandom } from '../../../generators/arbitraries/cases/case-random.ts';
import { type HistoryProfile, historyArbitrary } from '../../../generators/histories/index.ts';
import { historyTruth } from '../../../oracles/history/truth.ts';
import {
  type DeliveryMode,
  type History,
  type HistoryTruth,
  PUBLISHED_ACTIONS,
} from '../../model/history/index.ts';
import type { ProtocolVersion } from '../postgres/index.ts';
import type { FaultPlan } from '../relay/fault-plan.ts';
import { SURE_CHUNKS } from '../relay/history-source.ts';
import { hasMessages, isIncrementalSnapshot, isInitialSnapshot } from '../relay/mode.ts';
import { quietSteps } from '../relay/quiet-steps.ts';
import { type FaultKinds, faultPlans, type ItemCounts, itemKind } from './draw-fault-plan.ts';

/** One delivery of one history: everything that a run of it is a function of, but the sink. */
export interface SinkCase {
  readonly mode: DeliveryMode;
  readonly history: History;
  /** The step before which delivery begins. */
  readonly startBefore: number;
  readonly plan: FaultPlan;
  /** By which the source is read. */
  readonly protocol: ProtocolVersion;
  readonly batchSize: number;
  /** Rows of a chunk. */
  readonly chunkRows: number;
}

export interface CaseOptions {
  readonly profiles: readonly HistoryProfile[];
  readonly faults: FaultKinds;
  /** Of which one is drawn. */
  readonly protocols: readonly ProtocolVersion[];
  readonly batchSize: number;
  readonly chunkRows: number;
}

/**
 * The case of an index from 0 on, a function of the mode, the seed and the index; undefined where its history has nothing
 * that the mode is about.
 */
export function sinkCase(
  mode: DeliveryMode,
  seed: number,
  index: number,
  { profiles, faults, protocols, batchSize, chunkRows }: CaseOptions,
): { readonly sinkCase: SinkCase; readonly truth: HistoryTruth } | undefined {
  const random = caseRandom(seed, index);
  const history = historyArbitrary(profilesFor(mode, profiles)).generate(random, undefined).value;
  const isSnapshot = isInitialSnapshot(mode) || isIncrementalSnapshot(mode);
  if (isIncrementalSnapshot(mode) && !isWhole(history)) return undefined;
  const starts = isSnapshot ? quietSteps(history) : [0];
  if (starts.length === 0) return undefined;
  const startBefore = fc.constantFrom(...starts).generate(random, undefined).value;
  const truth = historyTruth(history, { snapshotBefore: startBefore });
  const all = countItems(truth, chunkRows);
  const counts = isIncrementalSnapshot(mode) ? { ...all, chunk: Math.min(all.chunk, SURE_CHUNKS) } : all;
  if (counts[itemKind(mode)] === 0) return undefined;
  if (mode !== 'message' && hasMessages(mode) && !hasTransactionalMessage(truth)) return undefined;
  const plan = faultPlans(mode, counts, faults).generate(random, undefined).value;
  // Last, so that history and faults are the same on a server that knows fewer.
  const protocol = fc.constantFrom(...protocols).generate(random, undefined).value;
  return { sinkCase: { mode, history, startBefore, plan, protocol, batchSize, chunkRows }, truth };
}

/** Profiles that have much of what a mode is about come more often. */
function profilesFor(mode: DeliveryMode, profiles: readonly HistoryProfile[]): readonly HistoryProfile[] {
  const about = hasMessages(mode) ? 'messages' : mode.endsWith('spilled') ? 'oversized' : undefined;
  return profiles.map((profile) => (profile.name === about ? { ...profile, weight: 40 } : profile));
}

/** Everything up to where a sink must halt. */
function countItems({ deliveries, start }: HistoryTruth, chunkRows: number): ItemCounts {
  const isDestructive = (delivery: (typeof deliveries)[number]) =>
    delivery.kind === 'transaction' && delivery.schemaChanges.some(({ kind }) => kind === 'destructive');
  const end = deliveries.findIndex(isDestructive);
  const delivered = end < 0 ? deliveries : deliveries.slice(0, end);
  const chunks = [...start.published.values()].map(({ rows }) => Math.ceil(rows.size / chunkRows));
  return {
    transaction: delivered.filter(({ kind }) => kind === 'transaction').length,
    message: delivered.filter(({ kind }) => kind === 'message').length,
    chunk: chunks.reduce((sum, count) => sum + count, 0),
  };
}

/**
 * Whether an incremental snapshot can tell all of a history: a row that the stream changes before its chunk is read has
 * no column that is not told, every change of a table is published, and no halt leaves chunks out.
 */
function isWhole({ tables, publications, subscribed, steps }: History): boolean {
  if (steps.some(({ do: what }) => what === 'drop-column' || what === 'set-identity')) return false;
  const shown = publications.filter(({ name }) => subscribed.includes(name));
  return tables.every(({ name, columns }) => {
    const own = shown.filter((publication) => publication.tables.includes(name));
    if (own.length === 0) return true;
    const actions = new Set(own.flatMap(({ publish }) => publish));
    return actions.size === PUBLISHED_ACTIONS.length && !columns.some(({ toast }) => toast);
  });
}

function hasTransactionalMessage({ deliveries }: HistoryTruth): boolean {
  return deliveries.some((delivery) => delivery.kind === 'transaction' && delivery.messages.length > 0);
}
