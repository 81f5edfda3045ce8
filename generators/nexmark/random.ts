import seedrandom from 'seedrandom';

/** Draws a double in [0, 1) with 32 random bits. */
export type Random = () => number;

/**
 * The random draws that belong to `parts`. Equal parts give equal draws, on any machine.
 *
 * Alea is chosen for its speed and because it needs only `+ - *`, which IEEE fixes to the last bit.
 */
export function seededRandom(...parts: readonly (string | number)[]): Random {
  // JSON keeps ('a', 'b') and ('a,b') apart.
  return seedrandom.alea(JSON.stringify(parts));
}

/** A whole number drawn uniformly from 0 to `bound - 1`. */
export function below(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}
