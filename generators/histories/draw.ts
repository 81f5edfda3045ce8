/** Greatest draw. Draws are whole numbers from 0 on; 0 stands for the simplest. */
export const DRAW_MAX = 2 ** 31 - 1;

/** One of several draws made of one, each a function of it and its index; all are 0 when it is. */
export function part(draw: number, index: number): number {
  if (draw === 0) return 0;
  let mixed = Math.imul(draw ^ Math.imul(index + 1, 0x9e3779b9), 0x21f0aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
  return (mixed ^ (mixed >>> 15)) & DRAW_MAX;
}

/** The choice that a draw stands for. */
export function pick<T>(choices: readonly T[], draw: number): T {
  const choice = choices[draw % choices.length];
  if (choice === undefined) throw new Error('no choice');
  return choice;
}
