import { columnsRead, type Expression } from '../model/expression.ts';
import type { Aggregate } from '../model/plan/aggregate.ts';
import type { Filter } from '../model/plan/filter.ts';
import type { Plan } from '../model/plan/index.ts';
import type { Join } from '../model/plan/join.ts';
import type { Project } from '../model/plan/project.ts';
import type { Rank } from '../model/plan/rank.ts';
import { type Relation, WINDOW_END, WINDOW_START } from '../model/plan/relation.ts';
import type { Scan } from '../model/plan/scan.ts';
import type { Window } from '../model/plan/window.ts';
import type { CheckedQuery } from '../model/query.ts';
import { INT_MAX } from '../model/value.ts';
import { UnsupportedForm } from './unsupported.ts';

/*
 * Flink has two kinds of time that the plan language has not. Windows need a *time attribute*, which no expression
 * may touch and a join or a top-N may not carry; and the bounds that a window gives are TIMESTAMPs, while every
 * other TIMESTAMP(3) is a BIGINT of epoch milliseconds, as it is on the wire. So the plan is rewritten first: the
 * time attribute goes along as one more column, just where a window above wants it, and bounds are turned into
 * milliseconds where they meet an expression or the output. Until then they stay what they are, so that Flink
 * knows a window top-N and a window join when it sees one.
 */

/** The time attribute of a source table. No column of a user's can have the name: names start with a letter. */
export const ROWTIME = '_rowtime';

/** The time attribute that Flink's windows give, for windows over their results. */
export const WINDOW_TIME = 'window_time';

/** Name of the function that turns a bound into milliseconds; only {@link withFlinkTime} writes it. */
export const EPOCH_MS = 'epoch_ms';

/** The same query with its time attributes explicit, as Flink's dialect renders it. */
export function withFlinkTime(query: CheckedQuery): CheckedQuery {
  return new Rewriter(query).rewrite();
}

/**
 * A rewritten operator.
 *
 * - `bounds`: its columns that are TIMESTAMPs.
 * - `time`: its column that is the time attribute, where one was asked for.
 * - `sessionKeys`: over rows in a session window, the columns that each of its keys is in; none for one that is gone.
 */
interface Timed {
  readonly plan: Plan;
  readonly relation: Relation;
  readonly bounds: ReadonlySet<string>;
  readonly time?: string | undefined;
  readonly sessionKeys?: readonly (readonly string[])[] | undefined;
}

class Rewriter {
  readonly #query: CheckedQuery;
  readonly #relations = new Map<Plan, Relation>();

  constructor(query: CheckedQuery) {
    this.#query = query;
  }

  rewrite(): CheckedQuery {
    const { plan, relation } = this.#inMilliseconds(this.#visit(this.#query.plan, false));
    return {
      ...this.#query,
      plan,
      output: relation,
      relationOf: (node) => {
        const found = this.#relations.get(node);
        if (found === undefined) throw new Error('not an operator of this plan');
        return found;
      },
    };
  }

  #visit(node: Plan, timed: boolean): Timed {
    switch (node.op) {
      case 'scan':
        return this.#scan(node, timed);
      case 'filter':
        return this.#filter(node, timed);
      case 'project':
        return this.#project(node, timed);
      case 'window':
        return this.#window(node);
      case 'aggregate':
        return this.#aggregate(node, timed);
      case 'rank':
        return this.#rank(node);
      case 'join':
        return this.#join(node);
    }
  }

  #scan(node: Scan, timed: boolean): Timed {
    const relation = this.#query.relationOf(node);
    // A node of its own, since one builder may stand in several places of a plan.
    return this.#give({ ...node }, relation, new Set(), timed ? ROWTIME : undefined);
  }

  #filter(node: Filter, timed: boolean): Timed {
    const input = this.#visit(node.input, timed);
    const plan = { ...node, input: input.plan, where: readable(node.where, input.bounds) };
    return { ...this.#give(plan, input.relation, input.bounds, input.time), sessionKeys: input.sessionKeys };
  }

  #project(node: Project, timed: boolean): Timed {
    const input = this.#visit(node.input, timed);
    const isBound = (value: Expression) => 'col' in value && input.bounds.has(value.col);
    const relation = this.#query.relationOf(node);
    const columns = node.columns.map(({ as, value }, index) => {
      if (isBound(value)) return { as, value };
      const narrow = relation.columns[index]!.type === 'BIGINT' && isNarrow(value);
      const wide = narrow ? { fn: 'to_bigint', args: [value] } : value;
      return { as, value: readable(wide, input.bounds) };
    });
    const bounds = new Set(node.columns.filter(({ value }) => isBound(value)).map(({ as }) => as));
    // Rows in a window keep its name for it, so that their aggregate can group by it.
    const name = relation.window === undefined ? ROWTIME : WINDOW_TIME;
    const [time, withTime] =
      input.time === undefined
        ? [undefined, columns]
        : [name, [...columns, { as: name, value: { col: input.time } }]];
    const kept = (key: readonly string[]) =>
      node.columns.filter(({ value }) => 'col' in value && key.includes(value.col)).map(({ as }) => as);
    return {
      ...this.#give({ ...node, input: input.plan, columns: withTime }, relation, bounds, time),
      sessionKeys: input.sessionKeys?.map(kept),
    };
  }

  #window(node: Window): Timed {
    const input = this.#visit(node.input, true);
    if (this.#query.relationOf(node.input).columns.some(({ name }) => name === WINDOW_TIME)) {
      throw new UnsupportedForm(`a window over a column ${WINDOW_TIME}`);
    }
    const bounds = new Set([...input.bounds, WINDOW_START, WINDOW_END]);
    const window = this.#give(
      { ...node, input: input.plan },
      this.#query.relationOf(node),
      bounds,
      WINDOW_TIME,
    );
    const keys = node.window.kind === 'session' ? node.window.keys : undefined;
    return { ...window, sessionKeys: keys?.map((key) => [key]) };
  }

  #aggregate(node: Aggregate, timed: boolean): Timed {
    const input = this.#visit(node.input, timed);
    if (input.sessionKeys !== undefined) checkSessionKeys(input.sessionKeys, node.keys);
    const aggregates = node.aggregates.map((call) =>
      call.where === undefined ? call : { ...call, where: readable(call.where, input.bounds) },
    );
    const bounds = new Set([
      ...node.keys.filter((key) => input.bounds.has(key)),
      ...node.aggregates
        .filter(({ fn, arg }) => (fn === 'min' || fn === 'max') && arg !== undefined && input.bounds.has(arg))
        .map(({ as }) => as),
    ]);
    const relation = this.#query.relationOf(node);
    const plan = { ...node, input: input.plan, aggregates };
    if (!timed) return this.#give(plan, relation, bounds);
    return this.#give({ ...plan, keys: [...node.keys, WINDOW_TIME] }, relation, bounds, WINDOW_TIME);
  }

  #rank(node: Rank): Timed {
    const input = this.#visit(node.input, false);
    return this.#give({ ...node, input: input.plan }, this.#query.relationOf(node), input.bounds);
  }

  #join(node: Join): Timed {
    let left = this.#visit(node.left, false);
    let right = this.#visit(node.right, false);
    for (const pair of node.equal) {
      if (left.bounds.has(pair.left) === right.bounds.has(pair.right)) continue;
      left = this.#inMilliseconds(left);
      right = this.#inMilliseconds(right);
    }
    const bounds = new Set([...left.bounds, ...right.bounds]);
    const plan: Join = {
      ...node,
      left: left.plan,
      right: right.plan,
      ...(node.where === undefined ? {} : { where: readable(node.where, bounds) }),
    };
    return this.#give(plan, this.#query.relationOf(node), bounds);
  }

  /** The same rows with every bound in milliseconds. */
  #inMilliseconds(input: Timed): Timed {
    if (input.bounds.size === 0) return input;
    const columns = input.relation.columns.map(({ name }) => ({
      as: name,
      value: readable({ col: name }, input.bounds),
    }));
    return this.#give({ op: 'project', input: input.plan, columns }, input.relation, new Set());
  }

  /** `relation`: that of the operator without its time attribute. */
  #give(plan: Plan, relation: Relation, bounds: ReadonlySet<string>, time?: string): Timed {
    const columns = relation.columns.filter(({ name }) => name !== time);
    const attribute = { name: time ?? '', type: 'TIMESTAMP(3)', nullable: false, integral: true } as const;
    const given: Relation =
      time === undefined
        ? relation
        : { ...relation, columns: [...columns, attribute], eventTime: { column: time, shiftMs: 0 } };
    this.#relations.set(plan, given);
    return { plan, relation: given, bounds, time };
  }
}

/** Flink aggregates sessions by their own keys alone: by others, rows would be updated. */
function checkSessionKeys(sessionKeys: readonly (readonly string[])[], keys: readonly string[]): void {
  if (sessionKeys.some((columns) => columns.length === 0)) {
    throw new UnsupportedForm('a session window whose key is projected away');
  }
  const others = keys.filter((key) => key !== WINDOW_START && key !== WINDOW_END);
  const isKey = (column: string) => sessionKeys.some((columns) => columns.includes(column));
  const isGrouped = (columns: readonly string[]) => columns.some((column) => others.includes(column));
  if (!(others.every(isKey) && sessionKeys.every(isGrouped))) {
    throw new UnsupportedForm('a session window whose keys are not those of its aggregate');
  }
}

/** An expression over rows of which some columns are bounds. */
function readable(expression: Expression, bounds: ReadonlySet<string>): Expression {
  if (!columnsRead(expression).some((name) => bounds.has(name))) return expression;
  if ('col' in expression) return { fn: EPOCH_MS, args: [expression] };
  if ('lit' in expression) return expression;
  return { ...expression, args: expression.args.map((arg) => readable(arg, bounds)) };
}

/**
 * Whether Flink computes a BIGINT expression as an INT: its literals are INT where they fit, and it has no column
 * of it to widen them.
 */
export function isNarrow(expression: Expression): boolean {
  if ('col' in expression) return false;
  if ('lit' in expression)
    return expression.lit === null ? false : Math.abs(Number(expression.lit)) <= INT_MAX;
  const { fn, args } = expression;
  switch (fn) {
    case 'modulo':
    case 'coalesce':
      return args.every(isNarrow);
    case 'case':
      return args.filter((_, index) => index % 2 === 1 || index === args.length - 1).every(isNarrow);
    default:
      // The other arithmetic widens by itself.
      return false;
  }
}
