import type { CanonicalRow } from '../canonical-row.ts';

/** What a line does: adds a row, writes a row over another, withdraws one; or it cannot be read. */
export type LineMeaning = 'insert' | 'update' | 'withdraw' | 'corrupt';

/** What is wrong with a corrupt line: the byte within it, and never what it holds. */
export interface LineFault {
  readonly byte: number;
  readonly problem: string;
  readonly column?: string | undefined;
}

/** Reads the lines of one capture format. What a line held is valid until the next is decoded. */
export interface LineDecoder {
  /** The row of the last line, unless that was corrupt or withdrew a broker key. */
  readonly row: CanonicalRow;
  decode(bytes: Uint8Array, start: number, end: number): LineMeaning;
  /** Of the last line, which was corrupt. */
  fault(): LineFault;
}
