import type { QueryDefinition } from '../../../src/model/query.ts';

/** Queries that differ in their parameters only, numbered from the plainest on; each is a function of its number. */
export interface QuerySource {
  readonly name: string;
  /** How many there are: a product of what each parameter may be, at most 2^31. */
  readonly variants: number;
  /** The query of a number from 0 to `variants - 1`. */
  at(variant: number): QueryDefinition;
}

/** Parameters by name, each with what it may be, the plainest first. */
export type Axes = Readonly<Record<string, readonly unknown[]>>;

/** One choice on every axis. */
export type Picked<A extends Axes> = { readonly [K in keyof A]: A[K][number] };

/** Number of choices over all axes. */
export function variantsOf(axes: Axes): number {
  return Object.values(axes).reduce((product, choices) => product * choices.length, 1);
}

/** The choices a number stands for: its digits, the first axis changing fastest. 0 is the first of each. */
export function pickedBy<A extends Axes>(axes: A, variant: number): Picked<A> {
  let rest = variant;
  const picked = Object.entries(axes).map(([name, choices]) => {
    const choice = choices[rest % choices.length];
    rest = Math.floor(rest / choices.length);
    return [name, choice];
  });
  return Object.fromEntries(picked);
}
