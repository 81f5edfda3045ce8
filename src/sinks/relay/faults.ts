import type { Fault, FaultMoment, FaultPlan, ItemAddress } from './fault-plan.ts';
import { Interruption } from './interruption.ts';

/** The faults of a plan as they happen, each once. */
export class Faults {
  #left: readonly Fault[];
  #delivering: readonly ItemAddress[] = [];
  #thrownInto: Interruption | undefined;

  constructor({ faults }: FaultPlan) {
    this.#left = faults;
  }

  /** Ends the session where one of these items has a fault at this moment. @throws Interruption */
  at(moment: FaultMoment, items: readonly ItemAddress[]): void {
    const isHere = ({ when, item }: Fault) => when === moment && items.some((each) => isSame(each, item));
    const fault = this.#left.find(isHere);
    if (fault === undefined) return;
    this.#left = this.#left.filter((each) => each !== fault);
    throw new Interruption(fault);
  }

  /** The same from within the sink, for what is being delivered to it. What the sink makes of the throw is its affair. */
  inside(moment: 'inside' | 'before-checkpoint'): void {
    try {
      this.at(moment, this.#delivering);
    } catch (error) {
      this.#thrownInto = error as Interruption;
      throw error;
    }
  }

  /** Runs a delivery of these items. @throws Interruption where one was thrown into it, whatever came of it. */
  async during<T>(items: readonly ItemAddress[], work: () => Promise<T>): Promise<T> {
    this.#delivering = items;
    this.#thrownInto = undefined;
    try {
      const result = await work();
      if (this.#thrownInto !== undefined) throw this.#thrownInto;
      return result;
    } catch (error) {
      throw this.#thrownInto ?? error;
    } finally {
      this.#delivering = [];
    }
  }

  /** Those that have not happened. */
  get left(): readonly Fault[] {
    return this.#left;
  }
}

function isSame(one: ItemAddress, other: ItemAddress): boolean {
  return one.kind === other.kind && one.index === other.index;
}
