/** Why a history cannot have run as it is written. */
export type InvalidHistoryCode =
  | 'transaction-open'
  | 'no-transaction'
  | 'no-savepoint'
  | 'no-table'
  | 'no-row'
  | 'row-exists'
  | 'wrong-columns'
  | 'no-identity'
  | 'never-ended';

/** A history that is no history: one of its steps must have failed. `step` counts from 0. Holds no value. */
export class InvalidHistory extends Error {
  override readonly name = 'InvalidHistory';
  readonly code: InvalidHistoryCode;
  readonly step: number;

  constructor(code: InvalidHistoryCode, step: number) {
    super(`step ${step} cannot have run (${code})`);
    this.code = code;
    this.step = step;
  }
}
