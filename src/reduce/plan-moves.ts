import type { Case } from '../model/case.ts';
import type { StreamData } from '../model/dataset.ts';
import type { Expression } from '../model/expression.ts';
import type { AggregateCall } from '../model/plan/aggregate.ts';
import { inputsOf, type Plan } from '../model/plan/index.ts';
import type { OrderKey } from '../model/plan/rank.ts';
import { WINDOW_END, WINDOW_START } from '../model/plan/relation.ts';
import { operatorsOf } from '../model/plan/rewrite.ts';
import { columnIndex } from '../model/schema.ts';
import type { Value } from '../model/value.ts';
import { changed } from './candidate.ts';
import { comparedRows, constantColumns } from './comparisons.ts';
import { simplerExpressions } from './expressions.ts';
import { bypass, type Edit, follow, rebuild, sideOf } from './rebuild.ts';
import { mapped } from './schemas.ts';

/** Cases with a smaller plan, the greatest step first. All run over the same data. */
export function* smallerPlans(testCase: Case): Generator<Case | undefined> {
  yield* parts(testCase);
  yield* withoutOperators(testCase);
  yield* otherOperators(testCase);
}

/** A part of the plan in place of the whole, the smallest first. */
function* parts(testCase: Case): Generator<Case | undefined> {
  const { plan } = testCase.query;
  for (const node of operatorsOf(plan)) {
    if (node !== plan && node.op !== 'window') yield changed(testCase, { plan: node });
  }
}

function* withoutOperators(testCase: Case): Generator<Case | undefined> {
  const { query } = testCase;
  const nodes = operatorsOf(query.plan).filter(({ op }) => op !== 'scan');
  const light = nodes.filter(({ op }) => op === 'filter' || op === 'project');
  if (light.length > 1)
    yield withEdits(
      testCase,
      light.map((node) => [node, bypassing(node)]),
    );
  for (const node of nodes.toReversed()) {
    if (node.op === 'join') {
      for (const side of ['left', 'right'] as const) {
        yield withEdits(testCase, [[node, (inputs) => sideOf(query, node, side, inputs)]]);
      }
    } else {
      yield withEdits(testCase, [[node, bypassing(node)]]);
      if (node.op === 'aggregate') yield* readingColumns(testCase, node);
    }
  }
}

/**
 * An aggregate left out, its results read from columns of their types instead. Where an order rests on its keys, their
 * stream promises that they are unique.
 */
function* readingColumns(
  testCase: Case,
  node: Extract<Plan, { op: 'aggregate' }>,
): Generator<Case | undefined> {
  const { query } = testCase;
  const results = query.relationOf(node).columns;
  const { columns } = query.relationOf(node.input);
  const reading: Edit = (inputs) => {
    const without = bypass(node, inputs);
    return (
      without && {
        plan: without.plan,
        of(name) {
          const there = without.of(name);
          const type = results.find((column) => column.name === name)?.type;
          const column =
            columns.find((each) => each.type === type && !node.keys.includes(each.name)) ??
            columns.find((each) => each.type === type);
          return there ?? (column === undefined ? undefined : inputs[0]!.of(column.name));
        },
      }
    );
  };
  const { input } = node;
  const unwindowed = (edit: Edit): [Plan, Edit][] =>
    input.op === 'window'
      ? [
          [node, edit],
          [input, bypassing(input)],
        ]
      : [[node, edit]];
  if (input.op === 'window') yield withEdits(testCase, unwindowed(bypassing(node)));
  yield withEdits(testCase, unwindowed(reading));
  const streams = promising(
    testCase,
    node.keys.filter((key) => key !== WINDOW_START && key !== WINDOW_END),
  );
  for (const edit of [bypassing(node), reading]) {
    const made = rebuild(query, new Map(unwindowed(edit)));
    yield made === undefined ? undefined : changed(testCase, { plan: made.plan, streams });
  }
  yield* inventing(testCase, node, streams);
}

/** An aggregate over a stream left out, its results read from columns that the stream gets for them. */
function* inventing(
  testCase: Case,
  node: Extract<Plan, { op: 'aggregate' }>,
  streams: readonly StreamData[],
): Generator<Case | undefined> {
  const { query } = testCase;
  const { input } = node;
  if (input.op !== 'scan' || node.aggregates.length !== 1 || node === query.plan) return;
  const invented = node.aggregates[0]!.as;
  const without: Edit = (inputs) => ({
    plan: inputs[0]!.plan,
    of: (name) =>
      name === invented ? { col: name } : node.keys.includes(name) ? inputs[0]!.of(name) : undefined,
  });
  const made = rebuild(query, new Map([[node as Plan, without]]));
  if (made === undefined) return;
  yield changed(testCase, {
    plan: made.plan,
    streams: streams.map((stream) => {
      const { schema, partitions } = stream;
      if (schema.name !== input.stream) return stream;
      return {
        schema: {
          ...schema,
          columns: [...schema.columns, { name: invented, type: 'BIGINT', nullable: false }],
        },
        partitions: partitions.map((events) =>
          events.map(({ arrival, row }) => ({ arrival, row: [...row, 0] })),
        ),
      };
    }),
  });
}

/** The streams that have these columns, with the promise that no two rows agree on all of them. */
function promising({ dataset }: Case, columns: readonly string[]): readonly StreamData[] {
  return dataset.streams.map((stream) => {
    const { schema } = stream;
    const has = columns.every((name) => schema.columns.some((column) => column.name === name));
    return has && columns.length > 0
      ? { ...stream, schema: { ...schema, unique: [...schema.unique, columns] } }
      : stream;
  });
}

/**
 * What groups rows, or looks for those of the same key, shows what is wrong with keys by a count of them; what is wrong
 * with any group mostly shows in the one of all rows.
 */
function* otherOperators(testCase: Case): Generator<Case | undefined> {
  const { query } = testCase;
  for (const node of operatorsOf(query.plan)) {
    const count = [{ as: 'r', fn: 'count' as const }];
    if (node.op === 'aggregate') {
      const bounds = node.keys.filter((key) => key === WINDOW_START || key === WINDOW_END);
      if (bounds.length < node.keys.length && node.aggregates.length > 0) {
        const plan = { ...node, keys: bounds };
        yield changed(testCase, { plan });
        // Where the one group of all rows goes depends on how many subtasks there are.
        const { parallelism } = testCase.schedule;
        if (parallelism === 2)
          yield changed(testCase, { plan, schedule: { ...testCase.schedule, parallelism: 3 } });
      }
      if (query.relationOf(node.input).updating) yield* countingDifferent(testCase, node);
    } else if (node.op === 'rank') {
      yield changed(testCase, {
        plan: { op: 'aggregate', input: node.input, keys: node.partitionBy, aggregates: count },
      });
    } else if (node.op === 'join') {
      for (const side of ['left', 'right'] as const) {
        const keys = [...new Set(node.equal.map((pair) => pair[side]))];
        yield changed(testCase, { plan: { op: 'aggregate', input: node[side], keys, aggregates: count } });
      }
    }
  }
}

/**
 * Over rows that are withdrawn the least and the greatest value are found among all that are there, as they are for a
 * count of those that differ, which shows what is wrong with them over any rows.
 */
function* countingDifferent(
  testCase: Case,
  node: Extract<Plan, { op: 'aggregate' }>,
): Generator<Case | undefined> {
  const { query } = testCase;
  for (const [index, { as, fn, arg }] of node.aggregates.entries()) {
    if (arg === undefined || (fn !== 'min' && fn !== 'max')) continue;
    const counted: Plan = {
      ...node,
      aggregates: node.aggregates.with(index, { as, fn: 'count', distinct: true, arg }),
    };
    yield withEdits(testCase, [[node, (inputs) => follow(query, counted, inputs)]]);
  }
}

/** Cases whose operators are the same but ask for less. */
export function* simplerOperators(testCase: Case): Generator<Case | undefined> {
  const { query } = testCase;
  for (const node of operatorsOf(query.plan).toReversed()) {
    for (const simpler of simplerNodes(node)) {
      const edit: Edit = (inputs) => follow(query, simpler, inputs);
      const made = withEdits(testCase, [[node, edit]]);
      yield made;
      if (made !== undefined || simpler.op !== 'rank') continue;
      // What is left of its columns has to be unique by itself.
      const plan = rebuild(query, new Map([[node, edit]]))?.plan;
      const columns = [...simpler.partitionBy, ...simpler.orderBy.map(({ column }) => column)];
      if (plan !== undefined) yield changed(testCase, { plan, streams: promising(testCase, columns) });
    }
  }
}

/** Cases with one expression simpler. */
export function* simplerCases(testCase: Case): Generator<Case | undefined> {
  const { query } = testCase;
  yield* extracted(testCase);
  yield* comparedRows(testCase);
  for (const node of operatorsOf(query.plan).toReversed()) {
    for (const simpler of nodesWithSimplerExpression(testCase, node)) {
      yield withEdits(testCase, [[node, (inputs) => follow(query, simpler, inputs)]]);
    }
  }
}

/** The values of an expression in place of what is made of them. */
function* extracted(testCase: Case): Generator<Case | undefined> {
  const { plan } = testCase.query;
  for (const node of operatorsOf(plan)) {
    if (node.op === 'project') continue;
    for (const { value } of expressionsAt(node)) {
      if (!('fn' in value)) continue;
      for (const input of inputsOf(node)) {
        yield changed(testCase, { plan: { op: 'project', input, columns: [{ as: 'p', value }] } });
      }
    }
  }
}

export function withEdits(testCase: Case, edits: readonly (readonly [Plan, Edit])[]): Case | undefined {
  const made = rebuild(testCase.query, new Map(edits));
  return made === undefined ? undefined : changed(testCase, { plan: made.plan });
}

const bypassing =
  (node: Plan): Edit =>
  (inputs) =>
    bypass(node, inputs);

function* simplerNodes(node: Plan): Generator<Plan> {
  switch (node.op) {
    case 'project':
      yield* withFewer(node.columns).map((columns) => ({ ...node, columns }));
      return;
    case 'aggregate': {
      const isBound = (key: string) => key === WINDOW_START || key === WINDOW_END;
      const bounds = node.keys.filter(isBound);
      const own = node.keys.filter((key) => !isBound(key));
      if (own.length > 1) yield { ...node, keys: bounds };
      for (const key of own) yield { ...node, keys: node.keys.filter((other) => other !== key) };
      yield* simplerAggregates(node.aggregates).map((aggregates) => ({ ...node, aggregates }));
      return;
    }
    case 'window': {
      const { window } = node;
      if (window.kind !== 'session') return;
      if (window.keys.length > 0) yield { ...node, window: { ...window, keys: [] } };
      return;
    }
    case 'rank': {
      const { partitionBy, orderBy, limit } = node;
      if (partitionBy.length > 1) yield { ...node, partitionBy: [] };
      for (const key of partitionBy)
        yield { ...node, partitionBy: partitionBy.filter((other) => other !== key) };
      for (const key of orderBy) {
        if (orderBy.length > 1) yield { ...node, orderBy: orderBy.filter((other) => other !== key) };
      }
      for (let less = 1; less < limit; less++) yield { ...node, limit: less };
      for (const [index, key] of orderBy.entries()) {
        for (const simpler of simplerKeys(key)) yield { ...node, orderBy: orderBy.with(index, simpler) };
      }
      return;
    }
    case 'join': {
      const { where, ...rest } = node;
      if (where !== undefined) yield rest;
      if (node.equal.length > 1) {
        for (const pair of node.equal) yield { ...node, equal: node.equal.filter((other) => other !== pair) };
      }
      return;
    }
    default:
      return;
  }
}

/** Ascending before descending, and no word on NULL before any. */
function simplerKeys({ column, direction, nulls }: OrderKey): readonly OrderKey[] {
  const all = (['asc', 'desc'] as const).flatMap((way): OrderKey[] => [
    { column, direction: way },
    { column, direction: way, nulls: 'first' },
    { column, direction: way, nulls: 'last' },
  ]);
  return all.slice(
    0,
    all.findIndex((key) => key.direction === direction && key.nulls === nulls),
  );
}

/** Cases that order upwards by a column of whole numbers, which are turned. */
export function* risingOrders(testCase: Case): Generator<Case | undefined> {
  const { query, dataset } = testCase;
  for (const node of operatorsOf(query.plan)) {
    if (node.op !== 'rank') continue;
    for (const [index, key] of node.orderBy.entries()) {
      if (key.direction === 'asc') continue;
      const rising: Plan = { ...node, orderBy: node.orderBy.with(index, { ...key, direction: 'asc' }) };
      const made = rebuild(query, new Map([[node as Plan, (inputs) => follow(query, rising, inputs)]]));
      if (made === undefined) continue;
      const streams = dataset.streams.map((stream) => {
        const column = columnIndex(stream.schema.columns, key.column);
        if (stream.schema.columns[column]?.type !== 'BIGINT') return stream;
        const turned = (value: Value) => (typeof value === 'number' ? -value + 0 : value);
        return {
          ...stream,
          partitions: mapped(stream, (value, at) => (at === column ? turned(value) : value)),
        };
      });
      yield changed(testCase, { plan: made.plan, streams });
    }
  }
}

/** One alone, the halves, then all but one. */
function withFewer<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [];
  const middle = Math.ceil(items.length / 2);
  const halves = items.length > 3 ? [items.slice(0, middle), items.slice(middle)] : [];
  return [...halves, ...items.map((item) => items.filter((other) => other !== item))];
}

const FUNCTIONS = ['count', 'min', 'max', 'sum', 'avg'] as const;

/** A mere count first, which is the plainest there is; then each alone; then each by itself simpler. */
function simplerAggregates(calls: readonly AggregateCall[]): readonly (readonly AggregateCall[])[] {
  const isCount = ({ fn, arg, where }: AggregateCall) =>
    fn === 'count' && arg === undefined && where === undefined;
  const counted = calls[0] === undefined ? 'r' : calls[0].as;
  const mere = calls.length === 1 && isCount(calls[0]!) ? [] : [[{ as: counted, fn: 'count' as const }]];
  const alone = calls.length > 1 ? calls.filter((call) => !isCount(call)).map((call) => [call]) : [];
  const fewer = calls.length > 2 ? calls.map((call) => calls.filter((other) => other !== call)) : [];
  const each = calls.flatMap((call, index) =>
    simplerCalls(call).map((simpler) => calls.with(index, simpler)),
  );
  return [...mere, ...alone, ...fewer, ...each];
}

function simplerCalls(call: AggregateCall): readonly AggregateCall[] {
  const { as, fn, arg, distinct, where } = call;
  const simpler: AggregateCall[] = [];
  if (where !== undefined)
    simpler.push({ as, fn, ...(arg === undefined ? {} : { arg }), ...(distinct ? { distinct } : {}) });
  if (distinct) simpler.push({ as, fn, ...(arg === undefined ? {} : { arg }), ...(where ? { where } : {}) });
  for (const other of FUNCTIONS.slice(0, FUNCTIONS.indexOf(fn))) simpler.push({ ...call, fn: other });
  return simpler;
}

interface Site {
  readonly value: Expression;
  /** Whether its values are what the operator gives, so that any type will do. */
  readonly computes?: boolean;
  with(value: Expression): Plan;
}

function expressionsAt(node: Plan): readonly Site[] {
  switch (node.op) {
    case 'filter':
      return [{ value: node.where, with: (where) => ({ ...node, where }) }];
    case 'project':
      return node.columns.map(({ as, value }, index) => ({
        value,
        computes: true,
        with: (now) => ({ ...node, columns: node.columns.with(index, { as, value: now }) }),
      }));
    case 'join':
      return node.where === undefined ? [] : [{ value: node.where, with: (where) => ({ ...node, where }) }];
    case 'aggregate':
      return node.aggregates.flatMap((call, index) =>
        call.where === undefined
          ? []
          : [
              {
                value: call.where,
                with: (where: Expression) => ({
                  ...node,
                  aggregates: node.aggregates.with(index, { ...call, where }),
                }),
              },
            ],
      );
    default:
      return [];
  }
}

function* nodesWithSimplerExpression(testCase: Case, node: Plan): Generator<Plan> {
  for (const site of expressionsAt(node)) {
    if (site.computes && 'fn' in site.value) yield site.with({ lit: 0, type: 'BIGINT' });
    for (const simpler of simplerExpressions(site.value)) yield site.with(simpler);
    for (const constant of constantColumns(testCase, node, site.value)) yield site.with(constant);
  }
}
