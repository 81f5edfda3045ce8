import { bigintValue } from '../../model/value.ts';

/** Whole numbers beyond these are told apart by exact arithmetic alone. */
const SAFE = 2n ** 53n;

/**
 * How numbers are renamed, each way keeping order, equality and sign.
 *
 * - `ranked`: to the nearest whole numbers to zero.
 * - `by-size`: those that no double holds stay beyond 2^53.
 * - `beside-literals`: the numbers of the query stay, and the others between them.
 */
export type NumberNaming = 'ranked' | 'by-size' | 'beside-literals';

export const numberNamings: readonly NumberNaming[] = ['ranked', 'by-size', 'beside-literals'];

/** New whole numbers for these. `literals`: those that the query names. */
export function renamedIntegers(
  values: readonly (number | bigint)[],
  literals: readonly (number | bigint)[],
  naming: NumberNaming,
): (value: number | bigint) => number | bigint {
  const names = renamedExactly(values.map(BigInt), literals.map(BigInt), naming);
  return (value) => bigintValue(names.get(BigInt(value)) ?? BigInt(value));
}

/** The same of whole numbers that stand for decimals by their digits. */
export function renamedExactly(
  values: readonly bigint[],
  literals: readonly bigint[],
  naming: NumberNaming,
): ReadonlyMap<bigint, bigint> {
  const kept = naming === 'beside-literals' ? literals : [];
  const named = distinct([...values, ...literals]);
  const anchors = distinct([0n, ...(naming === 'ranked' ? [] : [SAFE, -SAFE]), ...kept]);
  const names = new Map<bigint, bigint>(anchors.map((anchor) => [anchor, anchor]));
  for (let index = 0; index <= anchors.length; index++) {
    const [low, high] = [anchors[index - 1], anchors[index]];
    const between = named.filter(
      (value) => (low === undefined || value > low) && (high === undefined || value < high),
    );
    for (const [rank, value] of between.entries()) {
      // From the bound that is nearer to zero away: the numbers themselves prove that there is room.
      const isAbove = low !== undefined && low >= 0n;
      names.set(value, isAbove ? low + BigInt(rank + 1) : high! - BigInt(between.length - rank));
    }
  }
  return names;
}

/**
 * New doubles: whole ones for whole ones and halves for all others, where there is room between numbers that stay. What
 * is no finite number stays, as does zero. Undefined where numbers that stay are so near each other, or so great, that no
 * double lies between.
 */
export function renamedDoubles(
  values: readonly number[],
  literals: readonly number[],
  naming: NumberNaming,
): ((value: number) => number) | undefined {
  const isNamed = (value: number) => Number.isFinite(value) && value !== 0;
  const kept = new Set(naming === 'beside-literals' ? literals.filter(isNamed) : []);
  const named = [...new Set([...values, ...literals].filter(isNamed))].sort((a, b) => a - b);
  const names = new Map<number, number>();
  /** Names numbers of one sign, from zero on. */
  const name = (side: readonly number[], sign: 1 | -1) => {
    let low = 0;
    for (let from = 0; from < side.length; ) {
      const anchor = side.findIndex((value, index) => index >= from && kept.has(value));
      const between = side.slice(from, anchor < 0 ? side.length : anchor);
      const high = anchor < 0 ? undefined : Math.abs(side[anchor]!);
      for (const [index, value] of between.entries()) {
        const step = Math.floor(low) + index + 1 + (Number.isInteger(value) ? 0 : 0.5);
        const hasRoom = high === undefined || Math.floor(low) + between.length + 1 < high;
        const size = hasRoom ? step : low + ((high - low) * (index + 1)) / (between.length + 1);
        names.set(value, sign * size);
      }
      if (high === undefined) break;
      names.set(side[anchor]!, side[anchor]!);
      low = high;
      from = anchor + 1;
    }
  };
  name(
    named.filter((value) => value > 0),
    1,
  );
  name(named.filter((value) => value < 0).reverse(), -1);
  const isInOrder = named.every(
    (value, index) => index === 0 || names.get(named[index - 1]!)! < names.get(value)!,
  );
  return isInOrder ? (value) => names.get(value) ?? value : undefined;
}

function distinct(values: readonly bigint[]): readonly bigint[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
