import { decimalOf, type Type } from '../../model/type.ts';
import { CanonicalRow, type Layout } from '../canonical-row.ts';
import { DECIMAL_MAX_BYTES, normaliseDecimal } from './decimal.ts';
import { JsonScanner } from './json-scanner.ts';
import { readDouble, readInteger } from './numbers.ts';
import { ascii, holds, ObjectReader } from './object-reader.ts';

const QUOTE = 0x22;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;

const NULL = ascii('null');
const TRUE = ascii('true');
const FALSE = ascii('false');
const NAN = ascii('NaN');
const INFINITY = ascii('Infinity');
const MINUS_INFINITY = ascii('-Infinity');

/** Reads a value that is not null into its column; false where it is not of the column's type. */
type ValueReader = (scanner: JsonScanner, row: CanonicalRow, column: number) => boolean;

/**
 * Reads rows, flat JSON objects of exactly the columns in any order, into a canonical row (semantics §6).
 *
 * NULL is read in every column: in one that the schema calls not nullable it differs from the truth's value,
 * which says more than a corrupt line would.
 */
export class RowDecoder {
  readonly row: CanonicalRow;
  readonly scanner: JsonScanner;
  private readonly object: ObjectReader;
  private readonly readers: readonly ValueReader[];
  /** Most text that a row's values take beyond the bytes they are read from. */
  private readonly room: number;

  constructor(layout: Layout) {
    const { columns } = layout;
    this.row = new CanonicalRow(layout);
    this.scanner = new JsonScanner(this.row.text);
    this.readers = columns.map((column) => readerOf(column.type));
    this.object = new ObjectReader(
      this.scanner,
      columns.map((column) => column.name),
      (column) => this.readValue(column),
    );
    this.room = DECIMAL_MAX_BYTES * columns.length;
  }

  /** The column in which the last fault lies, if it can be told. */
  get faultColumn(): string | undefined {
    return this.row.layout.columns[this.object.faultField]?.name;
  }

  open(bytes: Uint8Array, start: number, end: number): void {
    this.object.faultField = -1;
    this.scanner.open(bytes, start, end, this.room);
  }

  /** Reads the row that starts at the scanner's position. False leaves the fault with the scanner. */
  read(): boolean {
    if (!this.object.read()) return false;
    this.row.finish();
    return true;
  }

  private readValue(column: number): boolean {
    const { scanner, row } = this;
    if (scanner.bytes[scanner.position] !== LOWER_N) return this.readers[column]!(scanner, row, column);
    row.setNull(column);
    return scanner.literal(NULL, 'not a value');
  }
}

function readerOf(type: Type): ValueReader {
  switch (type) {
    case 'BOOLEAN':
      return readBoolean;
    case 'INT':
      return readInt;
    case 'BIGINT':
      return readBigint;
    case 'TIMESTAMP(3)':
      return readTimestamp;
    case 'DOUBLE':
      return readDoubleOrName;
    case 'STRING':
      return readString;
    default:
      return decimalReader(decimalOf(type)!);
  }
}

function readBoolean(scanner: JsonScanner, row: CanonicalRow, column: number): boolean {
  const value = scanner.bytes[scanner.position] === LOWER_T;
  if (!scanner.literal(value ? TRUE : FALSE, 'not a boolean')) return false;
  row.setBoolean(column, value);
  return true;
}

function readBigint(scanner: JsonScanner, row: CanonicalRow, column: number): boolean {
  if (!readInteger(scanner)) return false;
  row.setWords(column, scanner.low, scanner.high);
  return true;
}

function readInt(scanner: JsonScanner, row: CanonicalRow, column: number): boolean {
  const at = scanner.position;
  if (!readBigint(scanner, row, column)) return false;
  return scanner.high === scanner.low >> 31 || scanner.fail('beyond 32 bits', at);
}

function readTimestamp(scanner: JsonScanner, row: CanonicalRow, column: number): boolean {
  const at = scanner.position;
  if (!readBigint(scanner, row, column)) return false;
  const value = scanner.high * 0x1_0000_0000 + (scanner.low >>> 0);
  return Number.isSafeInteger(value) || scanner.fail('beyond the range of a timestamp', at);
}

function readString(scanner: JsonScanner, row: CanonicalRow, column: number): boolean {
  const start = scanner.string('not a string');
  if (start < 0) return false;
  row.setText(column, start, scanner.text.length);
  return true;
}

function readDoubleOrName(scanner: JsonScanner, row: CanonicalRow, column: number): boolean {
  const at = scanner.position;
  if (scanner.bytes[scanner.position] !== QUOTE) {
    if (!readDouble(scanner)) return false;
    row.setDouble(column, scanner.double);
    return true;
  }
  const start = scanner.string('not a number');
  if (start < 0) return false;
  const { bytes, length } = scanner.text;
  scanner.text.length = start;
  const is = (word: Uint8Array) => length - start === word.length && holds(bytes, start, word);
  if (is(NAN)) row.setDouble(column, Number.NaN);
  else if (is(INFINITY)) row.setDouble(column, Number.POSITIVE_INFINITY);
  else if (is(MINUS_INFINITY)) row.setDouble(column, Number.NEGATIVE_INFINITY);
  else return scanner.fail('not a number', at);
  return true;
}

/** A DECIMAL is a string of its text or a JSON number. */
function decimalReader(size: { readonly precision: number; readonly scale: number }): ValueReader {
  return (scanner, row, column) => {
    const { text, position: at } = scanner;
    let source = scanner.bytes;
    let from = at;
    let to: number;
    if (scanner.bytes[scanner.position] === QUOTE) {
      from = scanner.string('not a decimal');
      if (from < 0) return false;
      source = text.bytes;
      to = text.length;
    } else {
      // Read for its grammar only: the digits are what counts.
      if (!readDouble(scanner)) return false;
      to = scanner.position;
    }
    const start = text.length;
    const end = normaliseDecimal(source, from, to, size, text.bytes, start);
    if (end < 0) return scanner.fail('not a decimal of this precision and scale', at);
    text.length = end;
    row.setText(column, start, end);
    return true;
  };
}
