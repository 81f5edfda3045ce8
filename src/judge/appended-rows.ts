import type { Capture } from '../model/outcome.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/value.ts';
import { type Layout, layoutOf } from './canonical-row.ts';
import { type CorruptVisitor, eachCapturedLine } from './decode/captured-lines.ts';
import { ChangelogLineDecoder } from './decode/changelog-line.ts';
import type { LineDecoder } from './decode/line-decoder.ts';
import { RecordLineDecoder } from './decode/record-line.ts';
import { RowLineDecoder } from './decode/row-line.ts';
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
  idle.set(layout, { format, decoder });
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

/** A decoder that nobody uses, kept for the next output of its layout: many are small. */
const idle = new WeakMap<Layout, { readonly format: Capture['format']; readonly decoder: LineDecoder }>();

function takeDecoder(format: Capture['format'], layout: Layout): LineDecoder {
  const before = idle.get(layout);
  if (before?.format !== format) return decoderOf(format, layout);
  idle.delete(layout);
  return before.decoder;
}

function decoderOf(format: Capture['format'], layout: Layout): LineDecoder {
  switch (format) {
    case 'rows':
      return new RowLineDecoder(layout);
    case 'changelog':
    case 'retract':
      return new ChangelogLineDecoder(layout);
    case 'records':
      return new RecordLineDecoder(layout);
  }
}
