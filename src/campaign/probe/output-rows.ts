import { eachAppendedRow } from '../../judge/appended-rows.ts';
import { Layout } from '../../judge/canonical-row.ts';
import { finalState } from '../../judge/final-state.ts';
import { murmur3 } from '../../judge/murmur3.ts';
import type { Capture } from '../../model/outcome.ts';
import type { CheckedQuery } from '../../model/query.ts';
import type { Row } from '../../model/value.ts';

/** An output with a line that is no row. The message tells the line, not what it holds. */
export class CorruptOutput extends Error {
  override readonly name = 'CorruptOutput';
}

/**
 * The rows of an output: all that were appended, or the last of each key. What is no row of it leaves nothing to
 * be read from the others, since a trait shows in which rows there are.
 *
 * @throws CorruptOutput where a line is none.
 */
export async function outputRows(
  { columns, definition }: CheckedQuery,
  capture: Capture,
): Promise<readonly Row[]> {
  const onCorrupt = ({ line, problem }: { readonly line: number; readonly problem: string }) => {
    throw new CorruptOutput(`line ${line} of the output is no row: ${problem}`);
  };
  const { class: judged, keys } = definition.declaration;
  const layout = new Layout(columns, keys, []);
  const rows: Row[] = [];
  if (judged === 'append') {
    await eachAppendedRow({ capture }, layout, ({ words }) => rows.push(layout.row(words, 0)), onCorrupt);
    return rows;
  }
  const onRepeated = () => {
    throw new CorruptOutput('two live rows of the output have the same key');
  };
  const state = await finalState({ capture }, { layout, hash: murmur3, onCorrupt, onRepeated });
  state.each(({ words, start }) => rows.push(layout.row(words, start)));
  return rows;
}
