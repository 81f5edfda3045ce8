import type { TypedColumn } from '../../src/model/expression.ts';
import type { AggregateCall } from '../../src/model/plan/aggregate.ts';
import { distinct, type Fold, foldOf } from '../aggregates/index.ts';
import { compile, type Evaluate } from '../expression.ts';
import { blankRow } from './blank-row.ts';
import type { Grouping, VisitGrouped } from './grouping.ts';
import { IMMEDIATE, NEVER_LATE, type RowStream } from './stream.ts';

/** One aggregate, ready to run: `begin` gives its fold, `arg` is the position of its column, `where` its FILTER. */
export interface AggregateRule {
  readonly begin: () => Fold;
  readonly arg: number | undefined;
  readonly where: Evaluate | undefined;
}

/** Prepares an aggregate over a relation of these columns. */
export function aggregateRule(
  { fn, arg, distinct: once, where }: AggregateCall,
  columns: readonly TypedColumn[],
): AggregateRule {
  const index = arg === undefined ? undefined : columns.findIndex(({ name }) => name === arg);
  const isDouble = index !== undefined && columns[index]!.type === 'DOUBLE';
  const begin = () => foldOf(fn, isDouble);
  return {
    begin: once ? () => distinct(begin()) : begin,
    arg: index,
    where: where && compile(where, columns),
  };
}

/** Panes as groups: `end` is the place of the window's end among the keys, `due` whether one has fired by then. */
export interface PaneRule {
  readonly end: number;
  readonly due: (firePoint: number) => boolean;
}

/**
 * One row a group: its key, of `keys` columns, then its aggregates (semantics §3).
 *
 * With `pane`, groups are panes: a pane's fire point is its window's end, and it is emitted once that is due.
 * Without, groups are unbounded: the state over all inputs that have appeared, as late as the latest of them.
 */
export function aggregate(
  grouping: Grouping,
  keys: number,
  rules: readonly AggregateRule[],
  pane: PaneRule | undefined,
): RowStream {
  return (emit) => {
    const folds = rules.map(({ begin }) => begin());
    const fires: number[] = [];
    let begun = 0;
    const visit: VisitGrouped = (row, group, fire) => {
      if (group === begun) {
        begun++;
        for (let index = 0; index < folds.length; index++) folds[index]!.start(group);
        if (pane === undefined) fires[group] = IMMEDIATE;
      }
      if (pane === undefined) fires[group] = Math.max(fires[group]!, fire);
      for (let index = 0; index < rules.length; index++) {
        const { arg, where } = rules[index]!;
        if (where !== undefined && where(row) !== true) continue;
        const value = arg === undefined ? true : row[arg]!;
        if (value !== null) folds[index]!.add(group, value);
      }
    };
    const blank = blankRow(keys + rules.length);
    grouping(visit, (writeKey) => {
      for (let group = 0; group < begun; group++) {
        const row = blank();
        writeKey(group, row);
        const fire = pane === undefined ? fires[group]! : (row[pane.end] as number);
        if (pane !== undefined && !pane.due(fire)) continue;
        for (let index = 0; index < folds.length; index++) row[keys + index] = folds[index]!.finish(group);
        emit(row, fire, NEVER_LATE);
      }
      begun = 0;
    });
  };
}
