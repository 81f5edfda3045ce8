import type { Capture } from '../../model/outcome.ts';
import type { CorruptPosition } from '../../model/verdict.ts';
import type { LineDecoder, LineMeaning } from './line-decoder.ts';
import { eachLine } from './lines.ts';

/** Takes the position of a corrupt line. */
export type CorruptVisitor = (position: CorruptPosition) => void;

/**
 * Decodes each line of a capture that is wanted, and returns the number of all. `take` reads what the decoder then
 * holds, and may still call the line corrupt by returning what is wrong with it.
 */
export async function eachCapturedLine(
  capture: Capture,
  decoder: LineDecoder,
  take: (meaning: LineMeaning, line: number) => string | undefined,
  onCorrupt: CorruptVisitor,
  wanted?: (line: number) => boolean,
): Promise<number> {
  let line = 0;
  await eachLine(capture.bytes, (bytes, start, end) => {
    line++;
    if (wanted !== undefined && !wanted(line)) return;
    const meaning = decoder.decode(bytes, start, end);
    if (meaning === 'corrupt') {
      onCorrupt({ line, ...decoder.fault() });
      return;
    }
    const problem = take(meaning, line);
    if (problem !== undefined) onCorrupt({ line, byte: 0, problem });
  });
  return line;
}
