import { typeOf } from '../../../src/model/expression.ts';
import { string } from '../../../src/model/functions/string.ts';
import { inputsOf, type Plan, streamsOf } from '../../../src/model/plan/index.ts';
import { expressionsOf, partsOf } from '../../../src/model/plan/rewrite.ts';
import type { WindowKind } from '../../../src/model/plan/window.ts';
import type { CheckedQuery } from '../../../src/model/query.ts';

/** What of a query matters to the data that is made for it. */
export interface QueryShape {
  readonly streams: readonly string[];
  /** Its windows, the innermost first. */
  readonly windows: readonly WindowKind[];
  /** Names of columns that rows are grouped, joined or partitioned by, wherever in the plan. */
  readonly keys: ReadonlySet<string>;
  readonly features: ReadonlySet<Feature>;
  /** Greatest magnitude of integers, as a power of two, that keeps sixty rows from overflow or inexact sums. */
  readonly bits: number;
}

/** What a query is built of, by which profiles choose queries. */
export type Feature = Plan['op'] | WindowKind['kind'] | 'unbounded' | 'exact-double' | 'arithmetic' | 'text';

/** Looks a checked plan through once. */
export function queryShape(query: CheckedQuery): QueryShape {
  const windows: WindowKind[] = [];
  const keys = new Set<string>();
  const features = new Set<Feature>();
  const calls = new Set<string>();
  let sums = 0;
  let multiplied = 0;
  const visit = (node: Plan): void => {
    for (const input of inputsOf(node)) visit(input);
    features.add(node.op);
    for (const part of expressionsOf(node).flatMap(partsOf)) if ('fn' in part) calls.add(part.fn);
    switch (node.op) {
      case 'window':
        windows.push(node.window);
        features.add(node.window.kind);
        if (node.window.kind === 'session') for (const key of node.window.keys) keys.add(key);
        break;
      case 'aggregate': {
        for (const key of node.keys) keys.add(key);
        if (query.relationOf(node).updating) features.add('unbounded');
        const { columns } = query.relationOf(node.input);
        for (const { fn, arg } of node.aggregates) {
          if (fn === 'sum' || fn === 'avg') sums++;
          const isSum = (fn === 'sum' || fn === 'avg') && arg !== undefined;
          if (isSum && typeOf({ col: arg }, columns, 'arg').type === 'DOUBLE') features.add('exact-double');
        }
        break;
      }
      case 'rank':
        for (const key of node.partitionBy) keys.add(key);
        break;
      case 'join':
        multiplied++;
        for (const { left, right } of node.equal) keys.add(left).add(right);
        break;
    }
  };
  visit(query.plan);
  // The families rename the right side of a join only, to `other_` and the column's name.
  for (const key of [...keys]) keys.add(key.replace(/^other_/, ''));
  const arithmetic = ['add', 'subtract', 'multiply'].some((fn) => calls.has(fn));
  if (arithmetic || calls.has('divide') || calls.has('modulo')) features.add('arithmetic');
  if (Object.keys(string).some((fn) => calls.has(fn))) features.add('text');
  const sumBits = features.has('exact-double') ? 44 : arithmetic || sums > 0 ? 56 : 63;
  return {
    streams: streamsOf(query.plan),
    windows,
    keys,
    features,
    // A pair repeats a row as often as it is met: up to 2^6 times for each join.
    bits: sums > 0 ? sumBits - 6 * multiplied : sumBits,
  };
}
