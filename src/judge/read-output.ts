import type { Declaration } from '../model/declaration.ts';
import type { Capture } from '../model/outcome.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/value.ts';
import type { CorruptPosition } from '../model/verdict.ts';
import { eachAppendedRow } from './appended-rows.ts';
import { layoutOf } from './canonical-row.ts';
import { finalState } from './final-state.ts';
import { murmur3 } from './murmur3.ts';

/** An output in memory: its rows, of a materialised one its final state (semantics §6), and what it should not hold. */
export interface ReadOutput {
  readonly rows: readonly Row[];
  /** Lines that are no row, or that break the law of their changelog. */
  readonly corrupt: readonly CorruptPosition[];
  /** Rows of a materialised output whose declared key another live row has. */
  readonly repeated: readonly Row[];
}

export async function readOutput(
  columns: readonly Column[],
  declaration: Declaration,
  capture: Capture,
): Promise<ReadOutput> {
  const rows: Row[] = [];
  const corrupt: CorruptPosition[] = [];
  const repeated: Row[] = [];
  if (declaration.class === 'append') {
    const layout = layoutOf(columns);
    await eachAppendedRow(
      { capture },
      layout,
      ({ words }) => rows.push(layout.row(words, 0)),
      (position) => corrupt.push(position),
    );
  } else {
    const layout = layoutOf(columns, declaration.keys);
    const state = await finalState(
      { capture },
      {
        layout,
        hash: murmur3,
        onCorrupt(position) {
          corrupt.push(position);
        },
        onRepeated({ words, start }) {
          repeated.push(layout.row(words, start));
        },
      },
    );
    state.each(({ words, start }) => rows.push(layout.row(words, start)));
  }
  return { rows, corrupt, repeated };
}
