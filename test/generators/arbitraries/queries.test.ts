import { describe, expect, test } from 'vitest';
import { fuzzStreams, queryFamilies, variantsOfQuery } from '../../../generators/arbitraries/index.ts';
import { nexmarkStreams } from '../../../generators/nexmark/index.ts';
import { aggregates } from '../../../src/model/aggregates/index.ts';
import { functions } from '../../../src/model/functions/index.ts';
import { inputsOf, type Plan } from '../../../src/model/plan/index.ts';
import { checkQuery, type QueryDefinition, querySchema } from '../../../src/model/query.ts';
import { queries } from '../../../src/queries/index.ts';

/** Numbers spread over all variants, the first and last among them. */
function spread(variants: number, count: number): number[] {
  const stride = Math.max(1, Math.floor(variants / count) | 1);
  const numbers = new Set([0, variants - 1]);
  for (let variant = 0; variant < variants; variant += stride) numbers.add(variant);
  return [...numbers];
}

function operators(plan: Plan): readonly Plan[] {
  return [plan, ...inputsOf(plan).flatMap(operators)];
}

const windowsOf = ({ plan }: QueryDefinition) =>
  operators(plan).flatMap((node) => (node.op === 'window' ? [node.window] : []));

describe.each(queryFamilies.map((source) => [source.name, source] as const))('the family %s', (_, source) => {
  test('is sound for every parameter, under a name of its own', () => {
    expect(source.variants).toBeLessThanOrEqual(2 ** 31);
    const names = new Set<string>();
    const numbers = spread(source.variants, 400);
    for (const variant of numbers) {
      const definition = source.at(variant);
      querySchema.parse(definition);
      const { output } = checkQuery(definition, fuzzStreams);
      names.add(definition.name);
      const { class: judged, keys } = definition.declaration;
      expect(judged).toBe(output.updating ? 'materialised' : 'append');
      // An upsert key that may be null needs a premise.
      const notNull = definition.premises.flatMap(({ columns }) => columns);
      const nullable = output.columns.filter(({ name, nullable }) => nullable && keys.includes(name));
      if (judged === 'materialised')
        expect(notNull).toEqual(expect.arrayContaining(nullable.map(({ name }) => name)));
    }
    expect(names.size).toBe(numbers.length);
  });

  test('differs from parameter to parameter', () => {
    const plans = spread(source.variants, 100).map((variant) => JSON.stringify(source.at(variant)));
    expect(new Set(plans.map((plan) => plan.replace(/"name":"[^"]*"/, ''))).size).toBeGreaterThan(
      plans.length / 2,
    );
  });
});

test('the families use every operator, window, function and aggregate of the plan language', () => {
  const used = new Set<string>();
  const note = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const field of ['op', 'fn', 'kind'] as const) {
      if (field in value) used.add(String((value as Record<string, unknown>)[field]));
    }
    Object.values(value).forEach(note);
  };
  for (const source of queryFamilies) {
    for (const variant of spread(source.variants, 2_000)) note(source.at(variant).plan);
  }
  const language = [
    ...['scan', 'filter', 'project', 'window', 'aggregate', 'rank', 'join'],
    ...['tumble', 'hop', 'cumulate', 'session'],
    ...functions.keys(),
    ...Object.keys(aggregates),
  ];
  expect(language.filter((name) => !used.has(name))).toEqual([]);
});

describe.each([...queries].map(([name, definition]) => [name, definition] as const))(
  'the declared query %s',
  (_, definition) => {
    const source = variantsOfQuery(definition);

    test('is its own first variant', () => {
      expect(source.at(0)).toBe(definition);
    });

    test('stays sound under its declaration with other parameters', () => {
      for (const variant of spread(source.variants, 300)) {
        const varied = source.at(variant);
        querySchema.parse(varied);
        checkQuery(varied, nexmarkStreams);
        expect(varied.declaration).toEqual(definition.declaration);
        expect(varied.premises).toEqual(definition.premises);
      }
    });
  },
);

describe('variants of a declared query', () => {
  const variants = (name: string) => {
    const source = variantsOfQuery(queries.get(name)!);
    return Array.from({ length: source.variants }, (_, variant) => source.at(variant));
  };

  test('q12 takes windows of other sizes and offsets, and changes in nothing else', () => {
    const seen = variants('q12').map((definition) => windowsOf(definition)[0]!);
    expect(seen[0]).toEqual({ kind: 'tumble', sizeMs: 10_000, offsetMs: 0 });
    expect(seen).toContainEqual({ kind: 'tumble', sizeMs: 10_000, offsetMs: 3_000 });
    expect(new Set(seen.map((window) => JSON.stringify(window))).size).toBe(seen.length);
  });

  test('q8 keeps the windows of both its sides the same', () => {
    for (const definition of variants('q8')) {
      const [left, right] = windowsOf(definition);
      expect(left).toEqual(right);
    }
    expect(
      new Set(variants('q8').map((definition) => JSON.stringify(windowsOf(definition)))).size,
    ).toBeGreaterThan(3);
  });

  test('q18 keeps one row of each key, of the last or first times and numbers', () => {
    const ranks = variants('q18').map(({ plan }) => operators(plan).find((node) => node.op === 'rank')!);
    expect(ranks.map(({ limit }) => limit)).toEqual([1, 1, 1, 1]);
    expect(ranks.map(({ orderBy }) => orderBy.map(({ direction }) => direction).join())).toEqual([
      'desc,desc',
      'asc,desc',
      'desc,asc',
      'asc,asc',
    ]);
  });

  test('q19 takes other limits', () => {
    const limits = variants('q19').map(
      ({ plan }) => operators(plan).find((node) => node.op === 'rank')!.limit,
    );
    expect(new Set(limits)).toEqual(new Set([10, 3, 2, 1]));
  });

  test('q2 takes other divisors and remainders, never zero as a divisor', () => {
    const plans = variants('q2').map(({ plan }) => JSON.stringify(plan));
    expect(new Set(plans).size).toBeGreaterThan(6);
    for (const plan of plans) expect(plan).not.toMatch(/"modulo","args":\[[^\]]*"lit":0/);
    expect(plans.some((plan) => plan.includes('"lit":-2'))).toBe(true);
  });
});
