import type { JsonScanner } from './json-scanner.ts';

const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The bytes of ASCII text, as they stand in JSON. */
export function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** True when `word` stands in `bytes` at `at`. */
export function holds(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let index = 0; index < word.length; index++) if (bytes[at + index] !== word[index]) return false;
  return true;
}

/** Reads JSON objects of exactly the named fields, each once, in any order. */
export class ObjectReader {
  /** Field in which the last fault lies, or -1. */
  faultField = -1;
  private readonly scanner: JsonScanner;
  private readonly readField: (field: number) => boolean;
  private readonly beginnings: readonly Beginning[];
  /** Which field stood at each place of the last object: writers keep to one order. */
  private readonly lastOrder: Int32Array;
  /** The last object that had each field, by its number. */
  private readonly seen: Int32Array;
  private object = 0;

  /** `readField` reads the value of a field, which starts at the scanner's position. */
  constructor(scanner: JsonScanner, names: readonly string[], readField: (field: number) => boolean) {
    this.scanner = scanner;
    this.readField = readField;
    this.beginnings = names.map(beginningOf);
    this.lastOrder = new Int32Array(names.length);
    for (let place = 0; place < names.length; place++) this.lastOrder[place] = place;
    this.seen = new Int32Array(names.length);
  }

  /** Reads the object that starts at the scanner's position. False leaves the fault with the scanner. */
  read(): boolean {
    const { scanner, seen } = this;
    this.faultField = -1;
    this.object = (this.object + 1) | 0;
    const { object } = this;
    if (!scanner.expect(OPEN, 'not an object')) return false;
    let fields = 0;
    let next = scanner.peek();
    if (next === CLOSE) scanner.position++;
    while (next !== CLOSE) {
      const field = this.name(fields);
      if (field < 0) return false;
      this.faultField = field;
      if (seen[field] === object) return scanner.fail('repeated field');
      seen[field] = object;
      scanner.peek();
      if (!this.readField(field)) return false;
      next = scanner.peek();
      if (next !== COMMA && next !== CLOSE) return scanner.fail('no "," or "}" after the value');
      scanner.position++;
      this.faultField = -1;
      fields++;
    }
    if (fields === seen.length) return true;
    this.faultField = seen.findIndex((last) => last !== object);
    return scanner.fail('missing field', scanner.position - 1);
  }

  /** Reads the name of the field at `place`, and the colon. Returns the field, or -1. */
  private name(place: number): number {
    const { scanner, lastOrder } = this;
    scanner.peek();
    if (place < lastOrder.length) {
      const field = lastOrder[place]!;
      if (this.beginnings[field]!.skip(scanner)) return field;
    }
    const at = scanner.position;
    const start = scanner.string('not a field name');
    if (start < 0) return -1;
    const { text } = scanner;
    const size = text.length - start;
    const field = this.beginnings.findIndex(
      ({ name }) => name.length === size && holds(text.bytes, start, name),
    );
    text.length = start;
    if (field < 0) {
      scanner.fail('unknown field', at);
      return -1;
    }
    if (place < lastOrder.length) lastOrder[place] = field;
    if (scanner.expect(COLON, 'no ":" after the name')) return field;
    this.faultField = field;
    return -1;
  }
}

/** Names whose beginnings are kept: outputs are many, and their columns share names. All are forgotten beyond. */
const KEPT = 1_000;

const known = new Map<string, Beginning>();

function beginningOf(name: string): Beginning {
  let beginning = known.get(name);
  if (beginning === undefined) {
    beginning = new Beginning(ascii(name));
    if (known.size >= KEPT) known.clear();
    known.set(name, beginning);
  }
  return beginning;
}

/** How a field is mostly written, `"name":`, compared four bytes at a time. */
class Beginning {
  readonly name: Uint8Array;
  private readonly length: number;
  private readonly words: Int32Array;
  private readonly lastWord: number;

  constructor(name: Uint8Array) {
    this.name = name;
    const token = Uint8Array.of(QUOTE, ...name, QUOTE, COLON);
    const view = new DataView(token.buffer);
    this.length = token.length;
    this.words = Int32Array.from({ length: (token.length - 1) >> 2 }, (_, index) => view.getInt32(4 * index));
    this.lastWord = view.getInt32(token.length - 4);
  }

  /** Skips the token where the scanner stands at it. */
  skip(scanner: JsonScanner): boolean {
    const { words, length } = this;
    const { view, position } = scanner;
    const end = position + length;
    if (end > scanner.end) return false;
    for (let index = 0; index < words.length; index++) {
      if (view.getInt32(position + 4 * index) !== words[index]) return false;
    }
    if (view.getInt32(end - 4) !== this.lastWord) return false;
    scanner.position = end;
    return true;
  }
}
