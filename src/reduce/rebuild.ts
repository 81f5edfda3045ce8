import type { Expression } from '../model/expression.ts';
import { inputsOf, type Plan } from '../model/plan/index.ts';
import { WINDOW_END, WINDOW_START } from '../model/plan/relation.ts';
import type { CheckedQuery } from '../model/query.ts';

/**
 * An operator made anew. `of`: what stands now for a column that it gave before, over the columns that it gives now;
 * undefined where nothing does.
 */
export interface Rebuilt {
  readonly plan: Plan;
  of(name: string): Expression | undefined;
}

/** What to make of an operator whose inputs were made anew; undefined where that is nothing. */
export type Edit = (inputs: readonly Rebuilt[]) => Rebuilt | undefined;

/**
 * The plan of a query with some operators made anew. All above them follow: what reads a column that is gone is left out, and what
 * reads one that is computed elsewhere now reads the computation. Undefined where nothing is left. Not checked.
 */
export function rebuild(
  query: CheckedQuery,
  edits: ReadonlyMap<Plan, Edit>,
  plan: Plan = query.plan,
): Rebuilt | undefined {
  const inputs: Rebuilt[] = [];
  for (const input of inputsOf(plan)) {
    const made = rebuild(query, edits, input);
    if (made === undefined) return undefined;
    inputs.push(made);
  }
  const edit = edits.get(plan);
  return edit === undefined ? follow(query, plan, inputs) : edit(inputs);
}

/** An operator over other inputs, less what they no longer give. Its inputs in `node` are those of the query. */
export function follow(query: CheckedQuery, node: Plan, inputs: readonly Rebuilt[]): Rebuilt | undefined {
  const [first, second] = inputs;
  switch (node.op) {
    case 'scan':
      return { plan: node, of: (name) => ({ col: name }) };
    case 'filter': {
      const where = within(node.where, first!);
      if (where === undefined) return first;
      return { plan: { ...node, input: first!.plan, where }, of: (name) => first!.of(name) };
    }
    case 'project': {
      const columns = node.columns.flatMap(({ as, value }) => {
        const now = within(value, first!);
        return now === undefined ? [] : [{ as, value: now }];
      });
      if (columns.length === 0) return undefined;
      const names = new Set(columns.map(({ as }) => as));
      return {
        plan: { ...node, input: first!.plan, columns },
        of: (name) => (names.has(name) ? { col: name } : undefined),
      };
    }
    case 'window': {
      const { window } = node;
      const kept = window.kind === 'session' ? { ...window, keys: columnsNow(window.keys, first!) } : window;
      return {
        plan: { ...node, input: first!.plan, window: kept },
        of: (name) => (name === WINDOW_START || name === WINDOW_END ? { col: name } : first!.of(name)),
      };
    }
    case 'aggregate': {
      const keys = columnsNow(node.keys, first!);
      const aggregates = node.aggregates.flatMap((call) => {
        const { arg, where, ...rest } = call;
        const nowArg = arg === undefined ? undefined : columnNow(arg, first!);
        if (arg !== undefined && nowArg === undefined) return [];
        const nowWhere = where === undefined ? undefined : within(where, first!);
        return [
          {
            ...rest,
            ...(nowArg === undefined ? {} : { arg: nowArg }),
            ...(nowWhere === undefined ? {} : { where: nowWhere }),
          },
        ];
      });
      if (keys.length + aggregates.length === 0) return undefined;
      const names = new Set(aggregates.map(({ as }) => as));
      return {
        plan: { ...node, input: first!.plan, keys, aggregates },
        of(name) {
          if (names.has(name)) return { col: name };
          const key = node.keys.includes(name) ? columnNow(name, first!) : undefined;
          return key === undefined ? undefined : { col: key };
        },
      };
    }
    case 'rank': {
      const partitionBy = columnsNow(node.partitionBy, first!);
      const orderBy = node.orderBy.flatMap((key) => {
        const column = columnNow(key.column, first!);
        return column === undefined ? [] : [{ ...key, column }];
      });
      if (orderBy.length === 0) return first;
      return {
        plan: { ...node, input: first!.plan, partitionBy, orderBy },
        of: (name) => first!.of(name),
      };
    }
    case 'join': {
      const equal = node.equal.flatMap((pair) => {
        const left = columnNow(pair.left, first!);
        const right = columnNow(pair.right, second!);
        return left === undefined || right === undefined ? [] : [{ left, right }];
      });
      if (equal.length === 0) return undefined;
      const of = (name: string) => (gives(query, node.left, name) ? first! : second!).of(name);
      const { where: before, ...rest } = node;
      const where = before === undefined ? undefined : substituted(before, of);
      return {
        plan: {
          ...rest,
          left: first!.plan,
          right: second!.plan,
          equal,
          ...(where === undefined ? {} : { where }),
        },
        of,
      };
    }
  }
}

/** The operator left out: its input stands for it. */
export function bypass(node: Plan, inputs: readonly Rebuilt[]): Rebuilt | undefined {
  const input = inputs[0]!;
  switch (node.op) {
    case 'project':
      return {
        plan: input.plan,
        of(name) {
          const column = node.columns.find(({ as }) => as === name);
          return column === undefined ? undefined : within(column.value, input);
        },
      };
    case 'window':
      return {
        plan: input.plan,
        of: (name) => (name === WINDOW_START || name === WINDOW_END ? undefined : input.of(name)),
      };
    case 'aggregate':
      return {
        plan: input.plan,
        of: (name) => (node.keys.includes(name) ? input.of(name) : undefined),
      };
    case 'scan':
      return undefined;
    default:
      return input;
  }
}

/** One side of a join in its place; what was equal on the other side is read from this one. */
export function sideOf(
  query: CheckedQuery,
  node: Extract<Plan, { op: 'join' }>,
  side: 'left' | 'right',
  inputs: readonly Rebuilt[],
): Rebuilt {
  const own = side === 'left' ? inputs[0] : inputs[1];
  return {
    plan: own!.plan,
    of(name) {
      if (gives(query, node[side], name)) return own!.of(name);
      const pair = node.equal.find((each) => (side === 'left' ? each.right : each.left) === name);
      return pair === undefined ? undefined : own!.of(pair[side]);
    },
  };
}

function gives(query: CheckedQuery, node: Plan, name: string): boolean {
  return query.relationOf(node).columns.some((column) => column.name === name);
}

/** An expression over the columns of now; undefined where one of them is gone. */
export function within(expression: Expression, input: Rebuilt): Expression | undefined {
  return substituted(expression, (name) => input.of(name));
}

export function substituted(
  expression: Expression,
  of: (name: string) => Expression | undefined,
): Expression | undefined {
  if ('col' in expression) return of(expression.col);
  if ('lit' in expression) return expression;
  const args: Expression[] = [];
  for (const arg of expression.args) {
    const now = substituted(arg, of);
    if (now === undefined) return undefined;
    args.push(now);
  }
  return { fn: expression.fn, args };
}

/** The name of the column that stands for one of before; undefined where it is gone or computed. */
function columnNow(name: string, input: Rebuilt): string | undefined {
  const now = input.of(name);
  return now !== undefined && 'col' in now ? now.col : undefined;
}

function columnsNow(names: readonly string[], input: Rebuilt): readonly string[] {
  return [...new Set(names.flatMap((name) => columnNow(name, input) ?? []))];
}
