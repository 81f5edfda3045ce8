import type { Value } from '../src/model/value.ts';

type Level<T> = Map<Value, T | Level<T>>;

/**
 * One `T` for each combination of key values. NULL is a value like any other, so that nulls are one group
 * (semantics §1); so are −0 and 0, and all NaN.
 *
 * Nested maps of the values themselves: no key is ever built, so that none can stand for two.
 */
export class Groups<T> {
  readonly #depth: number;
  readonly #root: Level<T> = new Map();
  #global: T | undefined;

  constructor(depth: number) {
    this.#depth = depth;
  }

  /** The group of `key`, made by `create` when it is the first of its kind. */
  get(key: readonly Value[], create: () => T): T {
    if (this.#depth === 0) {
      this.#global ??= create();
      return this.#global;
    }
    let level = this.#root;
    for (let index = 0; index < this.#depth - 1; index++) {
      let next = level.get(key[index]!) as Level<T> | undefined;
      if (next === undefined) {
        next = new Map();
        level.set(key[index]!, next);
      }
      level = next;
    }
    const last = key[this.#depth - 1]!;
    let group = level.get(last) as T | undefined;
    if (group === undefined) {
      group = create();
      level.set(last, group);
    }
    return group;
  }

  /** The group of `key` if there is one. */
  find(key: readonly Value[]): T | undefined {
    if (this.#depth === 0) return this.#global;
    let level: Level<T> | undefined = this.#root;
    for (let index = 0; level !== undefined && index < this.#depth - 1; index++) {
      level = level.get(key[index]!) as Level<T> | undefined;
    }
    return level?.get(key[this.#depth - 1]!) as T | undefined;
  }

  forEach(visit: (group: T) => void): void {
    if (this.#depth === 0) {
      if (this.#global !== undefined) visit(this.#global);
      return;
    }
    const walk = (level: Level<T>, depth: number): void => {
      for (const inner of level.values()) {
        if (depth === this.#depth) visit(inner as T);
        else walk(inner as Level<T>, depth + 1);
      }
    };
    walk(this.#root, 1);
  }
}
