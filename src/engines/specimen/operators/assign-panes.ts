import type { Row } from '../../../model/value.ts';
import type { ChangeKind, CloseReason, Receiver } from '../change.ts';
import type { Faults } from '../faults.ts';
import type { PaneVisitor } from '../panes.ts';

/** Repeats each row for every window its event time lies in, with the window's bounds behind its columns. */
export class AssignPanesTask implements Receiver {
  readonly #panesOf: (atMs: number, visit: PaneVisitor) => void;
  readonly #timeOf: (row: Row) => number;
  readonly #out: Receiver;
  readonly #dropsLate: boolean;
  #watermarkMs = Number.NEGATIVE_INFINITY;

  constructor(
    panesOf: (atMs: number, visit: PaneVisitor) => void,
    timeOf: (row: Row) => number,
    out: Receiver,
    faults: Faults,
  ) {
    this.#panesOf = panesOf;
    this.#timeOf = timeOf;
    this.#out = out;
    this.#dropsLate = faults.has('late-row-misses-open-panes');
  }

  change(kind: ChangeKind, row: Row): void {
    let dropped = false;
    this.#panesOf(this.#timeOf(row), (startMs, endMs) => {
      if (this.#dropsLate) dropped ||= endMs - 1 <= this.#watermarkMs;
      if (!dropped) this.#out.change(kind, [...row, startMs, endMs]);
    });
  }

  watermark(atMs: number): void {
    this.#watermarkMs = atMs;
    this.#out.watermark(atMs);
  }

  close(reason: CloseReason): void {
    this.#out.close(reason);
  }
}
