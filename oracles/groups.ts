import type { Row, Value } from '../src/model/value.ts';

/** Groups for which there is room at first. */
const FIRST_ROOM = 8;

/** A place of the table that holds no group. */
const EMPTY = -1;

/**
 * Numbers the groups of rows that hold the same values in the given columns: from 0, in the order of their first
 * rows. NULL is a value like any other, so that nulls are one group (semantics §1); so are −0 and 0, and all NaN.
 *
 * Each value stands as one number, its code, and no two values share one: see {@link Groups.of}. Codes lie in typed
 * arrays, in a hash table with linear probing, so that a million groups cost neither an object nor a string each.
 * Hashes only say where to look: what makes two rows one group is that all their codes are equal.
 */
export class Groups {
  /** By group: its first row, which shows its key. */
  readonly firstRows: Row[] = [];
  readonly #columns: readonly number[];
  /** Codes of values that are no safe integers. Equal as map keys are: `"1"` and 1 differ, NaN equals itself. */
  readonly #codes = new Map<Value, number>();
  /** The codes of the row at hand. */
  readonly #wanted: Float64Array;
  /** By group: the codes of its key, one after the other. */
  #keys: Float64Array;
  /** By hash: a group; or, where another had the place before, at the next place that was free. */
  #table: Int32Array;

  /** `columns`: the positions of the key; without any, all rows are one group. */
  constructor(columns: readonly number[]) {
    this.#columns = columns;
    this.#wanted = new Float64Array(columns.length);
    this.#keys = new Float64Array(FIRST_ROOM * columns.length);
    this.#table = new Int32Array(2 * FIRST_ROOM).fill(EMPTY);
  }

  /**
   * The number of the group of `row`, the next one when the row is the first of its group.
   *
   * The code of a safe integer is itself. Any other value is numbered when first seen, and its code is a half more
   * than its number, which no integer is.
   */
  of(row: Row): number {
    for (let index = 0; index < this.#columns.length; index++) {
      const value = row[this.#columns[index]!]!;
      if (Number.isSafeInteger(value)) {
        this.#wanted[index] = value as number;
        continue;
      }
      let code = this.#codes.get(value);
      if (code === undefined) {
        code = this.#codes.size + 0.5;
        this.#codes.set(value, code);
      }
      this.#wanted[index] = code;
    }
    const place = this.#placeOfWanted();
    const known = this.#table[place]!;
    return known === EMPTY ? this.#add(row, place) : known;
  }

  /** The number of the group whose key `row` holds in `columns`, if there is one. */
  find(row: Row, columns: readonly number[]): number | undefined {
    for (let index = 0; index < columns.length; index++) {
      const value = row[columns[index]!]!;
      const code = Number.isSafeInteger(value) ? (value as number) : this.#codes.get(value);
      if (code === undefined) return undefined;
      this.#wanted[index] = code;
    }
    const known = this.#table[this.#placeOfWanted()]!;
    return known === EMPTY ? undefined : known;
  }

  #add(row: Row, place: number): number {
    const group = this.firstRows.length;
    this.firstRows.push(row);
    this.#table[place] = group;
    const width = this.#columns.length;
    for (let index = 0; index < width; index++) this.#keys[group * width + index] = this.#wanted[index]!;
    if (this.firstRows.length * 2 === this.#table.length) this.#grow();
    return group;
  }

  /** Doubles the room. Half of the table at least stays empty, so that a search soon ends. */
  #grow(): void {
    const width = this.#columns.length;
    const keys = new Float64Array(this.#table.length * width);
    keys.set(this.#keys);
    this.#keys = keys;
    const table = new Int32Array(this.#table.length * 2).fill(EMPTY);
    const mask = table.length - 1;
    for (let group = 0; group < this.firstRows.length; group++) {
      let place = hashOf(keys, group * width, width) & mask;
      while (table[place] !== EMPTY) place = (place + 1) & mask;
      table[place] = group;
    }
    this.#table = table;
  }

  /** Where the table holds the group of the codes at hand, or the free place where it would. */
  #placeOfWanted(): number {
    const wanted = this.#wanted;
    const width = wanted.length;
    const table = this.#table;
    const keys = this.#keys;
    const mask = table.length - 1;
    let place = hashOf(wanted, 0, width) & mask;
    for (; ; place = (place + 1) & mask) {
      const group = table[place]!;
      if (group === EMPTY) return place;
      let index = 0;
      while (index < width && keys[group * width + index] === wanted[index]) index++;
      if (index === width) return place;
    }
  }
}

const TWO_TO_32 = 2 ** 32;

/** Mixes the low and the high 32 bits of each code; −0 and 0, which are equal, give the same. */
function hashOf(codes: Float64Array, start: number, width: number): number {
  let hash = 0;
  for (let index = start; index < start + width; index++) {
    const code = codes[index]!;
    hash = Math.imul(hash ^ code, 0x9e3779b1);
    hash = Math.imul((hash ^ (hash >>> 15)) + ((code / TWO_TO_32) | 0), 0x85ebca6b);
    hash ^= hash >>> 13;
  }
  return hash;
}
