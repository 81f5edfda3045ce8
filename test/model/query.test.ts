import { describe, expect, test } from 'vitest';
import { count, from, tumble } from '../../src/model/build.ts';
import type { Declaration } from '../../src/model/declaration.ts';
import { checkQuery, type QueryDefinition, querySchema } from '../../src/model/query.ts';
import { clickStream } from '../support/clicks.ts';

const pane: QueryDefinition = {
  version: 1,
  name: 'pane',
  title: 'Clicks a window',
  plan: from('click').window(tumble(10)).perWindow(['k'], { n: count() }).plan,
  declaration: {
    class: 'append',
    reason: 'a window fires once',
    keys: ['window_end', 'k'],
    fire: { column: 'window_end' },
  },
  premises: [{ kind: 'not-null', stream: 'click', columns: ['k'], reason: 'keys' }],
};
const totals: QueryDefinition = {
  ...pane,
  plan: from('click').aggregate(['k'], { n: count() }).plan,
  declaration: { class: 'materialised', reason: 'updated', keys: ['k'], fire: 'immediate' },
};

const declared = (definition: QueryDefinition, change: Partial<Declaration>) =>
  checkQuery({ ...definition, declaration: { ...definition.declaration, ...change } }, [clickStream]);

describe('a declaration must fit the plan', () => {
  test.each<[string, QueryDefinition, Partial<Declaration>, string]>([
    ['append over updates', totals, { class: 'append' }, 'declaration.class'],
    ['keys that do not identify a row', totals, { keys: ['n'] }, 'declaration.keys'],
    ['a key that is no column', pane, { keys: ['w'] }, 'declaration.keys'],
    [
      'tolerance of what is no DOUBLE',
      pane,
      { tolerance: { columns: ['n'], relative: 1e-6, reason: 'x' } },
      'declaration.tolerance.columns',
    ],
    ['a fire point that is no time', pane, { fire: { column: 'n' } }, 'declaration.fire.column'],
  ])('refuses %s', (_, definition, change, path) => {
    expect(() => declared(definition, change)).toThrow(path);
  });

  test('and is taken where it does', () => {
    expect(declared(pane, {}).columns.map(({ name }) => name)).toEqual([
      'window_start',
      'window_end',
      'k',
      'n',
    ]);
    expect(() => declared(totals, {})).not.toThrow();
    expect(() =>
      declared(pane, { class: 'materialised', keys: ['window_start', 'window_end', 'k'] }),
    ).not.toThrow();
  });
});

describe('JSON form of a query', () => {
  test('round trip', () => {
    expect(querySchema.parse(JSON.parse(JSON.stringify(pane)))).toEqual(pane);
  });

  test('refuses a newer version, a tolerance above 1e-6, a declaration without a reason', () => {
    expect(querySchema.safeParse({ ...pane, version: 2 }).success).toBe(false);
    const wide = { columns: ['n'], relative: 1e-3, reason: 'x' };
    expect(
      querySchema.safeParse({ ...pane, declaration: { ...pane.declaration, tolerance: wide } }).success,
    ).toBe(false);
    expect(querySchema.safeParse({ ...pane, declaration: { ...pane.declaration, reason: '' } }).success).toBe(
      false,
    );
  });
});
