import type { CheckedPlan, Plan } from '../../src/model/plan/index.ts';
import type { WindowKind } from '../../src/model/plan/window.ts';
import { columnIndex } from '../../src/model/schema.ts';
import type { Row } from '../../src/model/value.ts';
import { aggregate, aggregateRule } from '../operators/aggregate.ts';
import { groupRows } from '../operators/grouping.ts';
import { IMMEDIATE, NEVER_LATE, type RowStream } from '../operators/stream.ts';
import { pathDown, type RowPath } from './row-path.ts';

/**
 * A windowed aggregate over a path of filters and projections from one stream, with another such path above it that
 * keeps the aggregate's keys.
 *
 * - `below`: the path from the stream to the window.
 * - `time`, `width`: the place of the event time in the window's input, and the number of its columns.
 * - `keys`: the places of the aggregate's keys in that input, with the window's start at `width` and its end after it.
 * - `keyPlaces`: where these keys stand in the output.
 * - `sessionKeys`: the places of a session's keys in the window's input; none for other windows.
 * - `fold`: the output rows of panes in one window, given its rows.
 */
export interface Shape {
  readonly stream: string;
  readonly window: WindowKind;
  readonly below: RowPath;
  readonly time: number;
  readonly width: number;
  readonly keys: readonly number[];
  readonly keyPlaces: readonly number[];
  readonly sessionKeys: readonly number[];
  readonly fold: (rows: readonly Row[], start: number, end: number) => readonly Row[];
}

/** The shape of a plan, if it is such an aggregate. */
export function shapeOf(query: CheckedPlan): Shape | undefined {
  const above = pathDown(query, query.plan);
  const node = above.base;
  if (node.op !== 'aggregate' || node.input.op !== 'window') return undefined;
  const below = pathDown(query, node.input.input);
  if (below.base.op !== 'scan') return undefined;
  const output = query.output.columns;
  const keyPlaces = node.keys.map((key) => output.findIndex(({ name }) => name === above.nameOf(key)));
  if (keyPlaces.includes(-1)) return undefined;
  const { columns, eventTime } = query.relationOf(node.input.input);
  const { window } = node.input;
  return {
    stream: below.base.stream,
    window,
    below: below.through,
    time: columnIndex(columns, eventTime!.column),
    width: columns.length,
    keys: keysOf(query, node),
    keyPlaces,
    sessionKeys: window.kind === 'session' ? window.keys.map((key) => columnIndex(columns, key)) : [],
    fold: foldOf(query, node, above.through),
  };
}

type Aggregate = Extract<Plan, { op: 'aggregate' }>;

function keysOf(query: CheckedPlan, node: Aggregate): readonly number[] {
  const { columns } = query.relationOf(node.input);
  return node.keys.map((key) => columnIndex(columns, key));
}

function foldOf(query: CheckedPlan, node: Aggregate, above: RowPath): Shape['fold'] {
  const { columns } = query.relationOf(node.input);
  const rules = node.aggregates.map((call) => aggregateRule(call, columns));
  const keys = keysOf(query, node);
  return (rows, start, end) => {
    const inWindow: RowStream = (emit) => {
      for (const row of rows) emit([...row, start, end], IMMEDIATE, NEVER_LATE);
    };
    const output: Row[] = [];
    aggregate(
      groupRows(inWindow, keys),
      keys.length,
      rules,
      undefined,
    )((pane) => {
      const row = above(pane);
      if (row !== undefined) output.push(row);
    });
    return output;
  };
}
