import type { Row } from '../../src/model/value.ts';
import type { Evaluate } from '../expression.ts';
import { Groups } from '../groups.ts';
import { NEVER_LATE, type RowStream } from './stream.ts';

/** Positions of the columns that must be equal. */
export interface EqualColumns {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/**
 * Every pair of rows that is equal in the given columns and meets the condition; NULL equals nothing. A pair is
 * as late as the later of its rows (semantics §2).
 */
export function join(
  left: RowStream,
  right: RowStream,
  equal: EqualColumns,
  where: Evaluate | undefined,
): RowStream {
  return (emit) => {
    const groups = new Groups(equal.right);
    const matches: { readonly row: Row; readonly fire: number }[][] = [];
    right((row, fire) => {
      if (hasNull(row, equal.right)) return;
      const group = groups.of(row);
      matches[group] ??= [];
      matches[group].push({ row, fire });
    });
    left((row, fire) => {
      const group = hasNull(row, equal.left) ? undefined : groups.find(row, equal.left);
      if (group === undefined) return;
      for (const match of matches[group]!) {
        const pair = row.concat(match.row);
        if (where === undefined || where(pair) === true) emit(pair, Math.max(fire, match.fire), NEVER_LATE);
      }
    });
  };
}

function hasNull(row: Row, columns: readonly number[]): boolean {
  for (const index of columns) if (row[index] === null) return true;
  return false;
}
