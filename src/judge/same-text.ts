import type { Capture } from '../model/outcome.ts';
import { rowToJson } from '../model/row-json.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/value.ts';

/** Beyond that a text would cost more than it saves. */
const MOST_ROWS = 1_000;
const MOST_BYTES = 1 << 20;

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
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes.open()) {
    size += chunk.byteLength;
    if (size > MOST_BYTES) return false;
    chunks.push(chunk);
  }
  const written = Buffer.concat(chunks);
  const lines = written.toString().split('\n');
  if (lines.pop() !== '' || lines.length !== rows.length) return false;
  const left = new Map<string, number>();
  for (const row of rows) {
    const line = rowToJson(columns, row);
    left.set(line, (left.get(line) ?? 0) + 1);
  }
  for (const line of lines) {
    const count = left.get(line) ?? 0;
    // What is no UTF-8 was decoded to a replacement, which a row may hold as well.
    if (count === 0 || line.includes('\ufffd')) return false;
    left.set(line, count - 1);
  }
  return true;
}
