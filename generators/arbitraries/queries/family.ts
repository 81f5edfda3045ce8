import { type DeclaredParts, declare } from './declare.ts';
import { type Axes, type Picked, pickedBy, type QuerySource, variantsOf } from './query-source.ts';
import { fuzzStreams } from './streams.ts';

/** A family of queries over {@link fuzzStreams}: one plan of its parameters, declared by what the plan gives. */
export function family<const A extends Axes>(
  name: string,
  axes: A,
  build: (picked: Picked<A>) => Omit<DeclaredParts, 'name'>,
): QuerySource {
  return {
    name,
    variants: variantsOf(axes),
    at: (variant) => declare({ name: `${name}-${variant}`, ...build(pickedBy(axes, variant)) }, fuzzStreams),
  };
}
