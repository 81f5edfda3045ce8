import type { Capture } from '../model/outcome.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/value.ts';
import { type Layout, layoutOf } from './canonical-row.ts';
import { type CorruptVisitor, eachCapturedLine } from './decode/captured-lines.ts';
import { giveBackDecoder, takeDecoder } from './decode/idle-decoders.ts';
import { eachEncoded, type LineFilter, type RowVisitor, type Side } from './side.ts';

/**
 * Calls `onRow` with each row of an append output (semantics §6). A line that updates or withdraws a row is
 * corrupt: it is no row of such an output. Lines that are not `wanted` (default: all are) are not even decoded.
 */
export async function eachAppendedRow(
  side: Side,
  layout: Layout,
  onRow: RowVisitor,
  onCorrupt: CorruptVisitor,
  wanted?: LineFilter,
): Promise<void> {
  if ('rows' in side) {
    eachEncoded(side.rows, layout, onRow, wanted);
    return;
  }
  const { format } = side.capture;
  const decoder = takeDecoder(format, layout);
  const lines = await eachCapturedLine(
    side.capture,
    decoder,
    (meaning, line) => {
      if (meaning !== 'insert') return `${meaning}s a row of an append output`;
      onRow(decoder.row, line);
      return undefined;
    },
    onCorrupt,
    wanted,
  );
  giveBackDecoder(format, layout, decoder);
  eachEncoded(side.plus ?? [], layout, onRow, wanted, lines + 1);
}

/** The rows of an append output, in memory. Lines that are none are left out. */
export async function appendedRows(columns: readonly Column[], capture: Capture): Promise<Row[]> {
  const layout = layoutOf(columns);
  const rows: Row[] = [];
  await eachAppendedRow(
    { capture },
    layout,
    ({ words }) => rows.push(layout.row(words, 0)),
    () => {},
  );
  return rows;
}
