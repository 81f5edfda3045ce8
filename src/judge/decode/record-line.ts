import type { CanonicalRow, Layout } from '../canonical-row.ts';
import { decodeBase64 } from './base64.ts';
import { JsonScanner } from './json-scanner.ts';
import type { LineDecoder, LineFault, LineMeaning } from './line-decoder.ts';
import { readInteger } from './numbers.ts';
import { ascii, ObjectReader } from './object-reader.ts';
import { RowDecoder } from './row-decoder.ts';

const NAMES = ['partition', 'offset', 'key', 'value'] as const;
const KEY = NAMES.indexOf('key');
const VALUE = NAMES.indexOf('value');

const LOWER_N = 0x6e;
const NULL = ascii('null');
const IS_NULL = -2;

/** Lines of the `records` format: a topic's `{"partition","offset","key","value"}`, the value holding a row. */
export class RecordLineDecoder implements LineDecoder {
  readonly row: CanonicalRow;
  /** The broker key of the last line: a word `bytes + 1` and the bytes, zeros up to a whole word. */
  keyWords = new Int32Array(64);
  /** Words of the broker key; 0 where it was null. */
  keyLength = 0;
  private readonly scanner = new JsonScanner();
  private readonly envelope: ObjectReader;
  private readonly decoder: RowDecoder;
  private payload = new Uint8Array(1024);
  /** Bytes of the value; {@link IS_NULL} where it was null. */
  private payloadLength = IS_NULL;
  private start = 0;
  private valueAt = 0;
  private textAt = 0;
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
    const text = this.readText();
    this.keyLength = 0;
    if (text < 0) return text === IS_NULL;
    const room = this.scanner.text.length - text;
    if (this.keyWords.length < room) this.keyWords = new Int32Array(2 * room);
    const size = this.decodeText(text, new Uint8Array(this.keyWords.buffer, 4));
    if (size < 0) return false;
    this.keyLength = 1 + ((size + 3) >> 2);
    const bytes = new Uint8Array(this.keyWords.buffer, 4, 4 * (this.keyLength - 1));
    bytes.fill(0, size);
    this.keyWords[0] = size + 1;
    return true;
  }

  private readPayload(): boolean {
    this.valueAt = this.scanner.position;
    this.payloadLength = IS_NULL;
    const text = this.readText();
    if (text < 0) return text === IS_NULL;
    const room = this.scanner.text.length - text;
    if (this.payload.length < room) this.payload = new Uint8Array(2 * room);
    this.payloadLength = this.decodeText(text, this.payload);
    return this.payloadLength >= 0;
  }

  /** Reads a string or null. Returns where in the scanner's text it starts, {@link IS_NULL} or a fault. */
  private readText(): number {
    const { scanner } = this;
    this.textAt = scanner.position;
    if (scanner.bytes[scanner.position] !== LOWER_N) return scanner.string('not base64');
    return scanner.literal(NULL, 'not base64') ? IS_NULL : -1;
  }

  private decodeText(start: number, out: Uint8Array): number {
    const { scanner } = this;
    const size = decodeBase64(scanner.text.bytes, start, scanner.text.length, out);
    if (size < 0) scanner.fail('not base64', this.textAt);
    return size;
  }
}
