import type { ByteSource, Capture } from '../model/outcome.ts';
import { rowToJson } from '../model/row-json.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/value.ts';

/** Beyond that a text would cost more than it saves. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 1 << 20;

/** What bytes are decoded to that are no UTF-8. */
const REPLACEMENT = '\ufffd';

/**
 * Whether an append output holds just the lines that these rows are written as, in any order. A small output needs not
 * be decoded then: lines that are equal byte for byte are equal rows. False says nothing.
 */
export async function isSameText(
  columns: readonly Column[],
  rows: readonly Row[],
  { format, bytes }: Capture,
): Promise<boolean> {
  if (format !== 'rows' || rows.length === 0 || rows.length > MOST_ROWS) return false;
  const written = bytes.whole ?? (await smallWhole(bytes));
  if (written === undefined || written.length > MOST_BYTES) return false;
  const text = Buffer.from(written.buffer, written.byteOffset, written.byteLength).toString();
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length !== rows.length) return false;
  // What is no UTF-8 was decoded to a replacement, which a row may hold as well.
  if (text.includes(REPLACEMENT)) return false;
  const wanted = rows.map((row) => rowToJson(columns, row));
  // Many outputs have the order in which the truth is told.
  return wanted.every((line, index) => line === lines[index]) || isSameBag(wanted, lines);
}

function isSameBag(wanted: readonly string[], lines: readonly string[]): boolean {
  const left = new Map<string, number>();
  for (const line of wanted) left.set(line, (left.get(line) ?? 0) + 1);
  for (const line of lines) {
    const count = left.get(line) ?? 0;
    if (count === 0) return false;
    left.set(line, count - 1);
  }
  return true;
}

/** All bytes; undefined where they are too many. */
async function smallWhole(bytes: ByteSource): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes.open()) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) return undefined;
    chunks.push(chunk.slice());
  }
  return Buffer.concat(chunks);
}
