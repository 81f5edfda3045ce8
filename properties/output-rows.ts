import { readOutput } from '../src/judge/read-output.ts';
import type { Output } from '../src/model/outcome.ts';
import type { CheckedQuery } from '../src/model/query.ts';
import type { Row } from '../src/model/value.ts';
import type { Difference, Diverge } from '../src/model/verdict.ts';

const MOST_SAMPLES = 20;

/**
 * The rows of an output, of a materialised one its final state (semantics §6); or what is wrong with it in itself: a
 * line that is no row, a changelog that breaks its law, two rows of one key.
 */
export async function outputRows(
  query: CheckedQuery,
  { capture }: Output,
): Promise<readonly Row[] | Diverge> {
  const { rows, corrupt, repeated } = await readOutput(query.columns, query.definition.declaration, capture);
  if (corrupt.length === 0 && repeated.length === 0) return rows;
  const samples: Difference[] = [
    ...corrupt.slice(0, MOST_SAMPLES).map((position) => ({ kind: 'corrupt', count: 1, position }) as const),
    ...repeated.slice(0, MOST_SAMPLES).map((actual) => ({ kind: 'extra', count: 1, actual }) as const),
  ];
  const counts = { lost: 0, premature: 0, altered: 0, extra: repeated.length, corrupt: corrupt.length };
  return { kind: 'diverge', counts, samples };
}
