import type { Row, Value } from '../src/model/value.ts';

/** A window of one operator: its number there, from 0, and its start and end as two values. */
export interface Window {
  readonly number: number;
  readonly bounds: Row;
}

/** The windows of one operator, each once whatever number of rows and keys it holds. */
export class Windows {
  /** By end; sessions of several keys may end at once, other windows do not. */
  readonly #windows = new Map<number, Window[]>();
  #count = 0;

  /** The window `[start, end)`. */
  of(start: number, end: number): Window {
    let ending = this.#windows.get(end);
    if (ending === undefined) {
      ending = [];
      this.#windows.set(end, ending);
    }
    for (const window of ending) if (window.bounds[0] === start) return window;
    // Begun with nulls: an array of numbers alone would make new numbers for every row that shows them.
    const bounds: Value[] = [null, null];
    bounds[0] = start;
    bounds[1] = end;
    const window = { number: this.#count++, bounds };
    ending.push(window);
    return window;
  }
}
