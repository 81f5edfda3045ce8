/** What an expression or an aggregate refuses (semantics §3). */
export type RunFailureCode = 'division-by-zero' | 'integer-overflow' | 'sum-overflow' | 'not-finite';

const MESSAGES: Readonly<Record<RunFailureCode, string>> = {
  'division-by-zero': 'an integer was divided by zero',
  'integer-overflow': 'integer arithmetic left the range of its type',
  'sum-overflow': 'a sum left the range of BIGINT',
  'not-finite': 'a sum or an average met a DOUBLE that is not finite',
};

/** Fails the job. The message holds no row value. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: RunFailureCode;

  constructor(code: RunFailureCode) {
    super(MESSAGES[code]);
    this.code = code;
  }
}
