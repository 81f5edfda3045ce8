import type { Row, Value } from '../../src/model/value.ts';
import type { Accumulator } from '../aggregates/index.ts';
import type { Evaluate } from '../expression.ts';
import { Groups } from '../groups.ts';
import { IMMEDIATE, NEVER_LATE, type RowStream } from './stream.ts';

/** One aggregate, ready to run: `arg` is the position of its column, `where` its FILTER. */
export interface AggregateRule {
  readonly create: () => Accumulator;
  readonly arg: number | undefined;
  readonly where: Evaluate | undefined;
}

interface Group {
  readonly key: Row;
  readonly accumulators: readonly Accumulator[];
  fire: number;
}

/**
 * One row a group: its key, then its aggregates (semantics §3).
 *
 * With `due`, groups are panes: a pane's fire point is its window's end, and it is emitted once `due` says so.
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
    const key: Value[] = new Array(keys.length);
    const create = (): Group => ({
      key: key.slice(),
      accumulators: rules.map((rule) => rule.create()),
      fire: IMMEDIATE,
    });
    input((row, fire) => {
      for (let index = 0; index < keys.length; index++) key[index] = row[keys[index]!]!;
      const group = groups.get(key, create);
      group.fire = Math.max(group.fire, pane === undefined ? fire : (row[pane.end] as number));
      for (let index = 0; index < rules.length; index++) {
        const { arg, where } = rules[index]!;
        if (where !== undefined && where(row) !== true) continue;
        if (arg === undefined) group.accumulators[index]!.add(true);
        else if (row[arg] !== null) group.accumulators[index]!.add(row[arg]!);
      }
    });
    groups.forEach((group) => {
      if (pane !== undefined && !pane.due(group.fire)) return;
      emit([...group.key, ...group.accumulators.map((each) => each.result())], group.fire, NEVER_LATE);
    });
  };
}
