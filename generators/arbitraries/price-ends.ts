import fc from 'fast-check';
import { BIGINT_MAX, BIGINT_MIN, bigintValue, type Value } from '../../src/model/value.ts';

/**
 * Which bids hold the ends of BIGINT: at most one the greatest and one the least value. A number stands for a
 * bid by its remainder, null for no bid.
 */
export interface PriceEnds {
  readonly greatest: number | null;
  readonly least: number | null;
}

/** No bid holds an end. */
export const noPriceEnds: PriceEnds = { greatest: null, least: null };

/** In a quarter of the datasets one or both ends. Shrinks to neither. */
export function priceEnds(): fc.Arbitrary<PriceEnds> {
  const place = fc.option(fc.nat({ max: 63 }), { freq: 2 });
  return fc.oneof(
    { withCrossShrink: true },
    { weight: 3, arbitrary: fc.constant(noPriceEnds) },
    { weight: 1, arbitrary: fc.record({ greatest: place, least: place }) },
  );
}

/**
 * Puts the ends among the prices of a dataset, given in arrival order.
 *
 * No sum over any of the resulting prices overflows, whatever the grouping: beside the greatest value the
 * others are made negative, beside the least positive, and beside both zero.
 */
export function withPriceEnds(prices: readonly Value[], ends: PriceEnds): Value[] {
  if (prices.length === 0) return [];
  const greatest = ends.greatest === null ? -1 : ends.greatest % prices.length;
  const least = ends.least === null ? -1 : ends.least % prices.length;
  const hasLeast = least >= 0 && least !== greatest;
  return prices.map((price, index) => {
    if (index === greatest) return BIGINT_MAX;
    if (index === least) return BIGINT_MIN;
    if (price === null || (greatest < 0 && !hasLeast)) return price;
    if (greatest >= 0 && hasLeast) return 0;
    const exact = BigInt(price as number | bigint);
    const size = exact < 0n ? -exact : exact;
    return bigintValue(greatest >= 0 ? -size : size);
  });
}
