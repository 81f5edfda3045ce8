import { WINDOW_END } from '../../../model/plan/relation.ts';
import { rowToJson } from '../../../model/row-json.ts';
import type { Column } from '../../../model/schema.ts';
import type { Row } from '../../../model/value.ts';
import { type ChangeKind, kindNames, type Receiver, UPDATE_AFTER, UPDATE_BEFORE } from '../change.ts';
import type { Faults } from '../faults.ts';
import type { Key } from '../keys.ts';

/** What the sink is made for. */
export interface SinkSetting {
  /** The columns under the names they are written by. */
  readonly columns: readonly Column[];
  /** Key of a row by the declared columns. */
  readonly keyOf: (row: Row) => Key;
  /** Whether lines are those of a changelog, else the rows alone. */
  readonly changelog: boolean;
}

/** Writes one line for each change. It outlives a restart, and is cut back to what the checkpoint knows of. */
export class Sink implements Receiver {
  readonly #setting: SinkSetting;
  readonly #keysChange: boolean;
  readonly #escapes: boolean;
  readonly #repeats: boolean;
  #text = '';
  /** Where each line ends. */
  readonly #ends: number[] = [];
  #withheld: Row | undefined;

  constructor(setting: SinkSetting, faults: Faults) {
    this.#setting = setting;
    this.#keysChange = faults.has('key-change-leaves-old-row');
    this.#escapes = !faults.has('quotes-not-escaped');
    this.#repeats = faults.has('output-repeated-at-restore');
  }

  /** Lines so far. */
  get length(): number {
    return this.#ends.length;
  }

  /** All lines as they are written. */
  get text(): string {
    return this.#text;
  }

  cutBack(length: number): void {
    if (this.#repeats) return;
    this.#ends.length = length;
    this.#text = this.#text.slice(0, this.#ends.at(-1) ?? 0);
  }

  change(kind: ChangeKind, row: Row): void {
    if (this.#keysChange && kind === UPDATE_BEFORE) {
      this.#withheld = row;
      return;
    }
    const before = this.#withheld;
    const { keyOf } = this.#setting;
    this.#withheld = undefined;
    if (before !== undefined && kind === UPDATE_AFTER && keyOf(before) === keyOf(row)) {
      this.#write(UPDATE_BEFORE, before);
    }
    this.#write(kind, row);
  }

  watermark(): void {
    // Nothing waits behind the sink.
  }

  close(): void {
    // Lines are there as soon as they are written.
  }

  #write(kind: ChangeKind, row: Row): void {
    const { columns, changelog } = this.#setting;
    let json = rowToJson(columns, row);
    if (row.length > columns.length) json = `${json.slice(0, -1)},"${WINDOW_END}":${row.at(-1)}}`;
    if (!this.#escapes) json = json.replace(/\\(["\\])/g, '$1');
    this.#text += changelog ? `{"op":"${kindNames[kind]}","row":${json}}\n` : `${json}\n`;
    this.#ends.push(this.#text.length);
  }
}
