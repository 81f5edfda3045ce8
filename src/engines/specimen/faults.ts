import { EngineError } from '../engine.ts';
import type { FaultName } from './fault-list.ts';
import { faults } from './fault-list.ts';

export { type Fault, type FaultKind, type FaultName, faults } from './fault-list.ts';

/** The faults that are switched on. Each is asked for where its mistake would be made, when a task is built. */
export type Faults = ReadonlySet<FaultName>;

/** No fault. */
export const healthy: Faults = new Set();

/**
 * Reads `late-row-reopens-pane,null-group-lost`.
 *
 * @throws EngineError `bad-variant` for a name that is no fault's; it lists those that are.
 */
export function parseFaults(variant: string): readonly FaultName[] {
  return variant.split('+').map((text) => {
    const fault = faults.find(({ name }) => name === text);
    if (fault === undefined) {
      const known = faults.map(({ name }) => name).join(', ');
      throw new EngineError(
        'bad-variant',
        `the specimen has no fault ${JSON.stringify(text)}; known are ${known}`,
      );
    }
    return fault.name;
  });
}
