import type { Row, Value } from '../src/model/value.ts';

type Level = Map<Value, number | Level>;

/**
 * Numbers the groups of rows that hold the same values in the given columns: from 0, in the order of their first
 * rows. NULL is a value like any other, so that nulls are one group (semantics §1); so are −0 and 0, and all NaN.
 *
 * Nested maps of the values themselves: no key is ever built, so that none can stand for two. What is known of a
 * group lies with the caller, by number, so that a million groups cost no million objects.
 */
export class Groups {
  /** By group: its first row, which shows its key. */
  readonly firstRows: Row[] = [];
  readonly #columns: readonly number[];
  readonly #root: Level = new Map();

  /** `columns`: the positions of the key; without any, all rows are one group. */
  constructor(columns: readonly number[]) {
    this.#columns = columns;
  }

  /** The number of the group of `row`, the next one when the row is the first of its group. */
  of(row: Row): number {
    let level = this.#root;
    const last = this.#columns.length - 1;
    for (let depth = 0; depth < last; depth++) {
      const value = row[this.#columns[depth]!]!;
      let next = level.get(value) as Level | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(value, next);
      }
      level = next;
    }
    const value = last < 0 ? null : row[this.#columns[last]!]!;
    let group = level.get(value) as number | undefined;
    if (group === undefined) {
      group = this.firstRows.length;
      level.set(value, group);
      this.firstRows.push(row);
    }
    return group;
  }

  /** The number of the group whose key `row` holds in `columns`, if there is one. */
  find(row: Row, columns: readonly number[]): number | undefined {
    let level: Level | undefined = this.#root;
    const last = columns.length - 1;
    for (let depth = 0; level !== undefined && depth < last; depth++) {
      level = level.get(row[columns[depth]!]!) as Level | undefined;
    }
    return level?.get(last < 0 ? null : row[columns[last]!]!) as number | undefined;
  }
}
