import { describe, expect, test } from 'vitest';
import { confirm } from '../../src/reduce/index.ts';

/** Runs that fail as the digits of a text say: `1` fails. Those behind its end do not. */
function runs(text: string) {
  let index = 0;
  return async () => text[index++] === '1';
}

/** Runs that fail with a chance, by a generator of its own that is always the same (Park and Miller 1988). */
function chance(rate: number, seed: number) {
  let state = seed;
  return async () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647 < rate;
  };
}

const half = { rate: 0.5, confidence: 0.95, most: 30 };

describe('confirm', () => {
  test('decides by one run where the original failed every time', async () => {
    expect(await confirm(runs('1'), { ...half, rate: 1 })).toEqual({ fails: true, k: 1, n: 1 });
    expect(await confirm(runs('01'), { ...half, rate: 1 })).toEqual({ fails: false, k: 0, n: 1 });
  });

  test('wants more than one failure where the original failed in half of its runs', async () => {
    expect(await confirm(runs('11'), half)).toEqual({ fails: true, k: 2, n: 2 });
    expect(await confirm(runs('1011'), half)).toMatchObject({ fails: true, k: 3, n: 4 });
  });

  test('gives up on what does not fail, and on what is still open in the end', async () => {
    const { fails, n } = await confirm(runs(''), half);
    expect(fails).toBe(false);
    expect(n).toBeLessThan(10);
    expect(await confirm(runs('10'), { ...half, most: 2 })).toEqual({ fails: false, k: 1, n: 2 });
    expect(await confirm(runs('1'), { ...half, most: 0 })).toEqual({ fails: false, k: 0, n: 0 });
  });

  test.each([
    [0.5, true],
    [0.1, false],
  ])('is wrong no more often than was said: of a chance of %d', async (rate, expected) => {
    let wrong = 0;
    for (let seed = 1; seed <= 1_000; seed++) {
      const { fails } = await confirm(chance(rate, seed * 7_919), { ...half, most: 1_000 });
      if (fails !== expected) wrong += 1;
    }
    expect(wrong).toBeLessThanOrEqual(50);
  });
});
