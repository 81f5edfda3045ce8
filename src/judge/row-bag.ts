import type { Row } from '../model/value.ts';

/** Rows of one schema with their multiplicities, by value. */
export class RowBag {
  readonly #counts = new Map<string, number>();

  constructor(rows: Iterable<Row> = []) {
    for (const row of rows) this.add(row);
  }

  add(row: Row): void {
    const key = keyOf(row);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Takes one such row out; false when there is none left. */
  take(row: Row): boolean {
    const key = keyOf(row);
    const count = this.#counts.get(key) ?? 0;
    if (count === 0) return false;
    this.#counts.set(key, count - 1);
    return true;
  }
}

/** A text that two rows share exactly when all their values are equal. */
export function keyOf(values: Row): string {
  let key = '';
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    switch (typeof value) {
      case 'string':
        // The length tells where it ends.
        key += `"${value.length}:${value}`;
        break;
      case 'bigint':
        key += `${value}n,`;
        break;
      default:
        key += Object.is(value, -0) ? '-0,' : `${value},`;
    }
  }
  return key;
}
