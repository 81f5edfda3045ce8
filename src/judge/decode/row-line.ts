import type { CanonicalRow, Layout } from '../canonical-row.ts';
import type { LineDecoder, LineFault, LineMeaning } from './line-decoder.ts';
import { RowDecoder } from './row-decoder.ts';

/** Lines of the `rows` format: the row itself. */
export class RowLineDecoder implements LineDecoder {
  readonly row: CanonicalRow;
  private readonly decoder: RowDecoder;
  private start = 0;

  constructor(layout: Layout) {
    this.decoder = new RowDecoder(layout);
    this.row = this.decoder.row;
  }

  decode(bytes: Uint8Array, start: number, end: number): LineMeaning {
    this.start = start;
    this.decoder.open(bytes, start, end);
    return this.decoder.read() && this.decoder.scanner.finish() ? 'insert' : 'corrupt';
  }

  fault(): LineFault {
    const { scanner, faultColumn } = this.decoder;
    return { byte: scanner.faultAt - this.start, problem: scanner.problem, column: faultColumn };
  }
}
