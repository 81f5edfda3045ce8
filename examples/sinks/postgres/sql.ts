import type { PgText } from 'tidemark/sinks';

/** A statement and its parameters, which are text: PostgreSQL reads each as its column's type. */
export interface Statement {
  readonly text: string;
  readonly values: readonly PgText[];
}

/** An identifier, quoted: no name reaches SQL raw. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Writes a statement piece by piece: names and values that are put in are quoted and bound. */
export class Sql {
  readonly #values: PgText[] = [];

  /** The place of a value. */
  value(value: PgText): string {
    return `$${this.#values.push(value)}`;
  }

  /** `"a" = $1, "b" = $2`, with another word between them where given. */
  pairs(values: readonly (readonly [name: string, value: PgText])[], between = ', '): string {
    return values.map(([name, value]) => `${quoted(name)} = ${this.value(value)}`).join(between);
  }

  statement(text: string): Statement {
    return { text, values: this.#values };
  }
}
