import type { Traits } from '../../model/traits.ts';
import type { Bench } from './bench.ts';

/** One trait, or what of some traits shows in an output. */
export interface Probe {
  /** Its name in `Traits`, with a dot for each level. */
  readonly trait: string;
  /** Whether it is about watermarks, of which a batch engine knows nothing. */
  readonly ofWatermarks?: true;
  declared(traits: Traits): TraitValue;
  /** Runs tiny cases and reads their outputs; asks no oracle. @throws NotMeasured */
  measure(bench: Bench): Promise<Reading>;
}

export type TraitValue = string | number | readonly string[];

/** What a probe saw. `how`: in which output, for the reader of the table. */
export type Reading =
  | { readonly kind: 'measured'; readonly value: TraitValue; readonly how: string }
  /** Nothing such an engine puts out depends on the trait. */
  | { readonly kind: 'without-meaning'; readonly how: string }
  | { readonly kind: 'unmeasured'; readonly how: string };

export const measured = (value: TraitValue, how: string): Reading => ({ kind: 'measured', value, how });
export const withoutMeaning = (how: string): Reading => ({ kind: 'without-meaning', how });

/** The engine gave no output that a trait could be read from. The message says why, and holds no row value. */
export class NotMeasured extends Error {
  override readonly name = 'NotMeasured';
}
