/**
 * The kit could not try the sink: nothing is known of it. The message names the step and never a value; what the sink
 * itself said is in it only where no value of the history was found in that.
 */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly code: RelayErrorCode;

  constructor(code: RelayErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export type RelayErrorCode =
  /** It could not be opened or greeted, or what it holds not read. */
  | 'sink-unusable'
  | 'sink-timeout'
  /** It lacks a method that a mode it claims needs. */
  | 'sink-incomplete'
  /** A fault of the plan never happened. */
  | 'fault-not-fired';
