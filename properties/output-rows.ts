import { appendedRows } from '../src/judge/appended-rows.ts';
import { materialisedRows } from '../src/judge/final-state.ts';
import { judge } from '../src/judge/judge.ts';
import type { Output } from '../src/model/outcome.ts';
import type { CheckedQuery } from '../src/model/query.ts';
import type { Row } from '../src/model/value.ts';
import type { Diverge } from '../src/model/verdict.ts';

/**
 * The rows of an output, of a materialised one its final state (semantics §6); or what is wrong with it in itself: a
 * line that is no row, a changelog that breaks its law.
 */
export async function outputRows(
  query: CheckedQuery,
  { capture }: Output,
): Promise<readonly Row[] | Diverge> {
  const { columns, definition } = query;
  const { declaration } = definition;
  const rows =
    declaration.class === 'append'
      ? await appendedRows(columns, capture)
      : await materialisedRows(columns, declaration.keys, capture);
  // Judged against itself, an output differs in nothing but what it should not hold at all.
  const verdict = await judge({ columns, declaration, expected: { rows }, actual: { capture } });
  return verdict.kind === 'diverge' ? verdict : rows;
}
