import type { Case } from '../model/case.ts';
import { columnsRead, type Expression } from '../model/expression.ts';
import { type Plan, streamsOf } from '../model/plan/index.ts';
import { operatorsOf, rewriteLeaves } from '../model/plan/rewrite.ts';
import { columnIndex } from '../model/schema.ts';
import type { Value } from '../model/value.ts';
import { changed } from './candidate.ts';
import { literalOf } from './plain-values.ts';

/** Different values of a column beyond which none is compared with. */
const MOST_COMPARED = 3;

/**
 * What looks for the least, the greatest or the first rows compares values: what is wrong with their order shows in a row
 * that is compared with a constant as well.
 */
export function* comparedRows(testCase: Case): Generator<Case | undefined> {
  for (const node of operatorsOf(testCase.query.plan)) {
    for (const column of orderedBy(node)) {
      const input = inputBelow(node);
      const values = valuesOf(testCase, input, column);
      if (values.length > MOST_COMPARED) continue;
      for (const { type, value } of values) {
        const literal = literalOf(type, value);
        if (literal === undefined) continue;
        const compared: Expression = { fn: 'lt', args: [{ col: column }, literal] };
        yield changed(testCase, {
          plan: { op: 'project', input, columns: [{ as: 'p', value: compared }] },
        });
      }
    }
  }
}

/** The columns by whose order an operator chooses. */
function orderedBy(node: Plan): readonly string[] {
  switch (node.op) {
    case 'rank':
      return node.orderBy.slice(0, 1).map(({ column }) => column);
    case 'aggregate':
      return node.aggregates.flatMap(({ fn, arg }) =>
        arg !== undefined && (fn === 'min' || fn === 'max') ? [arg] : [],
      );
    default:
      return [];
  }
}

/** What an operator reads, without the windows of its rows. */
function inputBelow(node: Plan): Plan {
  if (node.op !== 'rank' && node.op !== 'aggregate') return node;
  return node.input.op === 'window' ? node.input.input : node.input;
}

/** The different values of a stream's column that a plan reads as it is. */
function valuesOf({ dataset }: Case, plan: Plan, name: string) {
  return streamsOf(plan).flatMap((stream) => {
    const { schema, partitions } = dataset.streams.find((each) => each.schema.name === stream)!;
    const column = columnIndex(schema.columns, name);
    if (column < 0) return [];
    const { type } = schema.columns[column]!;
    const values = partitions.flatMap((events) => events.map(({ row }) => row[column]!));
    return [...new Set(values)].map((value: Value) => ({ type, value }));
  });
}

/** Expressions over several columns of which one has the same value in all rows, and becomes a constant. */
export function* constantColumns(testCase: Case, node: Plan, expression: Expression): Generator<Expression> {
  const columns = [...new Set(columnsRead(expression))];
  if (columns.length < 2) return;
  for (const name of columns.toReversed()) {
    const [only, ...others] = valuesOf(testCase, node, name);
    if (only === undefined || others.length > 0) continue;
    const literal = literalOf(only.type, only.value);
    if (literal === undefined) continue;
    yield rewriteLeaves(expression, (leaf) => ('col' in leaf && leaf.col === name ? literal : leaf));
  }
}
