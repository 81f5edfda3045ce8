import type { CanonicalRow, Layout } from '../canonical-row.ts';
import { decodeBase64, endOfBase64 } from './base64.ts';
import { JsonScanner } from './json-scanner.ts';
import type { LineDecoder, LineFault, LineMeaning } from './line-decoder.ts';
import { readInteger } from './numbers.ts';
import { ascii, ObjectReader } from './object-reader.ts';
import { RowDecoder } from './row-decoder.ts';

const NAMES = ['partition', 'offset', 'key', 'value'] as const;
const KEY = NAMES.indexOf('key');
const VALUE = NAMES.indexOf('value');

const LOWER_N = 0x6e;
const QUOTE = 0x22;
const NULL = ascii('null');
const IS_NULL = -2;

/** Lines of the `records` format: a topic's `{"partition","offset","key","value"}`, the value holding a row. */
export class RecordLineDecoder implements LineDecoder {
  readonly row: CanonicalRow;
  /** The broker key of the last line: a word `bytes + 1` and the bytes, zeros up to a whole word. */
  keyWords = new Int32Array(64);
  /** Words of the broker key; 0 where it was null. */
  keyLength = 0;
  private keyBytes = new Uint8Array(this.keyWords.buffer, 4);
  private readonly scanner = new JsonScanner();
  private readonly envelope: ObjectReader;
  private readonly decoder: RowDecoder;
  private payload = new Uint8Array(1024);
  /** Bytes of the value; {@link IS_NULL} where it was null. */
  private payloadLength = IS_NULL;
  private start = 0;
  private valueAt = 0;
  private inValue = false;

  constructor(layout: Layout) {
    this.decoder = new RowDecoder(layout);
    this.row = this.decoder.row;
    this.envelope = new ObjectReader(this.scanner, NAMES, (field) => this.readField(field));
  }

  decode(bytes: Uint8Array, start: number, end: number): LineMeaning {
    const { scanner, decoder } = this;
    this.start = start;
    this.inValue = false;
    scanner.open(bytes, start, end);
    if (!this.envelope.read() || !scanner.finish()) return 'corrupt';
    if (this.payloadLength === IS_NULL) return 'withdraw';
    this.inValue = true;
    decoder.open(this.payload, 0, this.payloadLength);
    return decoder.read() && decoder.scanner.finish() ? 'insert' : 'corrupt';
  }

  /** A fault inside the value is placed at the value, whose own bytes do not stand in the line. */
  fault(): LineFault {
    const { scanner, decoder, start } = this;
    return this.inValue
      ? { byte: this.valueAt - start, problem: decoder.scanner.problem, column: decoder.faultColumn }
      : { byte: scanner.faultAt - start, problem: scanner.problem };
  }

  private readField(field: number): boolean {
    const { scanner } = this;
    if (field === KEY) return this.readKey();
    if (field === VALUE) return this.readPayload();
    return readInteger(scanner) && (scanner.high >= 0 || scanner.fail('negative'));
  }

  private readKey(): boolean {
    const room = this.openText();
    this.keyLength = 0;
    if (room < 0) return room === IS_NULL;
    if (4 * this.keyWords.length < room + 8) {
      this.keyWords = new Int32Array(room);
      this.keyBytes = new Uint8Array(this.keyWords.buffer, 4);
    }
    const size = this.readBase64(this.keyBytes);
    if (size < 0) return false;
    this.keyLength = 1 + ((size + 3) >> 2);
    for (let at = size; (at & 3) !== 0; at++) this.keyBytes[at] = 0;
    this.keyWords[0] = size + 1;
    return true;
  }

  private readPayload(): boolean {
    this.valueAt = this.scanner.position;
    this.payloadLength = IS_NULL;
    const room = this.openText();
    if (room < 0) return room === IS_NULL;
    if (this.payload.length < room) this.payload = new Uint8Array(2 * room);
    this.payloadLength = this.readBase64(this.payload);
    return this.payloadLength >= 0;
  }

  /** Reads null or comes to a string. Returns most bytes that it can have, {@link IS_NULL} or -1 for a fault. */
  private openText(): number {
    const { scanner } = this;
    if (scanner.bytes[scanner.position] !== LOWER_N) return scanner.end - scanner.position;
    return scanner.literal(NULL, 'not base64') ? IS_NULL : -1;
  }

  /** Decodes the string that starts here to the front of `out`. Returns its number of bytes, or -1. */
  private readBase64(out: Uint8Array): number {
    const { scanner } = this;
    const at = scanner.position;
    if (at < scanner.end && scanner.bytes[at] === QUOTE) {
      // Written without an escape, as it always is, its letters need not be copied first.
      const end = endOfBase64(scanner.bytes, at + 1, scanner.end);
      if (end < scanner.end && scanner.bytes[end] === QUOTE) {
        const size = decodeBase64(scanner.bytes, at + 1, end, out);
        if (size >= 0) {
          scanner.position = end + 1;
          return size;
        }
      }
    }
    const start = scanner.string('not base64');
    if (start < 0) return -1;
    const size = decodeBase64(scanner.text.bytes, start, scanner.text.length, out);
    if (size < 0) scanner.fail('not base64', at);
    return size;
  }
}
