import type { Capture } from '../model/outcome.ts';
import type { Layout } from './canonical-row.ts';
import { type CorruptVisitor, eachCapturedLine } from './decode/captured-lines.ts';
import { ChangelogLineDecoder } from './decode/changelog-line.ts';
import type { LineDecoder } from './decode/line-decoder.ts';
import { RecordLineDecoder } from './decode/record-line.ts';
import { RowLineDecoder } from './decode/row-line.ts';
import { eachEncoded, type RowVisitor, type Side } from './side.ts';

/**
 * Calls `onRow` with each row of an append output (semantics §6). A line that updates or withdraws a row is
 * corrupt: it is no row of such an output.
 */
export async function eachAppendedRow(
  side: Side,
  layout: Layout,
  onRow: RowVisitor,
  onCorrupt: CorruptVisitor,
): Promise<void> {
  if ('rows' in side) {
    eachEncoded(side.rows, layout, onRow);
    return;
  }
  const decoder = decoderOf(side.capture.format, layout);
  await eachCapturedLine(
    side.capture,
    decoder,
    (meaning) => {
      if (meaning !== 'insert') return `${meaning}s a row of an append output`;
      onRow(decoder.row);
      return undefined;
    },
    onCorrupt,
  );
}

function decoderOf(format: Capture['format'], layout: Layout): LineDecoder {
  switch (format) {
    case 'rows':
      return new RowLineDecoder(layout);
    case 'changelog':
      return new ChangelogLineDecoder(layout);
    case 'records':
      return new RecordLineDecoder(layout);
  }
}
