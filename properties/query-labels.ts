import { columnsRead, type Expression, typeOf } from '../src/model/expression.ts';
import { string } from '../src/model/functions/string.ts';
import { inputsOf, type Plan } from '../src/model/plan/index.ts';
import { WINDOW_END } from '../src/model/plan/relation.ts';
import { expressionsOf, partsOf } from '../src/model/plan/rewrite.ts';
import type { WindowKind } from '../src/model/plan/window.ts';
import type { CheckedQuery } from '../src/model/query.ts';

/** What of a query decides which labels its data and runs may reach. Columns are those of streams, by name. */
export interface QueryLabels {
  /** Labels that the query reaches with any data. */
  readonly labels: readonly string[];
  /** Windows that rows of a stream are put into. */
  readonly windows: readonly { readonly stream: string; readonly window: WindowKind }[];
  readonly keys: ReadonlySet<string>;
  readonly joinKeys: ReadonlySet<string>;
  readonly orders: ReadonlySet<string>;
  readonly moduloOf: ReadonlySet<string>;
  readonly quotientOf: ReadonlySet<string>;
  readonly sumOf: ReadonlySet<string>;
  /** Columns read by conditions that join others by AND, OR or NOT. */
  readonly conditionOf: ReadonlySet<string>;
}

const known = new WeakMap<CheckedQuery, QueryLabels>();

/** Looked up where the query was seen before. */
export function queryLabels(query: CheckedQuery): QueryLabels {
  let found = known.get(query);
  if (found === undefined) {
    found = read(query);
    known.set(query, found);
  }
  return found;
}

function read(query: CheckedQuery): QueryLabels {
  const labels = new Set<string>();
  const windows: { stream: string; window: WindowKind }[] = [];
  const columns = {
    keys: new Set<string>(),
    joinKeys: new Set<string>(),
    orders: new Set<string>(),
    moduloOf: new Set<string>(),
    quotientOf: new Set<string>(),
    sumOf: new Set<string>(),
    conditionOf: new Set<string>(),
  };
  const add = (set: Set<string>, node: Plan, name: string) => {
    for (const source of sourcesOf(node, name)) set.add(source);
  };
  const visit = (node: Plan): void => {
    const inputs = inputsOf(node);
    for (const input of inputs) visit(input);
    for (const part of expressionsOf(node).flatMap(partsOf)) {
      if ('fn' in part) {
        const { fn, args } = part;
        // A join's condition is taken for its left side's.
        const input = inputs[0]!;
        const sources = (arg: Expression, set: Set<string>) => {
          for (const name of columnsRead(arg)) add(set, input, name);
        };
        if (fn === 'modulo') sources(args[0]!, columns.moduloOf);
        if (fn === 'divide') sources(args[0]!, columns.quotientOf);
        if (CONNECTIVES.has(fn)) for (const arg of args) sources(arg, columns.conditionOf);
        if (TEXT_FUNCTIONS.has(fn)) labels.add('text-function');
        const relation = query.relationOf(input);
        const all =
          node.op === 'join'
            ? [...relation.columns, ...query.relationOf(node.right).columns]
            : relation.columns;
        if (ORDERINGS.has(fn) && typeOf(args[0]!, all, 'arg').type === 'STRING') labels.add('text-order');
      }
    }
    switch (node.op) {
      case 'filter':
        labels.add('filter');
        if (below(node.input, 'project', 'filter').op === 'aggregate') labels.add('having');
        break;
      case 'window': {
        labels.add(node.window.kind);
        for (const label of windowLabels(node.window)) labels.add(label);
        const source = below(node.input, 'project', 'filter');
        if (source.op === 'scan') windows.push({ stream: source.stream, window: node.window });
        else labels.add('window-over-window');
        if (node.window.kind === 'session')
          for (const key of node.window.keys) add(columns.keys, node.input, key);
        break;
      }
      case 'aggregate': {
        const { columns: typed, window } = query.relationOf(node.input);
        if (window === undefined) {
          labels.add('unbounded');
          labels.add(
            OVER[below(node.input, 'project', 'filter').op as keyof typeof OVER] ?? 'aggregate-over-scan',
          );
          if (hasWindowEnd(node.input)) labels.add('aggregate-over-window');
        }
        for (const key of node.keys) add(columns.keys, node.input, key);
        const distinct = new Set(node.aggregates.flatMap((call) => (call.distinct ? [call.arg] : [])));
        labels.add(DISTINCTS[Math.min(distinct.size, 2)]!);
        for (const { fn, arg, where } of node.aggregates) {
          if (where !== undefined) labels.add('filter-clause');
          if (arg === undefined) continue;
          const { type } = typeOf({ col: arg }, typed, 'arg');
          if (fn === 'sum' || fn === 'avg') {
            add(columns.sumOf, node.input, arg);
            if (type === 'DOUBLE') labels.add('exact-doubles');
          }
          if ((fn === 'min' || fn === 'max') && type === 'STRING') labels.add('text-order');
        }
        break;
      }
      case 'rank': {
        labels.add('rank');
        if (below(node.input, 'project', 'filter').op === 'aggregate') labels.add('rank-over-aggregate');
        for (const key of node.partitionBy) add(columns.keys, node.input, key);
        const [first] = node.orderBy;
        const relation = query.relationOf(node.input);
        add(columns.orders, node.input, first!.column);
        if (node.limit > 1) labels.add('top-n');
        else if (first!.column === relation.eventTime?.column) {
          labels.add(first!.direction === 'asc' ? 'keep-first' : 'keep-last');
        }
        if (typeOf({ col: first!.column }, relation.columns, 'order').type === 'STRING')
          labels.add('text-order');
        break;
      }
      case 'join':
        labels.add('join');
        if (node.where !== undefined) labels.add('join-condition');
        if (hasWindowEnd(node.left) && hasWindowEnd(node.right)) labels.add('join-of-windows');
        for (const { left, right } of node.equal) {
          for (const set of [columns.keys, columns.joinKeys]) {
            add(set, node.left, left);
            add(set, node.right, right);
          }
        }
        break;
    }
  };
  visit(query.plan);
  if (!query.output.updating && windows.length === 0 && !labels.has('join')) labels.add('row-by-row');
  return { labels: [...labels], windows, ...columns };
}

const OVER = {
  join: 'aggregate-over-join',
  rank: 'aggregate-over-rank',
  aggregate: 'aggregate-over-aggregate',
} as const;
const DISTINCTS = ['no-distinct', 'one-distinct', 'several-distinct'] as const;
const CONNECTIVES = new Set(['and', 'or', 'not']);
const ORDERINGS = new Set(['lt', 'le', 'gt', 'ge']);
const TEXT_FUNCTIONS = new Set(Object.keys(string));

function windowLabels(window: WindowKind): readonly string[] {
  if (window.kind === 'session') return [];
  const labels = window.offsetMs === 0 ? [] : ['offset'];
  if (window.kind !== 'hop') return labels;
  if (window.slideMs > window.sizeMs) labels.push('slide-beyond-size');
  else if (window.sizeMs % window.slideMs !== 0) labels.push('slide-not-dividing');
  return labels;
}

/** The first operator from a plan down that is of none of these kinds. */
function below(plan: Plan, ...kinds: readonly Plan['op'][]): Plan {
  return kinds.includes(plan.op) && 'input' in plan ? below(plan.input, ...kinds) : plan;
}

function hasWindowEnd(plan: Plan): boolean {
  const top = below(plan, 'project', 'filter');
  return top.op === 'aggregate' && top.keys.includes(WINDOW_END);
}

/** The columns of streams that a column is computed from; none through an aggregate but for its keys. */
function sourcesOf(plan: Plan, name: string): readonly string[] {
  switch (plan.op) {
    case 'scan':
      return [name];
    case 'project': {
      const column = plan.columns.find(({ as }) => as === name);
      return column === undefined
        ? []
        : columnsRead(column.value).flatMap((read) => sourcesOf(plan.input, read));
    }
    case 'aggregate':
      return plan.keys.includes(name) ? sourcesOf(plan.input, name) : [];
    case 'join':
      return [...sourcesOf(plan.left, name), ...sourcesOf(plan.right, name)];
    default:
      return sourcesOf(plan.input, name);
  }
}
