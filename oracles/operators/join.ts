import type { Row, Value } from '../../src/model/value.ts';
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
    const matches = new Groups<{ readonly row: Row; readonly fire: number }[]>(equal.right.length);
    right((row, fire) => {
      const key = equal.right.map((index) => row[index] as Value);
      if (!key.includes(null)) matches.get(key, () => []).push({ row, fire });
    });
    left((row, fire) => {
      const key = equal.left.map((index) => row[index] as Value);
      if (key.includes(null)) return;
      for (const match of matches.find(key) ?? []) {
        const pair = [...row, ...match.row];
        if (where === undefined || where(pair) === true) emit(pair, Math.max(fire, match.fire), NEVER_LATE);
      }
    });
  };
}
