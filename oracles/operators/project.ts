import type { Row, Value } from '../../src/model/value.ts';
import type { Evaluate } from '../expression.ts';
import { blankRow } from './blank-row.ts';
import type { RowStream } from './stream.ts';

/**
 * One row for each row, its values computed one by one (semantics §3); with `where`, the rows whose own values make it
 * true. Those of the others are computed too, since any may refuse, but no row is made of them.
 */
export function project(input: RowStream, columns: readonly Evaluate[], where?: Evaluate): RowStream {
  const width = columns.length;
  const blank = blankRow(width);
  const compute = (row: Row, values: Value[]) => {
    for (let index = 0; index < width; index++) values[index] = columns[index]!(row);
  };
  if (where === undefined) {
    return (emit) =>
      input((row, fire, before) => {
        const values = blank();
        compute(row, values);
        emit(values, fire, before);
      });
  }
  const tried = blank();
  return (emit) =>
    input((row, fire, before) => {
      compute(row, tried);
      if (where(tried) !== true) return;
      const values = blank();
      for (let index = 0; index < width; index++) values[index] = tried[index]!;
      emit(values, fire, before);
    });
}
