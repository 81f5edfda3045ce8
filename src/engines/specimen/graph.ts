import type { Dataset } from '../../model/dataset.ts';
import type { TypedColumn } from '../../model/expression.ts';
import type { Plan } from '../../model/plan/index.ts';
import { type Relation, WINDOW_END, WINDOW_START } from '../../model/plan/relation.ts';
import type { CheckedQuery } from '../../model/query.ts';
import type { Column } from '../../model/schema.ts';
import type { Row } from '../../model/value.ts';
import type { Receiver } from './change.ts';
import type { Faults } from './faults.ts';
import { keyReader } from './keys.ts';
import { AssignPanesTask } from './operators/assign-panes.ts';
import { FilterTask } from './operators/filter.ts';
import { GroupAggregateTask } from './operators/group-aggregate.ts';
import { type JoinSideSetting, JoinTask } from './operators/join.ts';
import { ProjectTask } from './operators/project.ts';
import { RankTask, rowOrder } from './operators/rank.ts';
import { SessionTask } from './operators/sessions.ts';
import type { SinkSetting } from './operators/sink.ts';
import { WindowAggregateTask } from './operators/window-aggregate.ts';
import { panesOf } from './panes.ts';
import { Source } from './source.ts';
import { exchange, forward, type KeyedInput, type StatefulTask, type SubtaskPlace } from './task.ts';
import { aggregationsOf } from './values/accumulators.ts';
import { compile, compileCondition } from './values/expression.ts';

/** A job's tasks, ready to run. */
export interface Graph {
  /** By the name of the stream. */
  readonly sources: ReadonlyMap<string, Source>;
  /** In an order that is the same whenever the graph of a query is built. */
  readonly stateful: readonly StatefulTask[];
}

/** The inputs behind an operator, one for each of its subtasks. */
type Outputs = readonly Receiver[];

/** What of a graph is there while it is built. */
interface Building {
  readonly parallelism: number;
  readonly scans: Map<string, Outputs[]>;
  readonly stateful: StatefulTask[];
}

/** Adds the tasks of an operator before those that take its rows, and of all before it. */
type Stage = (outputs: Outputs, building: Building) => void;

/** How the graphs of a query are built. Expressions are compiled once, tasks are made for every run and restart. */
export class Blueprint {
  /** What its sink is made for. */
  readonly sink: SinkSetting;
  readonly #faults: Faults;
  readonly #stage: Stage;

  constructor(query: CheckedQuery, faults: Faults) {
    this.sink = sinkSetting(query, faults);
    this.#faults = faults;
    this.#stage = new Stages(query, faults).of(query.plan);
  }

  /** The tasks of the query, as many of each operator as `parallelism` says, from the sink up to the sources. */
  build(dataset: Dataset, parallelism: number, sink: Receiver): Graph {
    const building: Building = { parallelism, scans: new Map(), stateful: [] };
    this.#stage(new Array<Receiver>(parallelism).fill(sink), building);
    const sources = new Map<string, Source>();
    for (const [name, scans] of building.scans) {
      const stream = dataset.streams.find(({ schema }) => schema.name === name)!;
      sources.set(name, new Source(stream, dataset.lagMs, scans, parallelism, this.#faults));
    }
    return { sources, stateful: building.stateful };
  }
}

/** The stages of a query's operators. */
class Stages {
  readonly #query: CheckedQuery;
  readonly #faults: Faults;

  constructor(query: CheckedQuery, faults: Faults) {
    this.#query = query;
    this.#faults = faults;
  }

  of(node: Plan): Stage {
    switch (node.op) {
      case 'scan':
        return scanOf(node.stream);
      case 'filter': {
        const accepts = compileCondition(node.where, this.#columns(node.input), this.#faults);
        return this.#behind(node.input, (out) => new FilterTask(accepts, out, this.#faults));
      }
      case 'project':
        return this.#project(node);
      case 'window':
        return this.#window(node);
      case 'aggregate':
        return this.#relation(node.input).window === undefined
          ? this.#groupAggregate(node)
          : this.#windowAggregate(node);
      case 'rank':
        return this.#rank(node);
      case 'join':
        return this.#join(node);
    }
  }

  #project(node: Extract<Plan, { op: 'project' }>): Stage {
    const input = this.#columns(node.input);
    const columns = node.columns.map(({ value }) => compile(value, input, this.#faults));
    if (node === this.#query.plan && this.#faults.has('internal-column-written')) {
      const end = input.findIndex(({ name }) => name === WINDOW_END);
      const kept = node.columns.some(({ as }) => as === WINDOW_END);
      if (end >= 0 && !kept) columns.push((row) => row[end]!);
    }
    return this.#behind(node.input, (out) => new ProjectTask(columns, out));
  }

  #window(node: Extract<Plan, { op: 'window' }>): Stage {
    const input = this.#relation(node.input);
    const timeOf = eventTimeOf(input)!;
    const { window } = node;
    if (window.kind !== 'session') {
      const panes = panesOf(window, this.#faults);
      return this.#behind(node.input, (out) => new AssignPanesTask(panes, timeOf, out, this.#faults));
    }
    const keyOf = keyReader(positions(input.columns, window.keys), this.#faults);
    const setting = { gapMs: window.gapMs, keyOf, timeOf };
    return this.#keyed(
      node.input,
      (tasks) => exchange(keyOf, tasks),
      (out, place) => new SessionTask(setting, place, out, this.#faults),
    );
  }

  #windowAggregate(node: Extract<Plan, { op: 'aggregate' }>): Stage {
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
    return this.#keyed(
      node.input,
      this.#exchangeGroups(keyReader(otherKeys, this.#faults)),
      (out, place) => new WindowAggregateTask(setting, place, out, this.#faults),
    );
  }

  #groupAggregate(node: Extract<Plan, { op: 'aggregate' }>): Stage {
    const { columns, updating } = this.#relation(node.input);
    const keys = positions(columns, node.keys);
    const keyOf = keyReader(keys, this.#faults);
    const aggregations = aggregationsOf(node.aggregates, columns, updating, this.#faults);
    const setting = { keys, keyOf, aggregations };
    return this.#keyed(
      node.input,
      this.#exchangeGroups(keyOf),
      (out, { channels }) => new GroupAggregateTask(setting, channels, out, this.#faults),
    );
  }

  #rank(node: Extract<Plan, { op: 'rank' }>): Stage {
    const { columns, updating } = this.#relation(node.input);
    const keyOf = keyReader(positions(columns, node.partitionBy), this.#faults);
    const setting = {
      keyOf,
      order: rowOrder(node.orderBy, columns, this.#faults),
      limit: node.limit,
      withdraws: updating,
    };
    return this.#keyed(
      node.input,
      (tasks) => exchange(keyOf, tasks),
      (out, { channels }) => new RankTask(setting, channels, out, this.#faults),
    );
  }

  #join(node: Extract<Plan, { op: 'join' }>): Stage {
    const left = this.#joinSide(
      node.left,
      node.equal.map((pair) => pair.left),
    );
    const right = this.#joinSide(
      node.right,
      node.equal.map((pair) => pair.right),
    );
    const accepts =
      node.where === undefined ? undefined : compileCondition(node.where, this.#columns(node), this.#faults);
    const setting = { left, right, accepts };
    const [leftInput, rightInput] = [this.of(node.left), this.of(node.right)];
    return (outputs, building) => {
      const tasks = outputs.map((out) => {
        const task = new JoinTask(setting, building.parallelism, out, this.#faults);
        building.stateful.push(task);
        return task;
      });
      const lefts = tasks.map((task) => task.left);
      const rights = tasks.map((task) => task.right);
      leftInput(exchange(left.keyOf, lefts), building);
      rightInput(exchange(right.keyOf, rights), building);
    };
  }

  #joinSide(input: Plan, names: readonly string[]): JoinSideSetting {
    const keys = positions(this.#columns(input), names);
    return { keys, keyOf: keyReader(keys, this.#faults) };
  }

  #exchangeGroups(keyOf: ReturnType<typeof keyReader>): Exchange {
    return this.#faults.has('group-not-exchanged') ? forward : (tasks) => exchange(keyOf, tasks);
  }

  /** Tasks without state, each behind the same subtask of the input. */
  #behind(input: Plan, create: (out: Receiver) => Receiver): Stage {
    const before = this.of(input);
    return (outputs, building) => before(outputs.map(create), building);
  }

  /** Tasks with state, between which the input's rows are shared out. */
  #keyed<T extends StatefulTask & KeyedInput>(
    input: Plan,
    shareOut: Exchange,
    create: (out: Receiver, place: SubtaskPlace) => T,
  ): Stage {
    const before = this.of(input);
    return (outputs, building) => {
      const channels = building.parallelism;
      const tasks = outputs.map((out, subtask) =>
        create(out, { channels, lastOfMany: channels > 1 && subtask === channels - 1 }),
      );
      building.stateful.push(...tasks);
      before(shareOut(tasks), building);
    };
  }

  #relation(node: Plan): Relation {
    return this.#query.relationOf(node);
  }

  #columns(node: Plan): readonly TypedColumn[] {
    return this.#relation(node).columns;
  }
}

type Exchange = (tasks: readonly KeyedInput[]) => Outputs;

function scanOf(stream: string): Stage {
  return (outputs, { scans }) => {
    const others = scans.get(stream);
    if (others === undefined) scans.set(stream, [outputs]);
    else others.push(outputs);
  };
}

function sinkSetting(query: CheckedQuery, faults: Faults): SinkSetting {
  const keys = positions(query.columns, query.definition.declaration.keys);
  return {
    columns: writtenColumns(query, faults),
    keyOf: keyReader(keys, faults),
    changelog: query.output.updating,
  };
}

/** The output's columns by the names that the sink writes. */
function writtenColumns({ plan, columns }: CheckedQuery, faults: Faults): readonly Column[] {
  if (plan.op !== 'project' || !faults.has('computed-column-misnamed')) return columns;
  return columns.map((column, index) =>
    'col' in plan.columns[index]!.value ? column : { ...column, name: `EXPR$${index}` },
  );
}

/** Reads a row's event time in epoch milliseconds, where the relation kept it. */
function eventTimeOf({ columns, eventTime }: Relation): ((row: Row) => number) | undefined {
  if (eventTime === undefined) return undefined;
  const [position] = positions(columns, [eventTime.column]);
  const { shiftMs } = eventTime;
  return (row) => (row[position!] as number) + shiftMs;
}

function positions(columns: readonly Column[], names: readonly string[]): readonly number[] {
  return names.map((name) => columns.findIndex((column) => column.name === name));
}
