import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { lsnSchema, lsnToText } from '../../model/history/index.ts';
import type { TransactionItem } from './delivered.ts';

/** Characters that are gathered before they are written. */
const CHUNK = 256 * 1024;

/** What an item belongs to: a savepoint's transaction, where the stream tells it. */
export interface TaggedItem {
  readonly xid: number | undefined;
  readonly item: TransactionItem;
}

/**
 * Items of one transaction on disk, one JSON array a line. The file has no name from the beginning, so the system takes
 * it back however we end.
 */
export class SpillFile {
  readonly #file: number;
  #gathered: string[] = [];
  #length = 0;
  #closed = false;

  constructor(directory: string = tmpdir()) {
    const path = join(directory, `tidemark-spill-${randomBytes(8).toString('hex')}`);
    this.#file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
  }

  add({ xid, item }: TaggedItem): void {
    const line = JSON.stringify([xid ?? null, 'op' in item ? item : { ...item, lsn: lsnToText(item.lsn) }]);
    this.#gathered.push(line);
    this.#length += line.length + 1;
    if (this.#length >= CHUNK) this.#write();
  }

  /** Everything that was added; the file is closed at the end, or when the loop is left. */
  async *read(): AsyncGenerator<TaggedItem> {
    try {
      this.#write();
      const bytes = Buffer.allocUnsafe(CHUNK);
      const decoder = new StringDecoder('utf8');
      let rest = '';
      for (let position = 0; ; ) {
        this.#refuseClosed();
        // At once, as it was written: it is in the system's memory, and no close can come between.
        const length = readSync(this.#file, bytes, 0, CHUNK, position);
        if (length === 0) return;
        position += length;
        const lines = (rest + decoder.write(bytes.subarray(0, length))).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) yield parse(line);
      }
    } finally {
      this.close();
    }
  }

  /** Gives the disk back. Twice does no harm. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#file);
  }

  /** The number of a file that is closed may be another file's by now. */
  #refuseClosed(): void {
    if (this.#closed) throw new Error('the spilled transaction was given up');
  }

  #write(): void {
    this.#refuseClosed();
    if (this.#length === 0) return;
    const bytes = Buffer.from(`${this.#gathered.join('\n')}\n`);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
    this.#gathered = [];
    this.#length = 0;
  }
}

function parse(line: string): TaggedItem {
  const [xid, item] = JSON.parse(line);
  return { xid: xid ?? undefined, item: 'op' in item ? item : { ...item, lsn: lsnSchema.decode(item.lsn) } };
}
