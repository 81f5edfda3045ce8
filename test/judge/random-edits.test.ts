import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../src/judge/judge.ts';
import { captured } from './captures.ts';
import { append, materialised } from './declarations.ts';
import { illegalEdits } from './duckdb-reference.ts';
import { type EditedOutput, type EditKind, editedOutputs, editKinds } from './edits.ts';
import { outputColumns } from './outputs.ts';

const CASES = 2000;
const SEED = 20261130;

/** Edits that DuckDB cannot decide: it takes a repeated key, and no bytes that are not UTF-8. */
const ALWAYS_ILLEGAL: readonly EditKind[] = ['repeated field', 'invalid UTF-8'];

/** Edits of which only one outcome is possible. The others must have come out both ways. */
const ONE_WAY: readonly EditKind[] = [
  ...ALWAYS_ILLEGAL,
  'extra field',
  'missing field',
  'line truncated',
  'fields reordered',
  'emptied',
];

async function isAgreed({ class: kind, format, tolerant, original, edited }: EditedOutput): Promise<boolean> {
  const declared = kind === 'append' ? append : materialised;
  const verdict = await judge({
    columns: outputColumns,
    declaration: declared(['k'], tolerant ? ['d'] : []),
    expected: captured(original, format),
    actual: captured(edited, format),
  });
  expect(verdict.kind).toMatch(/^(agree|diverge)$/);
  return verdict.kind === 'agree';
}

describe(`${CASES} random edits, seed ${SEED}`, () => {
  const outputs = new Map(fc.sample(editedOutputs, { numRuns: CASES, seed: SEED }).entries());

  it('are told apart as an independent reduction in DuckDB tells them', async () => {
    const decidable = new Map([...outputs].filter(([, { edit }]) => !ALWAYS_ILLEGAL.includes(edit)));
    const illegal = await illegalEdits(decidable);
    const outcomes = new Map(editKinds.map((edit) => [edit, { legal: 0, illegal: 0 }]));
    const wrong: object[] = [];
    for (const [id, output] of outputs) {
      const legal = decidable.has(id) && !illegal.has(id);
      outcomes.get(output.edit)![legal ? 'legal' : 'illegal']++;
      if ((await isAgreed(output)) !== legal) {
        wrong.push({ ...output, edited: new TextDecoder().decode(output.edited), legal });
      }
    }
    expect(wrong).toEqual([]);
    for (const [edit, { legal, illegal }] of outcomes) {
      expect.soft(legal + illegal, edit).toBeGreaterThan(20);
      if (!ONE_WAY.includes(edit)) expect.soft(Math.min(legal, illegal), edit).toBeGreaterThan(0);
    }
  });
});
