import type { Value } from '../../src/model/value.ts';
import type { Fold } from '../aggregates/index.ts';
import type { Evaluate } from '../expression.ts';
import { Groups } from '../groups.ts';
import { IMMEDIATE, NEVER_LATE, type RowStream } from './stream.ts';

/** One aggregate, ready to run: `arg` is the position of its column, `where` its FILTER. */
export interface AggregateRule {
  readonly fold: Fold<unknown>;
  readonly arg: number | undefined;
  readonly where: Evaluate | undefined;
}

/** A group while it is folded: its key, the state of each aggregate, and last its fire point. */
type Group = unknown[];

/**
 * One row a group: its key, then its aggregates (semantics §3).
 *
 * With `pane`, groups are panes: a pane's fire point is its window's end, and it is emitted once `due` says so.
 * Without, groups are unbounded: the state over all inputs that have appeared, as late as the latest of them.
 */
export function aggregate(
  input: RowStream,
  keys: readonly number[],
  rules: readonly AggregateRule[],
  pane: { readonly end: number; readonly due: (firePoint: number) => boolean } | undefined,
): RowStream {
  return (emit) => {
    const groups = new Groups<Group>(keys.length);
    const firePlace = keys.length + rules.length;
    const key: Value[] = new Array(keys.length);
    const create = (): Group => {
      const group: Group = key.slice();
      for (const { fold } of rules) group.push(fold.start());
      group.push(IMMEDIATE);
      return group;
    };
    input((row, fire) => {
      for (let index = 0; index < keys.length; index++) key[index] = row[keys[index]!]!;
      const group = groups.get(key, create);
      group[firePlace] = pane === undefined ? Math.max(group[firePlace] as number, fire) : row[pane.end]!;
      for (let index = 0; index < rules.length; index++) {
        const { fold, arg, where } = rules[index]!;
        if (where !== undefined && where(row) !== true) continue;
        const value = arg === undefined ? true : (row[arg] as Value);
        const place = keys.length + index;
        if (value !== null) group[place] = fold.add(group[place], value);
      }
    });
    groups.forEach((group) => {
      const fire = group.pop() as number;
      if (pane !== undefined && !pane.due(fire)) return;
      for (let index = 0; index < rules.length; index++) {
        const place = keys.length + index;
        group[place] = rules[index]!.fold.finish(group[place]);
      }
      emit(group as Value[], fire, NEVER_LATE);
    });
  };
}
