import type { ItemAddress } from './fault-plan.ts';

/** Numbers items by the order in which they first come, and counts what is delivered again. */
export class Items {
  readonly #addresses = new Map<string, ItemAddress>();
  readonly #counts = { transaction: 0, message: 0, chunk: 0 };
  readonly #sent = new Set<ItemAddress>();
  #redelivered = 0;

  /** The address of the item of this kind at this place, the same each time. */
  address(kind: ItemAddress['kind'], place: bigint): ItemAddress {
    // A message and a transaction may have the same place.
    const id = `${kind} ${place}`;
    let found = this.#addresses.get(id);
    if (found === undefined) {
      found = { kind, index: this.#counts[kind]++ };
      this.#addresses.set(id, found);
    }
    return found;
  }

  /** Notes that these are delivered to the sink. */
  send(items: readonly ItemAddress[]): void {
    for (const item of items) {
      if (this.#sent.has(item)) this.#redelivered++;
      this.#sent.add(item);
    }
  }

  /** Deliveries of what had been delivered before. */
  get redelivered(): number {
    return this.#redelivered;
  }
}
