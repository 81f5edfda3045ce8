import semver from 'semver';
import type { DifferenceVisitor } from '../../judge/judge.ts';
import type { Case } from '../../model/case.ts';
import { PlanError } from '../../model/errors.ts';
import { inputsOf, type Plan, streamsOf } from '../../model/plan/index.ts';
import { operatorsOf } from '../../model/plan/rewrite.ts';
import type { Transport } from '../../model/traits.ts';
import type { Row } from '../../model/value.ts';
import { type Difference, differingRows, type Verdict } from '../../model/verdict.ts';
import type { Finding, PropertyName } from './finding.ts';
import { predicateOver } from './predicate.ts';

/** Whose outputs are judged, and by what they are held to. */
export interface Setting {
  /** As a run names it: `clink`, or `clink@…` for another build. */
  readonly engine: string;
  readonly version: string;
  readonly transport: Transport;
  readonly property: PropertyName;
}

/** The findings whose signature fits an engine, its version, the transport and the property. */
export function findingsFor(
  findings: readonly Finding[],
  { engine, version, transport, property }: Setting,
): readonly Finding[] {
  return findings.filter(
    ({ signature }) =>
      (engine === signature.engine || engine.startsWith(`${signature.engine}@`)) &&
      semver.satisfies(version, signature.versions) &&
      (signature.transport ?? transport) === transport &&
      signature.property === property,
  );
}

/**
 * Which columns of a difference are as a finding would have them: `all` of a row that is one too many or too few, and of
 * an altered one where the finding names none; undefined where it explains nothing of it.
 */
type Explains = (difference: Difference) => readonly string[] | 'all' | undefined;

/**
 * Tells whether all that is wrong with one output is known (semantics §8). Give {@link onDifference} to the judge, and
 * its verdict to {@link explain}.
 */
export class KnownRows {
  /** Undefined where no finding can show in the case, so that the judge need not tell of each row. */
  readonly onDifference: DifferenceVisitor | undefined;
  readonly #used = new Set<string>();
  #rows = 0;

  /** `findings`: those {@link findingsFor} the engine. */
  constructor(findings: readonly Finding[], testCase: Case) {
    const explainers = findings.flatMap((finding) => {
      const explains = explainerOf(finding, testCase);
      return explains === undefined ? [] : [{ name: finding.name, explains }];
    });
    if (explainers.length === 0) return;
    this.onDifference = (difference) => {
      const found = leastThatExplain(difference, explainers);
      for (const name of found) this.#used.add(name);
      if (found.length > 0) this.#rows += difference.count;
    };
  }

  /**
   * The findings that explain every row of a divergence between them; none where a row is left. A row that the judge
   * counted but could not tell of is one that is left.
   */
  explain(verdict: Verdict): readonly string[] {
    if (verdict.kind !== 'diverge') return [];
    return this.#rows === differingRows(verdict.counts) ? [...this.#used].sort() : [];
  }
}

/** One finding that explains all of a difference, else those that explain its columns between them; none if they do not. */
function leastThatExplain(
  difference: Difference,
  explainers: readonly { readonly name: string; readonly explains: Explains }[],
): readonly string[] {
  const wrong = difference.kind === 'altered' ? difference.columns : [];
  const found = explainers.flatMap(({ name, explains }) => {
    const columns = explains(difference);
    return columns === undefined ? [] : [{ name, explained: columns === 'all' ? wrong : columns }];
  });
  const alone = found.find(({ explained }) => wrong.every((column) => explained.includes(column)));
  if (alone !== undefined) return [alone.name];
  const left = new Set(wrong);
  const together = found.filter(
    ({ explained }) => explained.filter((column) => left.delete(column)).length > 0,
  );
  return left.size === 0 ? together.map(({ name }) => name) : [];
}

/**
 * Says what of a case's differences a finding explains; undefined where the case cannot show it. Its predicate sees the
 * row that is lost, premature or extra; of an altered one the true row, and what the actual row may be is bounded by
 * the columns in which it differs.
 */
function explainerOf({ signature, predicate }: Finding, testCase: Case): Explains | undefined {
  const { query, dataset, schedule } = testCase;
  const { columns, subtasks } = signature;
  const kinds: readonly string[] = [signature.kind].flat();
  const output = query.output.columns;
  if (!operatorsOf(query.plan).some((node) => isMeant(node, signature))) return undefined;
  if (columns?.every((column) => output.some(({ name }) => name === column)) === false) return undefined;
  if (subtasks !== undefined) {
    const read = streamsOf(query.plan);
    const isCrowded = dataset.streams.some(
      ({ schema, partitions }) => read.includes(schema.name) && partitions.length > schedule.parallelism,
    );
    if (!isCrowded) return undefined;
  }
  let holds: (row: Row) => boolean;
  try {
    holds = predicateOver(predicate, output);
  } catch (error) {
    // A predicate over columns that this output lacks, or has of another type.
    if (error instanceof PlanError) return undefined;
    throw error;
  }
  return (difference) => {
    if (!kinds.includes(difference.kind)) return undefined;
    switch (difference.kind) {
      case 'corrupt':
        return undefined;
      case 'lost':
        return holds(difference.expected) ? 'all' : undefined;
      case 'premature':
      case 'extra':
        return holds(difference.actual) ? 'all' : undefined;
      case 'altered':
        return holds(difference.expected) ? (columns ?? 'all') : undefined;
    }
  };
}

/** Whether an operator of a plan is one that the signature speaks of. */
function isMeant(node: Plan, { operator, over, nulls }: Finding['signature']): boolean {
  if (node.op !== operator) return false;
  if (over !== undefined && !inputsOf(node).some((input) => belowRows(input).op === over)) return false;
  if (nulls === undefined) return true;
  // An engine for which NULL is least puts it first or last by the direction alone.
  const against = nulls === 'first' ? 'desc' : 'asc';
  return node.op === 'rank' && node.orderBy.some((key) => key.nulls === nulls && key.direction === against);
}

/** What gives the rows, below operators that take or shape them one by one. */
function belowRows(plan: Plan): Plan {
  return plan.op === 'filter' || plan.op === 'project' ? belowRows(plan.input) : plan;
}
