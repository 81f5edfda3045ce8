import type { Row } from '../../../model/value.ts';
import { type ChangeKind, type CloseReason, type Receiver, UPDATE_AFTER, UPDATE_BEFORE } from '../change.ts';
import type { Faults } from '../faults.ts';

/** Passes on the changes whose row is accepted: of an update it may be one half alone. */
export class FilterTask implements Receiver {
  readonly #accepts: (row: Row) => boolean;
  readonly #out: Receiver;
  readonly #keepsGhost: boolean;
  #withheld: Row | undefined;

  constructor(accepts: (row: Row) => boolean, out: Receiver, faults: Faults) {
    this.#accepts = accepts;
    this.#out = out;
    this.#keepsGhost = faults.has('having-keeps-ghost');
  }

  change(kind: ChangeKind, row: Row): void {
    if (this.#keepsGhost) this.#changeLateWithdrawal(kind, row);
    else if (this.#accepts(row)) this.#out.change(kind, row);
  }

  watermark(atMs: number): void {
    this.#out.watermark(atMs);
  }

  close(reason: CloseReason): void {
    this.#out.close(reason);
  }

  /** The fault: a withdrawal goes on only together with the update that follows it. */
  #changeLateWithdrawal(kind: ChangeKind, row: Row): void {
    const accepted = this.#accepts(row);
    if (kind === UPDATE_BEFORE) {
      this.#withheld = accepted ? row : undefined;
      return;
    }
    if (accepted) {
      if (kind === UPDATE_AFTER && this.#withheld !== undefined)
        this.#out.change(UPDATE_BEFORE, this.#withheld);
      this.#out.change(kind, row);
    }
    this.#withheld = undefined;
  }
}
