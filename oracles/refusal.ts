/** Why the semantics leave an answer open, so that no output can be judged against it. */
export type RefusalCode =
  | 'overflow'
  | 'division-by-zero'
  | 'inexact-average'
  | 'undecided-lateness'
  | 'window-too-far';

const MESSAGES: Readonly<Record<RefusalCode, string>> = {
  overflow: 'integer arithmetic leaves the range of its type; what happens then is a trait of the engine',
  'division-by-zero': 'an integer is divided by zero; what happens then differs between engines',
  'inexact-average': 'the sum behind an average exceeds 2^53, so that its value depends on the order of rows',
  'undecided-lateness': 'a late row may or may not be counted: its partition alone does not decide',
  'window-too-far': 'a window bound is not a safe integer of milliseconds',
};

/** The truth of this plan over this dataset is not determined (semantics §3, §4). Holds no value. */
export class OracleRefusal extends Error {
  override readonly name = 'OracleRefusal';
  readonly code: RefusalCode;

  constructor(code: RefusalCode) {
    super(MESSAGES[code]);
    this.code = code;
  }
}
