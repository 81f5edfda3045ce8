import type { Value } from '../../src/model/value.ts';
import type { Evaluate } from '../expression.ts';
import type { RowStream } from './stream.ts';

/** One row for each row, its values computed one by one (semantics §3). */
export function project(input: RowStream, columns: readonly Evaluate[]): RowStream {
  return (emit) =>
    input((row, fire, before) => {
      const values: Value[] = new Array(columns.length);
      for (let index = 0; index < columns.length; index++) values[index] = columns[index]!(row);
      emit(values, fire, before);
    });
}
