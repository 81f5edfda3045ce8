import type { History, PgText } from '../../model/history/index.ts';

/** Texts that are searched for as they stand; shorter ones only where something encloses them. */
const PLAIN_CHARACTERS = 5;
/** What of a long value is enough to know it by. */
const KNOWN_BY = 40;

/**
 * Finds values of a history's rows, and contents and prefixes of its messages, in what a sink says (semantics §10,
 * invariant 1). Names of tables and columns are no values. A number or a word of few characters is found only in quotes
 * or as PostgreSQL tells a key, `=(…)`: anything else may be a count.
 */
export class LeakSearch {
  readonly #tokens = new Set<string>();
  readonly #long = new Set<string>();
  readonly #short = new Set<string>();

  constructor({ tables, steps }: History) {
    const names = new Set(tables.flatMap(({ name, columns }) => [name, ...columns.map((each) => each.name)]));
    for (const step of steps) {
      if (step.do === 'insert') for (const row of step.rows) this.#addAll(Object.values(row), names);
      if (step.do === 'update') this.#addAll(Object.values({ ...step.key, ...step.set }), names);
      if (step.do === 'message') {
        this.#addAll([step.prefix, step.content, Buffer.from(step.content, 'base64').toString()], names);
      }
    }
  }

  /** Whether the text holds a value. */
  isIn(text: string): boolean {
    for (const [word] of text.matchAll(/\w+/g)) if (this.#tokens.has(word)) return true;
    for (const value of this.#long) if (text.includes(value)) return true;
    for (const [, ...enclosed] of text.matchAll(ENCLOSED)) {
      const parts = enclosed.flatMap((part) => (part === undefined ? [] : [part, ...part.split(', ')]));
      if (parts.some((part) => this.#short.has(part))) return true;
    }
    return false;
  }

  #addAll(values: readonly PgText[], names: ReadonlySet<string>): void {
    for (const value of values) {
      if (value === null || value === '' || names.has(value)) continue;
      if (/^t\d+$/.test(value)) this.#tokens.add(value);
      else if (value.length >= PLAIN_CHARACTERS && !WORD.test(value))
        this.#long.add(value.slice(0, KNOWN_BY));
      else this.#short.add(value);
    }
  }
}

/** A word of the language may stand in any message. */
const WORD = /^[a-z]{1,12}$/i;
const ENCLOSED = /=\(([^)]*)\)|'([^']*)'|"([^"]*)"/g;
