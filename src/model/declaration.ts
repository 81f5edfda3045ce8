import { z } from 'zod';
import { PlanError } from './errors.ts';
import type { Relation } from './plan/relation.ts';
import { nameSchema } from './schema.ts';

/**
 * How a query's output is judged, declared with its reason before any run (semantics §6).
 *
 * - `append`: rows fire once; outputs compare as multisets, exact in every value. `keys` only pair a missing
 *   with an extra row, so that it can be named altered.
 * - `materialised`: the changelog is reduced to its final state, and states compare by `keys`.
 */
export interface Declaration {
  readonly class: 'append' | 'materialised';
  readonly reason: string;
  readonly keys: readonly string[];
  readonly tolerance?: Tolerance | undefined;
  readonly fire: FireColumn;
}

/** Relative difference, at most 1e-6, that is forgiven in DOUBLE columns whose values do not depend on order. */
export interface Tolerance {
  readonly columns: readonly string[];
  readonly relative: number;
  readonly reason: string;
}

/** The output column whose value is a row's fire point; or rows are emitted at once; or it cannot be told. */
export type FireColumn = { readonly column: string } | 'immediate' | 'unknown';

export const declarationSchema = z.strictObject({
  class: z.enum(['append', 'materialised']),
  reason: z.string().min(1),
  keys: z.array(nameSchema).min(1),
  tolerance: z
    .strictObject({
      columns: z.array(nameSchema).min(1),
      relative: z.number().positive().max(1e-6),
      reason: z.string().min(1),
    })
    .optional(),
  fire: z.union([z.strictObject({ column: nameSchema }), z.enum(['immediate', 'unknown'])]),
});

/** @throws PlanError when a declaration does not fit the plan's output: the class, a key, a tolerance. */
export function checkDeclaration(declaration: Declaration, output: Relation): void {
  const refuse = (path: string, problem: string) => {
    throw new PlanError('bad-declaration', `declaration.${path}`, problem);
  };
  const column = (name: string, path: string) =>
    output.columns.find((candidate) => candidate.name === name) ?? refuse(path, `no output column ${name}`);
  if (output.window !== undefined) refuse('class', 'the output is still in a window: aggregate it');
  if (declaration.class === 'append' && output.updating) {
    refuse('class', 'the plan updates its rows, so only its final state can be judged: materialised');
  }
  for (const key of declaration.keys) column(key, 'keys');
  if (
    declaration.class === 'materialised' &&
    !output.unique.some((set) => set.every((name) => declaration.keys.includes(name)))
  ) {
    refuse('keys', 'the key columns do not identify a row of the output');
  }
  for (const name of declaration.tolerance?.columns ?? []) {
    if (column(name, 'tolerance.columns')?.type !== 'DOUBLE')
      refuse('tolerance.columns', `${name} is no DOUBLE`);
    if (declaration.keys.includes(name)) refuse('tolerance.columns', `${name} is a key column`);
  }
  if (typeof declaration.fire === 'object') {
    if (column(declaration.fire.column, 'fire.column')?.type !== 'TIMESTAMP(3)') {
      refuse('fire.column', `${declaration.fire.column} is no TIMESTAMP(3)`);
    }
  }
}
