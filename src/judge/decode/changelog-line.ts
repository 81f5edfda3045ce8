import type { CanonicalRow, Layout } from '../canonical-row.ts';
import type { LineDecoder, LineFault, LineMeaning } from './line-decoder.ts';
import { ascii, holds, ObjectReader } from './object-reader.ts';
import { RowDecoder } from './row-decoder.ts';

const OP = 0;

const operations: readonly { readonly word: Uint8Array; readonly meaning: LineMeaning }[] = [
  { word: ascii('+I'), meaning: 'insert' },
  { word: ascii('+U'), meaning: 'update' },
  { word: ascii('-U'), meaning: 'withdraw' },
  { word: ascii('-D'), meaning: 'withdraw' },
];

/** Lines of the `changelog` format: `{"op":…,"row":{…}}`. */
export class ChangelogLineDecoder implements LineDecoder {
  readonly row: CanonicalRow;
  private readonly decoder: RowDecoder;
  private readonly envelope: ObjectReader;
  private meaning: LineMeaning = 'corrupt';
  private start = 0;

  constructor(layout: Layout) {
    this.decoder = new RowDecoder(layout);
    this.row = this.decoder.row;
    this.envelope = new ObjectReader(this.decoder.scanner, ['op', 'row'], (field) =>
      field === OP ? this.readOperation() : this.decoder.read(),
    );
  }

  decode(bytes: Uint8Array, start: number, end: number): LineMeaning {
    this.start = start;
    this.decoder.open(bytes, start, end);
    return this.envelope.read() && this.decoder.scanner.finish() ? this.meaning : 'corrupt';
  }

  fault(): LineFault {
    const { scanner, faultColumn } = this.decoder;
    return { byte: scanner.faultAt - this.start, problem: scanner.problem, column: faultColumn };
  }

  private readOperation(): boolean {
    const { scanner } = this.decoder;
    const at = scanner.position;
    const start = scanner.string('not an op');
    if (start < 0) return false;
    const { bytes, length } = scanner.text;
    scanner.text.length = start;
    const operation = operations.find(
      ({ word }) => word.length === length - start && holds(bytes, start, word),
    );
    if (operation === undefined) return scanner.fail('not an op', at);
    this.meaning = operation.meaning;
    return true;
  }
}
