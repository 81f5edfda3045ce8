import type { Capture } from '../../model/outcome.ts';
import type { Layout } from '../canonical-row.ts';
import { ChangelogLineDecoder } from './changelog-line.ts';
import type { LineDecoder } from './line-decoder.ts';
import { RecordLineDecoder } from './record-line.ts';
import { RowLineDecoder } from './row-line.ts';

/** Decoders that nobody uses, kept for the next output of their layout: many outputs are small. */
const idle = new WeakMap<Layout, { readonly format: Capture['format']; readonly decoder: LineDecoder }>();

/** A decoder of a format for rows of a layout, nobody else's until it is given back. */
export function takeDecoder(format: Capture['format'], layout: Layout): LineDecoder {
  const before = idle.get(layout);
  if (before?.format !== format) return decoderOf(format, layout);
  idle.delete(layout);
  return before.decoder;
}

/** Gives a decoder back. What it last read is no longer valid. */
export function giveBackDecoder(format: Capture['format'], layout: Layout, decoder: LineDecoder): void {
  idle.set(layout, { format, decoder });
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
