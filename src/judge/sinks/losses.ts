import type { LedgerEntry } from '../../model/history/index.ts';
import type { Item } from './effects.ts';
import type { TokenLine } from './lineage.ts';
import type { SinkProblem } from './sink-verdict.ts';

/** Something that did not take effect, or not whole. */
export interface Loss {
  readonly item: Item;
  /** The step that committed or emitted it; undefined for rows of a snapshot. */
  readonly step: number | undefined;
  /** The session in which the next of its kind took effect, the last where none did. */
  readonly session: number;
}

export interface LossOptions {
  readonly lines: ReadonlyMap<string, TokenLine>;
  readonly first: readonly LedgerEntry[];
  readonly chunkOf: ReadonlyMap<string, number>;
  readonly sessions: number;
  /** Transactions that take effect as one, so that a row written over by another of them leaves no trace. */
  readonly batchSize: number;
  readonly takesMessages: boolean;
  /** Whether a row of a snapshot may be left out when the stream has changed it meanwhile. */
  readonly isIncremental: boolean;
}

/**
 * The items of which some token had to take effect and did not, each once. A write may be missing where the same
 * transaction or batch wrote over it; in a snapshot's chunk, where the stream did meanwhile.
 */
export function lossesOf({
  lines,
  first,
  chunkOf,
  sessions,
  batchSize,
  takesMessages,
  isIncremental,
}: LossOptions): readonly Loss[] {
  const seen = new Set(first.map(({ token }) => token));
  const losses = new Map<string, Loss>();
  for (const [token, line] of lines) {
    if (seen.has(token) || !isRequired(line)) continue;
    const { origin } = line;
    const item: Item = origin ?? { kind: 'chunk', index: chunkOf.get(token) ?? 0 };
    const session = origin === undefined ? 0 : sessionAfter(item);
    losses.set(`${item.kind} ${item.index}`, { item, step: origin?.step, session });
  }
  return [...losses.values()];

  function isRequired({ isMessage, origin, ended }: TokenLine): boolean {
    if (isMessage) return takesMessages;
    if (ended === undefined) return true;
    return origin === undefined ? !isIncremental : ended.by - origin.index >= batchSize;
  }

  function sessionAfter({ kind, index }: Item): number {
    const next = first.find(({ token }) => {
      const origin = lines.get(token)?.origin;
      return origin?.kind === kind && origin.index > index;
    });
    return next?.session ?? sessions - 1;
  }
}

/** The losses told, all those of one session together. */
export function lossProblems(losses: readonly Loss[]): readonly SinkProblem[] {
  const sessions = [...new Set(losses.map(({ session }) => session))].sort((a, b) => a - b);
  return sessions.map((session) => {
    const lost = losses.filter((loss) => loss.session === session);
    const steps = lost.flatMap(({ step }) => (step === undefined ? [] : [step]));
    const problem = {
      kind: 'loss',
      count: lost.length,
      session,
      message: `never took effect: ${kindsOf(lost)}`,
    } as const;
    return steps.length === 0 ? problem : { ...problem, step: Math.min(...steps) };
  });
}

function kindsOf(losses: readonly Loss[]): string {
  const kinds = ['transaction', 'message', 'chunk'] as const;
  const counts = kinds.map((kind) => [kind, losses.filter(({ item }) => item.kind === kind).length] as const);
  return counts
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${count} ${kind}${count === 1 ? '' : 's'}`)
    .join(', ');
}
