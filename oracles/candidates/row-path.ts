import type { CheckedPlan, Plan } from '../../src/model/plan/index.ts';
import type { Row } from '../../src/model/value.ts';
import { compile } from '../expression.ts';

/** What filters and projections make of a row; undefined where one leaves it out. */
export type RowPath = (row: Row) => Row | undefined;

/** The filters and projections from an operator down to the first that is neither. */
export interface Path {
  readonly base: Plan;
  readonly through: RowPath;
  /** The name under which a column of the base comes out unchanged, if it does. */
  readonly nameOf: (column: string) => string | undefined;
}

export function pathDown(query: CheckedPlan, node: Plan): Path {
  if (node.op !== 'filter' && node.op !== 'project') {
    return { base: node, through: (row) => row, nameOf: (column) => column };
  }
  const { base, through, nameOf } = pathDown(query, node.input);
  const { columns } = query.relationOf(node.input);
  if (node.op === 'filter') {
    const where = compile(node.where, columns);
    const kept = (row: Row | undefined) => (row !== undefined && where(row) === true ? row : undefined);
    return { base, through: (row) => kept(through(row)), nameOf };
  }
  const values = node.columns.map(({ value }) => compile(value, columns));
  return {
    base,
    through: (row) => {
      const input = through(row);
      return input && values.map((value) => value(input));
    },
    nameOf: (column) => {
      const inner = nameOf(column);
      return node.columns.find(({ value }) => 'col' in value && value.col === inner)?.as;
    },
  };
}
