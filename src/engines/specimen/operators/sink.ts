import { WINDOW_END } from '../../../model/plan/relation.ts';
import { rowToJson } from '../../../model/row-json.ts';
import type { Column } from '../../../model/schema.ts';
import type { Row } from '../../../model/value.ts';
import { type ChangeKind, kindNames, type Receiver, UPDATE_AFTER, UPDATE_BEFORE } from '../change.ts';
import type { Faults } from '../faults.ts';
import { keyReader } from '../keys.ts';

/** What the sink is made for. */
export interface SinkSetting {
  /** The columns under the names they are written by. */
  readonly columns: readonly Column[];
  /** Positions of the declared key. */
  readonly keys: readonly number[];
  /** Whether lines are those of a changelog, else the rows alone. */
  readonly changelog: boolean;
}

/** Writes one line for each change. It outlives a restart, and is cut back to what the checkpoint knows of. */
export class Sink implements Receiver {
  readonly #setting: SinkSetting;
  readonly #keysChange: boolean;
  readonly #escapes: boolean;
  readonly #repeats: boolean;
  readonly #keyOf: (row: Row) => unknown;
  readonly #lines: string[] = [];
  #withheld: Row | undefined;

  constructor(setting: SinkSetting, faults: Faults) {
    this.#setting = setting;
    this.#keysChange = faults.has('key-change-leaves-old-row');
    this.#escapes = !faults.has('quotes-not-escaped');
    this.#repeats = faults.has('output-repeated-at-restore');
    this.#keyOf = keyReader(setting.keys, faults);
  }

  /** Lines so far. */
  get length(): number {
    return this.#lines.length;
  }

  /** All lines as they are written. */
  text(): string {
    return this.#lines.join('');
  }

  cutBack(length: number): void {
    if (!this.#repeats) this.#lines.length = length;
  }

  change(kind: ChangeKind, row: Row): void {
    if (this.#keysChange && kind === UPDATE_BEFORE) {
      this.#withheld = row;
      return;
    }
    const before = this.#withheld;
    this.#withheld = undefined;
    if (before !== undefined && kind === UPDATE_AFTER && this.#keyOf(before) === this.#keyOf(row)) {
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
    this.#lines.push(changelog ? `{"op":"${kindNames[kind]}","row":${json}}\n` : `${json}\n`);
  }
}
