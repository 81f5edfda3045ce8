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

/** Panes as groups: `end` is the place of the window's end among the keys, `due` whether one has fired by then. */
export interface PaneRule {
  readonly end: number;
  readonly due: (firePoint: number) => boolean;
}

/**
 * One row a group: its key, then its aggregates (semantics §3).
 *
 * With `pane`, groups are panes: a pane's fire point is its window's end, and it is emitted once that is due.
 * Without, groups are unbounded: the state over all inputs that have appeared, as late as the latest of them.
 */
export function aggregate(
  input: RowStream,
  keys: readonly number[],
  rules: readonly AggregateRule[],
  pane: PaneRule | undefined,
): RowStream {
  return (emit) => {
    const groups = new Groups(keys);
    const states = rules.map((): unknown[] => []);
    const fires: number[] = [];
    let begun = 0;
    input((row, fire) => {
      const group = groups.of(row);
      if (group === begun) {
        for (let index = 0; index < rules.length; index++) states[index]!.push(rules[index]!.fold.start());
        begun++;
      }
      if (pane === undefined) fires[group] = Math.max(fires[group] ?? IMMEDIATE, fire);
      for (let index = 0; index < rules.length; index++) {
        const { fold, arg, where } = rules[index]!;
        if (where !== undefined && where(row) !== true) continue;
        const value = arg === undefined ? true : row[arg]!;
        const state = states[index]!;
        if (value !== null) state[group] = fold.add(state[group], value);
      }
    });
    // Copied from nulls: an array filled from nothing is laid out anew when it meets another kind of value.
    const blank: Value[] = new Array(keys.length + rules.length).fill(null);
    groups.forEach((group, key) => {
      const fire = pane === undefined ? fires[group]! : (key[pane.end] as number);
      if (pane !== undefined && !pane.due(fire)) return;
      const row = blank.slice();
      for (let index = 0; index < keys.length; index++) row[index] = key[index]!;
      for (let index = 0; index < rules.length; index++) {
        row[keys.length + index] = rules[index]!.fold.finish(states[index]![group]);
      }
      emit(row, fire, NEVER_LATE);
    });
  };
}
