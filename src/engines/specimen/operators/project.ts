import type { Row } from '../../../model/value.ts';
import type { ChangeKind, CloseReason, Receiver } from '../change.ts';
import type { Evaluate } from '../values/expression.ts';

/** A row of the given expressions for each row. */
export class ProjectTask implements Receiver {
  readonly #columns: readonly Evaluate[];
  readonly #out: Receiver;

  constructor(columns: readonly Evaluate[], out: Receiver) {
    this.#columns = columns;
    this.#out = out;
  }

  change(kind: ChangeKind, row: Row): void {
    const columns = this.#columns;
    const projected = new Array(columns.length);
    for (let index = 0; index < columns.length; index++) projected[index] = columns[index]!(row);
    this.#out.change(kind, projected);
  }

  watermark(atMs: number): void {
    this.#out.watermark(atMs);
  }

  close(reason: CloseReason): void {
    this.#out.close(reason);
  }
}
