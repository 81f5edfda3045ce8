import type { Row, Value } from '../../src/model/value.ts';
import type { Evaluate } from '../expression.ts';
import { Groups } from '../groups.ts';
import { NEVER_LATE, type RowStream } from './stream.ts';

/** Positions of the columns that must be equal. */
export interface EqualColumns {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** The rows of one key, and the fire point of each. */
interface Matches {
  readonly rows: Row[];
  readonly fires: number[];
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
    const matches: Matches[] = [];
    right((row, fire) => {
      if (hasNull(row, equal.right)) return;
      const group = groups.of(row);
      if (group === matches.length) matches.push({ rows: [], fires: [] });
      const { rows, fires } = matches[group]!;
      rows.push(row);
      fires.push(fire);
    });
    left((row, fire) => {
      const group = hasNull(row, equal.left) ? undefined : groups.find(row, equal.left);
      if (group === undefined) return;
      const { rows, fires } = matches[group]!;
      for (let match = 0; match < rows.length; match++) {
        const pair = pairOf(row, rows[match]!);
        if (where === undefined || where(pair) === true) {
          emit(pair, Math.max(fire, fires[match]!), NEVER_LATE);
        }
      }
    });
  };
}

function pairOf(left: Row, right: Row): Row {
  const pair: Value[] = new Array(left.length + right.length);
  for (let index = 0; index < left.length; index++) pair[index] = left[index]!;
  for (let index = 0; index < right.length; index++) pair[left.length + index] = right[index]!;
  return pair;
}

function hasNull(row: Row, columns: readonly number[]): boolean {
  for (let index = 0; index < columns.length; index++) if (row[columns[index]!] === null) return true;
  return false;
}
