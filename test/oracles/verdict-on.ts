import { judgeOutcome, truthFor } from '../../properties/agrees-with-truth.ts';
import type { PlanBuilder } from '../../src/model/build.ts';
import type { Dataset } from '../../src/model/dataset.ts';
import type { Declaration } from '../../src/model/declaration.ts';
import { checkQuery } from '../../src/model/query.ts';
import { neutralTraits, type Traits } from '../../src/model/traits.ts';
import type { Value } from '../../src/model/value.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { defineQuery } from '../../src/queries/define.ts';
import { captured } from '../judge/captures.ts';
import { clickStream } from '../support/clicks.ts';

/** What is made of a drained output of these rows, in the order of the plan's columns. */
export async function verdictOn(
  plan: PlanBuilder,
  dataset: Dataset,
  rows: readonly (readonly Value[])[],
  traits: Partial<Traits> = {},
  declared: Partial<Declaration> = {},
): Promise<Verdict> {
  const keys = ['window_start', 'window_end', 'k'];
  const declaration = { class: 'append', reason: 'fires once', keys, fire: 'unknown', ...declared } as const;
  const query = checkQuery(defineQuery({ name: 'late', title: 'late', plan, declaration }), [clickStream]);
  const testCase = { query, dataset, schedule: { parallelism: 1, stop: 'drain' } } as const;
  const names = query.columns.map(({ name }) => name);
  const lines = rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name, i) => [name, row[i]]))));
  const { capture } = captured(lines.map((line) => `${line}\n`).join(''));
  const evidence = { engine: 'by-hand', version: '0', sql: '', seconds: 0 };
  const engine = { ...neutralTraits, ...traits };
  const expected = truthFor(testCase, engine);
  return judgeOutcome(testCase, { kind: 'output', capture, evidence }, expected, [], undefined, engine);
}
