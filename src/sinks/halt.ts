/** Why a sink takes no more deliveries. */
export type HaltReason = 'schema-change' | 'unsupported' | 'failed';

/**
 * Thrown by a sink that takes no more deliveries until a person has looked at it. Its message is made of `reason` and
 * `table` alone: it holds no value of a row (semantics §10, invariant 1).
 */
export class SinkHalt extends Error {
  override readonly name = 'SinkHalt';
  readonly reason: HaltReason;
  readonly table: string | undefined;

  constructor(reason: HaltReason, table?: string) {
    super(table === undefined ? reason : `${reason} (${table})`);
    this.reason = reason;
    this.table = table;
  }
}
