import type { Row, Value } from '../src/model/value.ts';

/** A window of one operator: its number there, from 0, and its start and end as two values. */
export interface Window {
  readonly number: number;
  readonly bounds: Row;
}

/** The windows of one operator, each once whatever number of rows and keys it holds. */
export class Windows {
  /** By end; sessions of several keys may end at once, other windows do not. */
  readonly #windows = new Map<number, Window | Window[]>();
  #count = 0;

  /** The window `[start, end)`. */
  of(start: number, end: number): Window {
    const ending = this.#windows.get(end);
    if (ending === undefined) {
      const window = this.#window(start, end);
      this.#windows.set(end, window);
      return window;
    }
    const others = Array.isArray(ending) ? ending : [ending];
    for (const window of others) if (window.bounds[0] === start) return window;
    const window = this.#window(start, end);
    others.push(window);
    this.#windows.set(end, others);
    return window;
  }

  #window(start: number, end: number): Window {
    // Begun with nulls: an array of numbers alone would make new numbers for every row that shows them.
    const bounds: Value[] = [null, null];
    bounds[0] = start;
    bounds[1] = end;
    return { number: this.#count++, bounds };
  }
}
