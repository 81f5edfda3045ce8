import fc from 'fast-check';
import { type DeliveryMode, guarantees } from '../../model/history/index.ts';
import { FAULT_PLAN_VERSION, type Fault, type FaultPlan, type ItemAddress } from '../relay/fault-plan.ts';

/** How many items of each kind a history has for a sink, up to where it must halt. */
export type ItemCounts = Readonly<Record<ItemAddress['kind'], number>>;

/** `redelivery`: plain disconnects that have something delivered again. `all`: any fault at any moment besides. */
export type FaultKinds = 'redelivery' | 'all';

/** The kind of item that a mode is about, which its faults are put at. */
export function itemKind(mode: DeliveryMode): ItemAddress['kind'] {
  const { unit } = guarantees[mode];
  return unit === 'batch' ? 'transaction' : unit;
}

/**
 * Plans of faults for a delivery in a mode: one or two disconnects between what the sink has done and what the library or
 * the source knows of it, so that it comes again; where the checkpoint is the sink's, a kill right before it is written;
 * with `all`, up to two more of any kind. Shrinks to the first item, everything acknowledged at once.
 *
 * There must be an item of the mode's kind.
 */
export function faultPlans(
  mode: DeliveryMode,
  counts: ItemCounts,
  kinds: FaultKinds,
): fc.Arbitrary<FaultPlan> {
  const kind = itemKind(mode);
  const item = fc.nat({ max: counts[kind] - 1 }).map((index): ItemAddress => ({ kind, index }));
  // What is behind the library's own checkpoint, the library skips.
  const isLibrary = guarantees[mode].checkpoint === 'library';
  const when = isLibrary ? 'reply-lost' : 'after-reply';
  const again = item.map((at): Fault => ({ item: at, when, do: 'disconnect' }));
  // Between the rows and the checkpoint of a library's, the reply is lost.
  const apart = item.map((at): Fault[] => [{ item: at, when: 'before-checkpoint', do: 'kill' }]);
  const any: fc.Arbitrary<Fault> = fc.record(
    {
      item,
      when: fc.constantFrom('after-reply', 'reply-lost', 'before-send'),
      do: fc.constantFrom('kill', 'disconnect'),
    },
    { noNullPrototype: true },
  );
  const isSame = (one: Fault, other: Fault) => one.item.index === other.item.index;
  const more = kinds === 'all' ? fc.array(any, { maxLength: 2 }) : fc.constant<Fault[]>([]);
  return fc
    .tuple(
      fc.uniqueArray(again, { minLength: 1, maxLength: Math.min(2, counts[kind]), comparator: isSame }),
      isLibrary ? fc.constant<Fault[]>([]) : apart,
      more,
      fc.integer({ min: 1, max: 4 }),
    )
    .map(([first, atCheckpoint, others, acknowledgeEvery]) => ({
      version: FAULT_PLAN_VERSION,
      acknowledgeEvery,
      // Of two faults at one item the second might never happen.
      faults: [
        ...first,
        ...atCheckpoint,
        ...others.filter((other) => !first.some((one) => isSame(one, other))),
      ],
    }));
}
