import type { Dataset } from '../../model/dataset.ts';
import type { TypedColumn } from '../../model/expression.ts';
import type { Plan } from '../../model/plan/index.ts';
import { type Relation, WINDOW_END, WINDOW_START } from '../../model/plan/relation.ts';
import type { CheckedQuery } from '../../model/query.ts';
import type { Row } from '../../model/value.ts';
import type { Receiver } from './change.ts';
import type { Faults } from './faults.ts';
import { keyReader } from './keys.ts';
import { AssignPanesTask } from './operators/assign-panes.ts';
import { FilterTask } from './operators/filter.ts';
import { GroupAggregateTask } from './operators/group-aggregate.ts';
import { JoinTask } from './operators/join.ts';
import { ProjectTask } from './operators/project.ts';
import { RankTask, rowOrder } from './operators/rank.ts';
import { SessionTask } from './operators/sessions.ts';
import { WindowAggregateTask } from './operators/window-aggregate.ts';
import { panesOf } from './panes.ts';
import { Source } from './source.ts';
import { exchange, forward, type KeyedInput, type StatefulTask } from './task.ts';
import { aggregationsOf } from './values/accumulators.ts';
import { compile, compileCondition } from './values/expression.ts';

/** A job's tasks, ready to run. */
export interface Graph {
  /** By the name of the stream. */
  readonly sources: ReadonlyMap<string, Source>;
  /** In an order that is the same whenever the graph of a query is built. */
  readonly stateful: readonly StatefulTask[];
}

/** Builds the tasks of a query, as many of each operator as `parallelism` says, from the sink up to the sources. */
export function buildGraph(
  query: CheckedQuery,
  dataset: Dataset,
  parallelism: number,
  sink: Receiver,
  faults: Faults,
): Graph {
  const builder = new Builder(query, parallelism, faults);
  builder.build(
    query.plan,
    Array.from({ length: parallelism }, () => sink),
  );
  const sources = new Map<string, Source>();
  for (const [name, scans] of builder.scans) {
    const stream = dataset.streams.find(({ schema }) => schema.name === name)!;
    sources.set(name, new Source(stream, dataset.lagMs, scans, parallelism, faults));
  }
  return { sources, stateful: builder.stateful };
}

/** The inputs behind an operator, one for each of its subtasks. */
type Outputs = readonly Receiver[];

class Builder {
  readonly scans = new Map<string, Outputs[]>();
  readonly stateful: StatefulTask[] = [];
  readonly #query: CheckedQuery;
  readonly #parallelism: number;
  readonly #faults: Faults;

  constructor(query: CheckedQuery, parallelism: number, faults: Faults) {
    this.#query = query;
    this.#parallelism = parallelism;
    this.#faults = faults;
  }

  build(node: Plan, outputs: Outputs): void {
    switch (node.op) {
      case 'scan':
        this.#scan(node.stream, outputs);
        break;
      case 'filter': {
        const accepts = compileCondition(node.where, this.#columns(node.input), this.#faults);
        this.build(
          node.input,
          outputs.map((out) => new FilterTask(accepts, out, this.#faults)),
        );
        break;
      }
      case 'project':
        this.#project(node, outputs);
        break;
      case 'window':
        this.#window(node, outputs);
        break;
      case 'aggregate':
        if (this.#relation(node.input).window === undefined) this.#groupAggregate(node, outputs);
        else this.#windowAggregate(node, outputs);
        break;
      case 'rank':
        this.#rank(node, outputs);
        break;
      case 'join':
        this.#join(node, outputs);
        break;
    }
  }

  #scan(stream: string, outputs: Outputs): void {
    const scans = this.scans.get(stream);
    if (scans === undefined) this.scans.set(stream, [outputs]);
    else scans.push(outputs);
  }

  #project(node: Extract<Plan, { op: 'project' }>, outputs: Outputs): void {
    const input = this.#columns(node.input);
    const columns = node.columns.map(({ value }) => compile(value, input, this.#faults));
    if (node === this.#query.plan && this.#faults.has('internal-column-written')) {
      const end = input.findIndex(({ name }) => name === WINDOW_END);
      const kept = node.columns.some(({ as }) => as === WINDOW_END);
      if (end >= 0 && !kept) columns.push((row) => row[end]!);
    }
    this.build(
      node.input,
      outputs.map((out) => new ProjectTask(columns, out)),
    );
  }

  #window(node: Extract<Plan, { op: 'window' }>, outputs: Outputs): void {
    const input = this.#relation(node.input);
    const timeOf = eventTimeOf(input)!;
    const { window } = node;
    if (window.kind !== 'session') {
      const panes = panesOf(window, this.#faults);
      this.build(
        node.input,
        outputs.map((out) => new AssignPanesTask(panes, timeOf, out, this.#faults)),
      );
      return;
    }
    const keyOf = keyReader(positions(input.columns, window.keys), this.#faults);
    const tasks = outputs.map((out, subtask) => {
      const setting = { gapMs: window.gapMs, keyOf, timeOf, ...this.#place(subtask) };
      return this.#keep(new SessionTask(setting, out, this.#faults));
    });
    this.build(node.input, exchange(keyOf, tasks));
  }

  #windowAggregate(node: Extract<Plan, { op: 'aggregate' }>, outputs: Outputs): void {
    const input = this.#relation(node.input);
    const otherKeys = positions(
      input.columns,
      node.keys.filter((key) => key !== WINDOW_START && key !== WINDOW_END),
    );
    const keys = positions(input.columns, node.keys);
    const [endPosition] = positions(input.columns, [WINDOW_END]);
    const setting = {
      keys,
      otherKeys,
      paneKeyOf: keyReader(keys, this.#faults),
      endPosition: endPosition!,
      timeOf: eventTimeOf(input),
      aggregations: aggregationsOf(node.aggregates, input.columns, false, this.#faults),
      lateDecidedBefore: input.window === 'session',
    };
    const tasks = outputs.map((out, subtask) =>
      this.#keep(new WindowAggregateTask({ ...setting, ...this.#place(subtask) }, out, this.#faults)),
    );
    this.build(node.input, this.#exchangeGroups(keyReader(otherKeys, this.#faults), tasks));
  }

  #groupAggregate(node: Extract<Plan, { op: 'aggregate' }>, outputs: Outputs): void {
    const { columns, updating } = this.#relation(node.input);
    const keys = positions(columns, node.keys);
    const keyOf = keyReader(keys, this.#faults);
    const aggregations = aggregationsOf(node.aggregates, columns, updating, this.#faults);
    const setting = { keys, keyOf, aggregations, channels: this.#parallelism };
    const tasks = outputs.map((out) => this.#keep(new GroupAggregateTask(setting, out, this.#faults)));
    this.build(node.input, this.#exchangeGroups(keyOf, tasks));
  }

  #rank(node: Extract<Plan, { op: 'rank' }>, outputs: Outputs): void {
    const { columns, updating } = this.#relation(node.input);
    const keyOf = keyReader(positions(columns, node.partitionBy), this.#faults);
    const setting = {
      keyOf,
      order: rowOrder(node.orderBy, columns, this.#faults),
      limit: node.limit,
      withdraws: updating,
      channels: this.#parallelism,
    };
    const tasks = outputs.map((out) => this.#keep(new RankTask(setting, out, this.#faults)));
    this.build(node.input, exchange(keyOf, tasks));
  }

  #join(node: Extract<Plan, { op: 'join' }>, outputs: Outputs): void {
    const side = (input: Plan, names: readonly string[]) => {
      const keys = positions(this.#columns(input), names);
      return { keys, keyOf: keyReader(keys, this.#faults) };
    };
    const left = side(
      node.left,
      node.equal.map((pair) => pair.left),
    );
    const right = side(
      node.right,
      node.equal.map((pair) => pair.right),
    );
    const accepts =
      node.where === undefined ? undefined : compileCondition(node.where, this.#columns(node), this.#faults);
    const setting = { left, right, accepts, channels: this.#parallelism };
    const tasks = outputs.map((out) => this.#keep(new JoinTask(setting, out, this.#faults)));
    this.build(
      node.left,
      exchange(
        left.keyOf,
        tasks.map((task) => task.left),
      ),
    );
    this.build(
      node.right,
      exchange(
        right.keyOf,
        tasks.map((task) => task.right),
      ),
    );
  }

  #exchangeGroups(keyOf: ReturnType<typeof keyReader>, tasks: readonly KeyedInput[]): Outputs {
    return this.#faults.has('group-not-exchanged') ? forward(tasks) : exchange(keyOf, tasks);
  }

  #place(subtask: number): { readonly channels: number; readonly lastOfMany: boolean } {
    const channels = this.#parallelism;
    return { channels, lastOfMany: channels > 1 && subtask === channels - 1 };
  }

  #keep<T extends StatefulTask>(task: T): T {
    this.stateful.push(task);
    return task;
  }

  #relation(node: Plan): Relation {
    return this.#query.relationOf(node);
  }

  #columns(node: Plan): readonly TypedColumn[] {
    return this.#relation(node).columns;
  }
}

/** Reads a row's event time in epoch milliseconds, where the relation kept it. */
function eventTimeOf({ columns, eventTime }: Relation): ((row: Row) => number) | undefined {
  if (eventTime === undefined) return undefined;
  const [position] = positions(columns, [eventTime.column]);
  const { shiftMs } = eventTime;
  return (row) => (row[position!] as number) + shiftMs;
}

function positions(columns: readonly TypedColumn[], names: readonly string[]): readonly number[] {
  return names.map((name) => columns.findIndex((column) => column.name === name));
}
