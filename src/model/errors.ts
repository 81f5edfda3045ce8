/**
 * Wrong input of ours to read: a file, a flag, a definition. Carries the place and never a row value.
 *
 * `file`, `line` (from 1) and `field` are given as far as they are known.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  /** What is wrong, without the place. */
  readonly problem: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly field: string | undefined;

  constructor(
    problem: string,
    at: {
      readonly file?: string | undefined;
      readonly line?: number;
      readonly field?: string | undefined;
    } = {},
  ) {
    const place = [
      at.file === undefined ? '' : at.line === undefined ? at.file : `${at.file}:${at.line}`,
      at.field === undefined || at.field === '' ? '' : `field ${at.field}`,
    ].filter((part) => part !== '');
    super(place.length === 0 ? problem : `${place.join(': ')}: ${problem}`);
    this.problem = problem;
    this.file = at.file;
    this.line = at.line;
    this.field = at.field;
  }
}

/** Why a plan is refused before it runs. */
export type PlanErrorCode =
  | 'unknown-stream'
  | 'unknown-column'
  | 'duplicate-column'
  | 'unknown-function'
  | 'type-mismatch'
  | 'wrong-arity'
  | 'bad-literal'
  | 'bad-parameter'
  | 'no-event-time'
  | 'partial-window'
  | 'order-not-total'
  | 'order-dependent-result'
  | 'bad-declaration';

/** A plan that is ill-typed or whose answer is not determined (semantics §3). `path` leads to the culprit. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
  readonly code: PlanErrorCode;
  readonly path: string;

  constructor(code: PlanErrorCode, path: string, problem: string) {
    super(`${path}: ${problem} (${code})`);
    this.code = code;
    this.path = path;
  }
}
