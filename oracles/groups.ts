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
  readonly #columns: readonly number[];
  readonly #root: Level = new Map();
  /** Keys that hold −0, which a map takes for 0. */
  readonly #negativeZeros = new Map<number, readonly Value[]>();
  #count = 0;

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
      group = this.#count++;
      level.set(value, group);
      if (this.#columns.some((index) => Object.is(row[index], -0))) {
        this.#negativeZeros.set(
          group,
          this.#columns.map((index) => row[index]!),
        );
      }
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

  /** Visits each group with the key of its first row. The array of the key is written over after the visit. */
  forEach(visit: (group: number, key: readonly Value[]) => void): void {
    const key: Value[] = new Array(this.#columns.length).fill(null);
    const walk = (level: Level, depth: number): void => {
      for (const [value, inner] of level) {
        if (depth < key.length) key[depth] = value;
        if (typeof inner === 'number') visit(inner, this.#negativeZeros.get(inner) ?? key);
        else walk(inner, depth + 1);
      }
    };
    walk(this.#root, 0);
  }
}
