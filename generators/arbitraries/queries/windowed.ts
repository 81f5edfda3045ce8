import { bigint, call, from, type PlanBuilder, session } from '../../../src/model/build.ts';
import type { Expression } from '../../../src/model/expression.ts';
import type { WindowKind } from '../../../src/model/plan/window.ts';
import { type Aggregations, aggregations } from './aggregations.ts';
import { sharedConditions } from './conditions.ts';
import { family } from './family.ts';
import type { QuerySource } from './query-source.ts';
import { cumulates, gaps, hops, tumbles } from './window-kinds.ts';

/** Columns that queries group by. Few, so that rows meet. */
export const groupKeys: readonly (readonly string[])[] = [['device'], [], ['zone'], ['device', 'zone']];

/** Conditions over a finished group, like HAVING. */
export const havings: readonly (Expression | undefined)[] = [
  undefined,
  call('gt', 'rows', bigint(1)),
  call('lt', 'rows', bigint(3)),
];

const streams = ['reading', 'signal'] as const;
const wheres = [undefined, ...sharedConditions.slice(0, 5)];

/** The rows a group is made of: a stream, maybe filtered, with `amount` as DOUBLE beside it. */
export function groupable(stream: string, where: Expression | undefined): PlanBuilder {
  const rows = from(stream).project({
    device: 'device',
    zone: 'zone',
    amount: 'amount',
    amount_double: call('to_double', 'amount'),
    note: 'note',
    datetime: 'datetime',
  });
  return where === undefined ? rows : rows.filter(where);
}

interface Grouping {
  readonly stream: string;
  readonly where: Expression | undefined;
  readonly keys: readonly string[];
  readonly aggregation: Aggregations;
  readonly having: Expression | undefined;
}

function perWindow(window: WindowKind, { stream, where, keys, aggregation, having }: Grouping): PlanBuilder {
  const groups = groupable(stream, where).window(window).perWindow(keys, aggregation);
  return having === undefined ? groups : groups.filter(having);
}

const common = {
  keys: groupKeys,
  aggregation: aggregations,
  stream: streams,
  having: havings,
  where: wheres,
} as const;

function aligned(name: string, windows: readonly WindowKind[]): QuerySource {
  return family(name, { window: windows, ...common }, ({ window, ...grouping }) => ({
    title: `Aggregates of a ${name} window`,
    plan: perWindow(window, grouping),
  }));
}

export const tumbling = aligned('tumbling', tumbles);
export const hopping = aligned('hopping', hops);
export const cumulating = aligned('cumulating', cumulates);

/** Panes told without their bounds: equal ones are told as often as there are panes. */
export const unboundedPanes = family(
  'panes-without-bounds',
  { window: [...tumbles, ...hops.slice(0, 2)], keys: [['device'], ['zone'], []], stream: streams },
  ({ window, keys, stream }) => ({
    title: 'Rows of each pane, whichever it is',
    plan: groupable(stream, undefined)
      .window(window)
      .perWindow(keys, { rows: { fn: 'count' } })
      .select(...keys, 'rows'),
  }),
);

export const sessions = family('sessions', { gapMs: gaps, ...common }, ({ gapMs, ...grouping }) => ({
  title: 'Aggregates of a session',
  plan: perWindow(session(gapMs, grouping.keys), grouping),
}));
