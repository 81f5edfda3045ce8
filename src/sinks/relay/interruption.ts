import type { Fault } from './fault-plan.ts';

/** Thrown where a fault of the plan ends a session. */
export class Interruption extends Error {
  override readonly name = 'Interruption';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(`${fault.do} as planned`);
    this.fault = fault;
  }
}
