import type { Row, Value } from '../../../model/value.ts';
import { type ChangeKind, type CloseReason, INSERT, type Receiver } from '../change.ts';
import type { Faults } from '../faults.ts';
import type { PaneVisitor } from '../panes.ts';

/** Repeats each row for every window its event time lies in, with the window's bounds behind its columns. */
export class AssignPanesTask implements Receiver {
  readonly #panesOf: (atMs: number, visit: PaneVisitor) => void;
  readonly #timeOf: (row: Row) => number;
  readonly #out: Receiver;
  readonly #dropsLate: boolean;
  readonly #visit: PaneVisitor;
  #watermarkMs = Number.NEGATIVE_INFINITY;
  /** The row that is being repeated. */
  #row: Row = [];
  #kind: ChangeKind = INSERT;
  #dropped = false;

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
    this.#visit = (startMs, endMs) => this.#repeat(startMs, endMs);
  }

  change(kind: ChangeKind, row: Row): void {
    this.#row = row;
    this.#kind = kind;
    this.#dropped = false;
    this.#panesOf(this.#timeOf(row), this.#visit);
  }

  #repeat(startMs: number, endMs: number): void {
    if (this.#dropsLate) this.#dropped ||= endMs - 1 <= this.#watermarkMs;
    if (this.#dropped) return;
    const row = this.#row;
    const width = row.length;
    const repeated = new Array<Value>(width + 2);
    for (let index = 0; index < width; index++) repeated[index] = row[index]!;
    repeated[width] = startMs;
    repeated[width + 1] = endMs;
    this.#out.change(this.#kind, repeated);
  }

  watermark(atMs: number): void {
    this.#watermarkMs = atMs;
    this.#out.watermark(atMs);
  }

  close(reason: CloseReason): void {
    this.#out.close(reason);
  }
}
