import { agreesWithTruth } from '../../../properties/agrees-with-truth.ts';
import type { Property } from '../../../properties/property.ts';
import type { Session } from '../../engines/engine.ts';
import { ADDS_LIVE_ROW } from '../../judge/final-state.ts';
import type { Case } from '../../model/case.ts';
import type { Plan } from '../../model/plan/index.ts';
import { operatorsOf } from '../../model/plan/rewrite.ts';
import { type CheckedQuery, checkedOver, type QueryDefinition } from '../../model/query.ts';
import type { DifferenceKind, Diverge } from '../../model/verdict.ts';

/** What makes two failures the same one, as far as can be told without their cause (semantics §8). */
export interface FailureSignature {
  /** The engine's name with its version. */
  readonly engine: string;
  readonly property: string;
  /** The first operator of the plan whose own result is wrong; the last one where each by itself is right. */
  readonly operator: Plan['op'] | `${string} window`;
  readonly kinds: readonly DifferenceKind[];
}

/** One line that is the same for the same signature. */
export function signatureText({ engine, property, operator, kinds }: FailureSignature): string {
  return `${engine}: ${property}, ${operator}: ${kinds.join(' + ')}`;
}

/** Runs the plan's parts from its streams on, so it costs as many runs as the plan has operators. */
export async function signatureOf(
  testCase: Case,
  verdict: Diverge,
  property: Property,
  session: Session,
  signal: AbortSignal,
): Promise<FailureSignature> {
  return {
    engine: session.name,
    property: property.name,
    operator: nameOf(await firstWrong(testCase, session, signal)),
    kinds: kindsOf(verdict),
  };
}

/** The kinds of difference that a divergence shows, in the order of their names. */
export function kindsOf({ counts }: Diverge): readonly DifferenceKind[] {
  return (Object.entries(counts) as [DifferenceKind, number][])
    .filter(([, count]) => count > 0)
    .map(([kind]) => kind)
    .sort();
}

/**
 * Whether one failure of a property shows what another one showed: some row that is wrong in the same way. An altered row
 * counts as one lost and one extra, since it depends on the declared keys whether they are told as one. A line that adds
 * a row which is there counts as an extra row as well, since it depends on the declared class whether it is told as one.
 */
export function showsTheSame(before: Diverge, now: Diverge): boolean {
  const ways = waysOf(before);
  return [...waysOf(now)].some((way) => ways.has(way));
}

function waysOf(verdict: Diverge): ReadonlySet<Way> {
  const ways = new Set(kindsOf(verdict).flatMap((kind) => WAYS[kind]));
  const addsTwice = verdict.samples.some(
    (sample) => sample.kind === 'corrupt' && sample.position.problem === ADDS_LIVE_ROW,
  );
  return addsTwice ? ways.add('extra') : ways;
}

type Way = 'lost' | 'extra' | 'corrupt';

const WAYS: Readonly<Record<DifferenceKind, readonly Way[]>> = {
  lost: ['lost'],
  premature: ['extra'],
  altered: ['lost', 'extra'],
  extra: ['extra'],
  corrupt: ['corrupt'],
};

async function firstWrong(testCase: Case, session: Session, signal: AbortSignal): Promise<Plan> {
  const { query, dataset, schedule } = testCase;
  const { plan } = query;
  // What is cut short has no one truth to hold its parts to.
  if (schedule.stop === 'cancel') return outermost(plan);
  for (const node of operatorsOf(plan)) {
    if (node === plan) break;
    const part = partOf(query, node, dataset);
    if (part === undefined) continue;
    const verdict = await agreesWithTruth.check({ ...testCase, query: part }, [session], signal);
    if (verdict.kind === 'diverge') return outermost(node);
  }
  return outermost(plan);
}

/** A part of a plan as a query; undefined where it is none, as rows still in a window. */
function partOf(query: CheckedQuery, node: Plan, dataset: Case['dataset']): CheckedQuery | undefined {
  const relation = query.relationOf(node);
  const names = relation.columns.map(({ name }) => name);
  const keys = relation.unique.find((set) => set.length > 0) ?? names;
  const definition: QueryDefinition = {
    ...query.definition,
    plan: node,
    declaration: {
      class: relation.updating ? 'materialised' : 'append',
      reason: 'part of another query',
      keys,
      fire: 'unknown',
    },
  };
  return checkedOver(definition, dataset);
}

/** Over rows in a window an aggregate is told by the window, which decides more of it. */
function outermost(node: Plan): Plan {
  return node.op === 'aggregate' && node.input.op === 'window' ? node.input : node;
}

function nameOf(node: Plan): FailureSignature['operator'] {
  return node.op === 'window' ? `${node.window.kind} window` : node.op;
}
