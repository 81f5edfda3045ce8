import type { Evaluate } from '../expression.ts';
import type { RowStream } from './stream.ts';

/** The rows whose condition is true, neither false nor NULL (semantics §1). */
export function filter(input: RowStream, where: Evaluate): RowStream {
  return (emit) =>
    input((row, fire, before) => {
      if (where(row) === true) emit(row, fire, before);
    });
}
