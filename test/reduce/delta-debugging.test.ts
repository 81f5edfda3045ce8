import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { minimise } from '../../src/reduce/delta-debugging.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const needs =
  (...wanted: number[]) =>
  async (items: readonly number[]) =>
    wanted.every((item) => items.includes(item));

describe('minimise', () => {
  test.each([[[7]], [[0, 99]], [[3, 4, 50]], [numbers(8)]])(
    'keeps just what the failure needs: %j',
    async (wanted) => {
      const { items } = await minimise(numbers(100), needs(...wanted), 10_000);
      expect(items).toEqual(wanted);
    },
  );

  test('ends with nothing that can be left out, whatever the failure is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 60 }),
        async (count, sum) => {
          // Not monotone: a part may fail where the whole of a greater part does not.
          const fails = async (items: readonly number[]) =>
            items.reduce((total, item) => total + item, 0) % 7 === sum % 7 && items.length > 0;
          const all = numbers(count);
          fc.pre(await fails(all));
          const { items } = await minimise(all, fails, 10_000);
          expect(await fails(items)).toBe(true);
          for (const left of items) {
            if (items.length > 1) expect(await fails(items.filter((item) => item !== left))).toBe(false);
          }
        },
      ),
      { seed: 1 },
    );
  });

  test('stops at its budget with what it has, which still fails', async () => {
    const { items, asked } = await minimise(numbers(1_000), needs(500), 5);
    expect(asked).toBe(5);
    expect(items).toContain(500);
    expect(items.length).toBeLessThan(1_000);
    expect(await minimise(numbers(10), needs(1), 0)).toEqual({ items: numbers(10), asked: 0 });
  });
});
