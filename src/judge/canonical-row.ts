import type { Column } from '../model/schema.ts';
import type { Type } from '../model/type.ts';
import { bigintValue, type Row, type Value } from '../model/value.ts';
import { TextBuffer } from './decode/text-buffer.ts';

/**
 * The order in which canonical rows hold their columns: key columns, then the other exact ones, then those
 * compared within a tolerance. So a row's key and its exact part are prefixes of it.
 */
export class Layout {
  readonly columns: readonly Column[];
  /** Index into `columns` at each canonical place. */
  readonly order: readonly number[];
  /** How many of the first places are key columns. */
  readonly keyColumns: number;
  /** How many of the first places are compared exactly. */
  readonly exactColumns: number;
  /** By canonical place: whether the value is held as text. */
  private readonly texts: readonly boolean[];

  /** @throws Error when a key or tolerance column is none of the columns, or is both. */
  constructor(columns: readonly Column[], keys: readonly string[], tolerance: readonly string[]) {
    const names = columns.map((column) => column.name);
    for (const name of [...keys, ...tolerance]) {
      if (!names.includes(name)) throw new Error(`declared column ${name} is no column of the output`);
    }
    const key: number[] = [];
    const exact: number[] = [];
    const tolerated: number[] = [];
    for (let place = 0; place < columns.length; place++) {
      const { name, type } = columns[place]!;
      const isTolerated = tolerance.includes(name);
      if (keys.includes(name)) {
        if (isTolerated) throw new Error(`key column ${name} cannot have a tolerance`);
        key.push(place);
      } else if (!isTolerated) exact.push(place);
      else if (type === 'DOUBLE') tolerated.push(place);
      else throw new Error(`column ${name} has a tolerance but is no DOUBLE`);
    }
    this.columns = columns;
    this.order = key.concat(exact, tolerated);
    this.keyColumns = key.length;
    this.exactColumns = key.length + exact.length;
    this.texts = this.order.map((place) => isText(columns[place]!.type));
  }

  /** Words taken by the first `places` columns of the canonical row that starts at `at`. */
  prefixLength(words: Int32Array, at: number, places: number): number {
    let end = at;
    for (let place = 0; place < places; place++) {
      end += valueLength(words[end]!, this.texts[place]!);
    }
    return end - at;
  }

  /** The values of the canonical row that starts at `at`, in schema order. */
  row(words: Int32Array, at: number): Row {
    const row: Value[] = new Array(this.columns.length);
    for (let place = 0; place < this.order.length; place++) {
      const index = this.order[place]!;
      row[index] = readValue(words, at, this.columns[index]!.type);
      at += valueLength(words[at]!, this.texts[place]!);
    }
    return row;
  }

  /** The values of the tolerance columns of the canonical row that starts at `at`. */
  tolerated(words: Int32Array, at: number): (number | null)[] {
    at += this.prefixLength(words, at, this.exactColumns);
    const values: (number | null)[] = [];
    for (let place = this.exactColumns; place < this.order.length; place++) {
      values.push(readValue(words, at, 'DOUBLE') as number | null);
      at += valueLength(words[at]!, false);
    }
    return values;
  }
}

const NULL = 0;
const FIXED = 1;

interface KnownLayout {
  readonly keys: readonly string[];
  readonly tolerance: readonly string[];
  readonly layout: Layout;
}

const NONE: readonly string[] = [];

const known = new WeakMap<readonly Column[], KnownLayout>();

/** The layout of columns, the same again while it is asked for with the same keys. @throws Error as {@link Layout} does */
export function layoutOf(
  columns: readonly Column[],
  keys: readonly string[] = NONE,
  tolerance: readonly string[] = NONE,
): Layout {
  const before = known.get(columns);
  if (before?.keys === keys && before.tolerance === tolerance) return before.layout;
  const layout = new Layout(columns, keys, tolerance);
  known.set(columns, { keys, tolerance, layout });
  return layout;
}

/** High words of integers that a number surely holds. */
const SAFE_HIGH = 2 ** 20;

const double = new Float64Array(1);
const doubleWords = new Int32Array(double.buffer);
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** True for the types whose values are held as text: STRING and DECIMAL. */
export function isText(type: Type): boolean {
  return type === 'STRING' || type.startsWith('DECIMAL');
}

function valueLength(tag: number, text: boolean): number {
  if (tag === NULL) return 1;
  return text ? 1 + ((tag + 2) >> 2) : 3;
}

function readValue(words: Int32Array, at: number, type: Type): Value {
  const tag = words[at]!;
  if (tag === NULL) return null;
  switch (type) {
    case 'BOOLEAN':
      return words[at + 1] === 1;
    case 'DOUBLE':
      doubleWords[0] = words[at + 1]!;
      doubleWords[1] = words[at + 2]!;
      return double[0]!;
    case 'INT':
    case 'BIGINT':
    case 'TIMESTAMP(3)': {
      const high = words[at + 2]!;
      const low = words[at + 1]! >>> 0;
      if (high < SAFE_HIGH && high >= -SAFE_HIGH) return high * 0x1_0000_0000 + low;
      return bigintValue((BigInt(high) << 32n) | BigInt(low));
    }
    default:
      return utf8.decode(new Uint8Array(words.buffer, words.byteOffset + 4 * (at + 1), tag - 1));
  }
}

/** Writes a text as UTF-8 and returns the end of it. There is room. */
function writeText(text: string, bytes: Uint8Array, start: number): number {
  let at = start;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Most texts are ASCII and short: calling the encoder for each takes longer.
    if (unit >= 0x80) return start + encoder.encodeInto(text, bytes.subarray(start)).written;
    bytes[at++] = unit;
  }
  return at;
}

const NOTHING = new Int32Array(0);
const NO_BYTES = new Uint8Array(NOTHING.buffer);

/**
 * One row in the judge's binary form, an injective encoding that does not depend on field order. 32-bit words:
 * each column in {@link Layout} order is
 *
 * - a word 0 for NULL;
 * - for STRING and DECIMAL a word `bytes + 1`, then the UTF-8 bytes, zeros up to a whole word;
 * - else a word 1 and two words, low first: the whole number in two's complement, the IEEE bits of a DOUBLE
 *   (one NaN), or 0 and 1.
 *
 * Two rows are equal exactly when their words are. Reused from row to row: one `set…` a column in any order,
 * then `finish`.
 */
export class CanonicalRow {
  readonly layout: Layout;
  /** Text that `setText` refers to; cleared by whoever writes it. */
  readonly text = new TextBuffer();
  words: Int32Array<ArrayBuffer> = NOTHING;
  /** Words of the whole row. */
  length = 0;
  /** Words of the key columns, the row's first. */
  keyLength = 0;
  /** Words of the columns that are compared exactly, the row's first. */
  exactLength = 0;
  private bytes = NO_BYTES;
  private readonly tags: Int32Array;
  private readonly low: Int32Array;
  private readonly high: Int32Array;
  private readonly order: Int32Array;
  private readonly texts: Uint8Array;

  constructor(layout: Layout) {
    const size = layout.columns.length;
    this.layout = layout;
    this.tags = new Int32Array(size);
    this.low = new Int32Array(size);
    this.high = new Int32Array(size);
    this.order = Int32Array.from(layout.order);
    this.texts = Uint8Array.from(layout.columns, (column) => (isText(column.type) ? 1 : 0));
  }

  setNull(column: number): void {
    this.tags[column] = NULL;
  }

  setWords(column: number, low: number, high: number): void {
    this.tags[column] = FIXED;
    this.low[column] = low;
    this.high[column] = high;
  }

  setBoolean(column: number, value: boolean): void {
    this.setWords(column, value ? 1 : 0, 0);
  }

  /** `value`: a safe integer. */
  setInteger(column: number, value: number): void {
    const high = Math.floor(value / 0x1_0000_0000);
    this.setWords(column, value - high * 0x1_0000_0000, high);
  }

  setDouble(column: number, value: number): void {
    double[0] = Number.isNaN(value) ? Number.NaN : value;
    this.setWords(column, doubleWords[0]!, doubleWords[1]!);
  }

  /** Bytes `start` to `end` of {@link text}. */
  setText(column: number, start: number, end: number): void {
    this.tags[column] = end - start + 1;
    this.low[column] = start;
  }

  /** Writes the words. Every column must have been set. */
  finish(): void {
    const { order, tags, low, high, texts } = this;
    const room = 4 * order.length + (this.text.length >> 2);
    if (this.words.length < room) {
      this.words = new Int32Array(2 * room);
      this.bytes = new Uint8Array(this.words.buffer);
    }
    const words = this.words;
    let at = 0;
    for (let place = 0; place < order.length; place++) {
      if (place === this.layout.keyColumns) this.keyLength = at;
      if (place === this.layout.exactColumns) this.exactLength = at;
      const column = order[place]!;
      const tag = tags[column]!;
      words[at++] = tag;
      if (tag === NULL) continue;
      if (texts[column] === 1) {
        at = this.copyText(low[column]!, tag - 1, at);
      } else {
        words[at] = low[column]!;
        words[at + 1] = high[column]!;
        at += 2;
      }
    }
    if (this.layout.keyColumns === order.length) this.keyLength = at;
    if (this.layout.exactColumns === order.length) this.exactLength = at;
    this.length = at;
  }

  private copyText(start: number, size: number, at: number): number {
    const end = at + ((size + 3) >> 2);
    if (size > 0) this.words[end - 1] = 0;
    const from = this.text.bytes;
    if (size > 64) {
      this.bytes.set(from.subarray(start, start + size), 4 * at);
    } else {
      for (let index = 0; index < size; index++) this.bytes[4 * at + index] = from[start + index]!;
    }
    return end;
  }

  /** Encodes values in their in-memory representation (semantics §1). */
  encode(row: Row): void {
    const { columns } = this.layout;
    let room = 0;
    for (const value of row) if (typeof value === 'string') room += 3 * value.length;
    this.text.clear(room);
    for (let column = 0; column < columns.length; column++) {
      const value = row[column]!;
      switch (typeof value) {
        case 'boolean':
          this.setBoolean(column, value);
          break;
        case 'bigint':
          this.setWords(column, Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
          break;
        case 'number':
          if (columns[column]!.type === 'DOUBLE') this.setDouble(column, value);
          else this.setInteger(column, value);
          break;
        case 'string': {
          const start = this.text.length;
          this.text.length = writeText(value, this.text.bytes, start);
          this.setText(column, start, this.text.length);
          break;
        }
        default:
          this.setNull(column);
      }
    }
    this.finish();
  }
}
