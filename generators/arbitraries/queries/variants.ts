import type { Expression, Literal } from '../../../src/model/expression.ts';
import type { Plan } from '../../../src/model/plan/index.ts';
import type { OrderKey } from '../../../src/model/plan/rank.ts';
import type { WindowKind } from '../../../src/model/plan/window.ts';
import type { QueryDefinition } from '../../../src/model/query.ts';
import { type Axes, pickedBy, type QuerySource, variantsOf } from './query-source.ts';
import { cumulates, gaps, hops, tumbles } from './window-kinds.ts';

/**
 * A query with other parameters: windows, limits and directions of its order, and the literals it compares with or
 * divides by. 0 is the query itself. Keys and columns stay, and with them the declaration: a limit of one stays one,
 * since it makes the partition unique.
 *
 * Equal windows stay equal, as a join of windows needs, and so do equal literals.
 */
export function variantsOfQuery(definition: QueryDefinition): QuerySource {
  let source = known.get(definition);
  if (source === undefined) {
    source = variantsFrom(definition);
    known.set(definition, source);
  }
  return source;
}

/** One source for each query, so that what is known of its variants is kept. */
const known = new WeakMap<QueryDefinition, QuerySource>();

function variantsFrom(definition: QueryDefinition): QuerySource {
  const axes: Record<string, readonly unknown[]> = {};
  visitParameters(definition.plan, {
    window: (window) => offer(axes, window, windowsLike(window)),
    limit: (limit) =>
      offer(axes, { limit }, limit === 1 ? [1] : [limit, ...[3, 2, 1].filter((n) => n !== limit)]),
    order: (order) => offer(axes, { order }, [order, turned(order)]),
    compared: (literal) => offer(axes, literal, literalsLike(literal)),
    divisor: (literal) => offer(axes, { divisor: literal }, divisorsLike(literal)),
  });
  return {
    name: definition.name,
    variants: variantsOf(axes),
    at(variant) {
      if (variant === 0) return definition;
      const picked = pickedBy(axes as Axes, variant);
      const replace = <T>(key: unknown, own: T) => (picked[JSON.stringify(key)] ?? own) as T;
      const plan = visitParameters(definition.plan, {
        window: (window) => replace(window, window),
        limit: (limit) => replace({ limit }, limit),
        order: (order) => replace({ order }, order),
        compared: (literal) => replace(literal, literal),
        divisor: (literal) => replace({ divisor: literal }, literal),
      });
      return { ...definition, name: `${definition.name}-${variant}`, plan };
    },
  };
}

/** Offers choices under a parameter's own value, and leaves it as it is. */
function offer<T>(axes: Record<string, readonly unknown[]>, key: unknown, choices: readonly T[]): T {
  if (choices.length > 1) axes[JSON.stringify(key)] = choices;
  return choices[0]!;
}

function windowsLike(window: WindowKind): readonly WindowKind[] {
  const like: Record<WindowKind['kind'], () => readonly WindowKind[]> = {
    tumble: () => tumbles,
    hop: () => hops,
    cumulate: () => cumulates,
    session: () => gaps.map((gapMs) => ({ ...window, gapMs }) as WindowKind),
  };
  const own = JSON.stringify(window);
  return [window, ...like[window.kind]().filter((other) => JSON.stringify(other) !== own)];
}

function turned({ column, direction, nulls }: OrderKey): OrderKey {
  return {
    column,
    direction: direction === 'asc' ? 'desc' : 'asc',
    ...(nulls === undefined ? {} : { nulls: nulls === 'first' ? 'last' : 'first' }),
  };
}

function literalsLike(literal: Literal): readonly Literal[] {
  const others = { BIGINT: [0, 1, 11], DOUBLE: [0, 1.5], STRING: ['', 'CA'] }[literal.type as string] ?? [];
  return [literal, ...others.filter((lit) => lit !== literal.lit).map((lit) => ({ ...literal, lit }))];
}

function divisorsLike(literal: Literal): readonly Literal[] {
  if (literal.type !== 'BIGINT') return [literal];
  return [literal, ...[2, 3, -2].filter((lit) => lit !== literal.lit).map((lit) => ({ ...literal, lit }))];
}

/** What to put in a parameter's place. */
interface ParameterVisitor {
  window(window: WindowKind): WindowKind;
  limit(limit: number): number;
  order(order: OrderKey): OrderKey;
  /** A literal that is compared with a value. */
  compared(literal: Literal): Literal;
  /** A literal that is divided by; not zero. */
  divisor(literal: Literal): Literal;
}

function visitParameters(plan: Plan, visit: ParameterVisitor): Plan {
  switch (plan.op) {
    case 'scan':
      return plan;
    case 'filter':
      return { ...plan, input: visitParameters(plan.input, visit), where: visitLiterals(plan.where, visit) };
    case 'project': {
      const columns = plan.columns.map(({ as, value }) => ({ as, value: visitLiterals(value, visit) }));
      return { ...plan, input: visitParameters(plan.input, visit), columns };
    }
    case 'window':
      return { ...plan, input: visitParameters(plan.input, visit), window: visit.window(plan.window) };
    case 'aggregate':
      return { ...plan, input: visitParameters(plan.input, visit) };
    case 'rank': {
      const orderBy = plan.orderBy.map((order) => visit.order(order));
      return { ...plan, input: visitParameters(plan.input, visit), limit: visit.limit(plan.limit), orderBy };
    }
    case 'join': {
      const sides = { left: visitParameters(plan.left, visit), right: visitParameters(plan.right, visit) };
      return plan.where === undefined
        ? { ...plan, ...sides }
        : { ...plan, ...sides, where: visitLiterals(plan.where, visit) };
    }
  }
}

const COMPARISONS = new Set(['eq', 'ne', 'lt', 'le', 'gt', 'ge']);
const DIVISIONS = new Set(['divide', 'modulo']);

function visitLiterals(expression: Expression, visit: ParameterVisitor): Expression {
  if (!('fn' in expression)) return expression;
  const { fn } = expression;
  const args = expression.args.map((arg, index) => {
    if (!('lit' in arg)) return visitLiterals(arg, visit);
    if (COMPARISONS.has(fn)) return visit.compared(arg);
    return DIVISIONS.has(fn) && index === 1 && arg.lit !== 0 ? visit.divisor(arg) : arg;
  });
  return { fn, args };
}
