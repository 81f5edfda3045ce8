import type { Dataset, StreamData } from '../src/model/dataset.ts';
import type { Expression, TypedColumn } from '../src/model/expression.ts';
import type { AggregateCall } from '../src/model/plan/aggregate.ts';
import { type CheckedPlan, inputsOf, type Plan } from '../src/model/plan/index.ts';
import { type Relation, WINDOW_END, WINDOW_START } from '../src/model/plan/relation.ts';
import type { WindowKind } from '../src/model/plan/window.ts';
import type { Traits } from '../src/model/traits.ts';
import type { Row } from '../src/model/value.ts';
import { compile, type Evaluate } from './expression.ts';
import { Lateness } from './lateness.ts';
import { aggregate, aggregateRule } from './operators/aggregate.ts';
import { filter } from './operators/filter.ts';
import { type Grouping, groupPanes, groupRows, groupSessions } from './operators/grouping.ts';
import { join } from './operators/join.ts';
import { project } from './operators/project.ts';
import { rank } from './operators/rank.ts';
import { scan } from './operators/scan.ts';
import { foldSessions, type SessionStream, sessionWindow } from './operators/session.ts';
import type { RowStream, WindowedStream } from './operators/stream.ts';
import { alignedWindow, type TimeColumn, withBounds } from './operators/window.ts';
import { compareRows } from './order.ts';
import { finalWatermark, watermarkCount } from './watermark.ts';

/**
 * Up to which watermark the truth is told (semantics §5): that of each source once all its rows are read
 * (`settled`), +∞ (`drained`), or one given in epoch milliseconds.
 */
export type Until = 'settled' | 'drained' | number;

/**
 * A bag of rows and, row by row, their fire points in epoch ms; −∞ for a row that is emitted at once.
 *
 * - `watermark`: that of the plan's last operator, +∞ when drained.
 * - `late`: number of (row, window) pairs whose row came late. Without any, the drained truth is the same for every
 *   engine whose sessions merge alike, since all other traits decide only what is late.
 */
export interface Truth {
  readonly rows: readonly Row[];
  readonly firePoints: readonly number[];
  readonly watermark: number;
  readonly late: number;
}

/**
 * The truth of a plan over a dataset (semantics §5): computed from every row that counts under §3 and §4, then cut
 * off by fire point. Uses no code of any engine, adapter or dialect.
 *
 * @throws OracleRefusal where the semantics leave the answer open.
 */
export function truth(query: CheckedPlan, dataset: Dataset, until: Until, traits: Traits): Truth {
  const evaluation = new Evaluation(query, dataset, until, traits);
  const rows: Row[] = [];
  const firePoints: number[] = [];
  evaluation.rowsOf(query.plan)((row, fire) => {
    rows.push(row);
    firePoints.push(fire);
  });
  return { rows, firePoints, watermark: evaluation.watermarkOf(query.plan), late: evaluation.late };
}

/** The same truth in an order that depends on its rows alone: by fire point, then by values. */
export function inStableOrder({ rows, firePoints, ...rest }: Truth): Truth {
  const order = rows.map((_, index) => index);
  order.sort((a, b) => {
    const [x, y] = [firePoints[a]!, firePoints[b]!];
    return x < y ? -1 : x > y ? 1 : compareRows(rows[a]!, rows[b]!);
  });
  return {
    rows: order.map((index) => rows[index]!),
    firePoints: order.map((index) => firePoints[index]!),
    ...rest,
  };
}

class Evaluation {
  readonly #query: CheckedPlan;
  readonly #dataset: Dataset;
  readonly #until: Until;
  readonly #traits: Traits;
  readonly #lateness: Lateness[] = [];

  constructor(query: CheckedPlan, dataset: Dataset, until: Until, traits: Traits) {
    this.#query = query;
    this.#dataset = dataset;
    this.#until = until;
    this.#traits = traits;
  }

  /** An operator's watermark is the least over its inputs (semantics §2). */
  watermarkOf(node: Plan): number {
    if (node.op !== 'scan') return Math.min(...inputsOf(node).map((input) => this.watermarkOf(input)));
    if (this.#until === 'drained') return Number.POSITIVE_INFINITY;
    if (typeof this.#until === 'number') return this.#until;
    return finalWatermark(this.#stream(node.stream), this.#dataset.lagMs, this.#traits);
  }

  /** Late pairs of all windows, once the rows were read. */
  get late(): number {
    return this.#lateness.reduce((sum, { late }) => sum + late, 0);
  }

  rowsOf(node: Plan): RowStream {
    switch (node.op) {
      case 'scan':
        return scan(this.#stream(node.stream), this.#dataset.lagMs, this.#traits);
      case 'filter': {
        const where = compile(node.where, this.#relation(node.input).columns);
        const { input } = node;
        return input.op === 'project' ? this.#project(input, where) : filter(this.rowsOf(input), where);
      }
      case 'project':
        return this.#project(node);
      case 'window':
        return withBounds(this.#window(node));
      case 'aggregate':
        return this.#aggregate(node);
      case 'rank': {
        const { columns } = this.#relation(node.input);
        return rank(
          this.rowsOf(node.input),
          node.partitionBy.map((name) => at(columns, name)),
          node.orderBy.map(({ column, direction, nulls }) => ({
            index: at(columns, column),
            direction,
            nulls,
          })),
          node.limit,
        );
      }
      case 'join': {
        const left = this.#relation(node.left).columns;
        const right = this.#relation(node.right).columns;
        return join(
          this.rowsOf(node.left),
          this.rowsOf(node.right),
          {
            left: node.equal.map((pair) => at(left, pair.left)),
            right: node.equal.map((pair) => at(right, pair.right)),
          },
          node.where && compile(node.where, [...left, ...right]),
        );
      }
    }
  }

  #project(node: Extract<Plan, { op: 'project' }>, where?: Evaluate): RowStream {
    const input = this.rowsOf(node.input);
    const { columns } = this.#relation(node.input);
    // Rows whose columns all stay what and where they are need not be made again.
    const same = (value: Expression, index: number) => 'col' in value && value.col === columns[index]?.name;
    if (
      node.columns.length === columns.length &&
      node.columns.every(({ value }, index) => same(value, index))
    ) {
      return where === undefined ? input : filter(input, where);
    }
    return project(
      input,
      node.columns.map(({ value }) => compile(value, columns)),
      where,
    );
  }

  #window(node: Extract<Plan, { op: 'window' }>): WindowedStream {
    if (node.window.kind === 'session') {
      return sessionWindow(this.#sessions(node, node.window), node.window.gapMs);
    }
    const { time, lateness, fireEarlyMs } = this.#windowing(node);
    return alignedWindow(this.rowsOf(node.input), node.window, time, lateness, fireEarlyMs);
  }

  #sessions(
    node: Extract<Plan, { op: 'window' }>,
    { gapMs, keys }: Extract<WindowKind, { kind: 'session' }>,
  ): SessionStream {
    const { time, lateness, fireEarlyMs } = this.#windowing(node);
    const { columns } = this.#relation(node.input);
    const touching = this.#traits.sessionTouching;
    const rule = { gapMs, keys: keys.map((name) => at(columns, name)), touching, fireEarlyMs };
    return foldSessions(this.rowsOf(node.input), rule, time, lateness);
  }

  #windowing(node: Extract<Plan, { op: 'window' }>) {
    const { columns, eventTime } = this.#relation(node.input);
    const time: TimeColumn = { index: at(columns, eventTime!.column), shiftMs: eventTime!.shiftMs };
    const lateness = new Lateness(this.#traits, this.#partitionsBehind(node.input));
    this.#lateness.push(lateness);
    return { time, lateness, fireEarlyMs: this.#traits.fireEarlyMs.window };
  }

  #aggregate(node: Extract<Plan, { op: 'aggregate' }>): RowStream {
    const { columns, window } = this.#relation(node.input);
    const rules = node.aggregates.map((call) => aggregateRule(call, columns));
    const watermark = this.watermarkOf(node);
    const fireEarlyMs = this.#traits.fireEarlyMs.window;
    const pane = window && {
      end: node.keys.indexOf(WINDOW_END),
      due: (firePoint: number) => firePoint - fireEarlyMs <= watermark,
    };
    const keys = node.keys.map((name) => at(columns, name));
    const grouping = this.#panes(node, keys) ?? groupRows(this.rowsOf(node.input), keys);
    return aggregate(grouping, keys.length, rules, pane);
  }

  /** The panes of an aggregate directly over a window that has no use for the bounds but as keys. */
  #panes(node: Extract<Plan, { op: 'aggregate' }>, keys: readonly number[]): Grouping | undefined {
    const { input } = node;
    if (input.op !== 'window' || node.aggregates.some(readsBounds)) return undefined;
    const width = this.#relation(input.input).columns.length;
    const { window } = input;
    const own = node.keys.filter((name) => name !== WINDOW_START && name !== WINDOW_END);
    if (window.kind === 'session' && isSameSet(own, window.keys)) {
      return groupSessions(this.#sessions(input, window), window.gapMs, keys, width);
    }
    return groupPanes(this.#window(input), keys, width);
  }

  /** How many watermarks feed the one that decides lateness; panes are never late, whatever is behind them. */
  #partitionsBehind(node: Plan): number {
    if (node.op === 'scan') return watermarkCount(this.#stream(node.stream), this.#traits);
    return inputsOf(node).reduce((sum, input) => sum + this.#partitionsBehind(input), 0);
  }

  #relation(node: Plan): Relation {
    return this.#query.relationOf(node);
  }

  #stream(name: string): StreamData {
    const stream = this.#dataset.streams.find(({ schema }) => schema.name === name);
    if (stream === undefined) throw new Error(`the dataset has no stream ${name}`);
    return stream;
  }
}

/** Whether two lists hold the same names; `a` holds none twice. */
function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

function at(columns: readonly TypedColumn[], name: string): number {
  return columns.findIndex((column) => column.name === name);
}

/** Whether an aggregate is over the bounds of its window, or filters by them. */
function readsBounds({ arg, where }: AggregateCall): boolean {
  const isBound = (name: string) => name === WINDOW_START || name === WINDOW_END;
  const reads = (expression: Expression): boolean =>
    'col' in expression ? isBound(expression.col) : 'fn' in expression && expression.args.some(reads);
  return (arg !== undefined && isBound(arg)) || (where !== undefined && reads(where));
}
