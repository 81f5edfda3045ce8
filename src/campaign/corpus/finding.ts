import semver from 'semver';
import { z } from 'zod';
import type { Case } from '../../model/case.ts';
import { InputError } from '../../model/errors.ts';
import { type Expression, expressionSchema } from '../../model/expression.ts';
import { nameSchema } from '../../model/schema.ts';
import { transports } from '../../model/traits.ts';
import { below, caseOfInline, inlineCaseSchema } from './inline-case.ts';
import { predicateOver } from './predicate.ts';

export const FINDING_VERSION = 1;

/** The statements that a run holds an output to. */
export const propertyNames = ['agrees-with-truth', 'interrupted-is-prefix'] as const;
export type PropertyName = (typeof propertyNames)[number];

const operators = ['scan', 'filter', 'project', 'window', 'aggregate', 'rank', 'join'] as const;
const kinds = ['lost', 'premature', 'altered', 'extra'] as const;

/**
 * Where a finding shows (semantics §8).
 *
 * - `versions`: a range such as `0.12.2` or `>=0.12.2 <0.14`.
 * - `transport`: absent where it does not matter.
 * - `subtasks`: it takes a subtask that reads several partitions of a stream.
 * - `operator`: the first whose result differs. A plan without one does not show the finding.
 * - `over`: what feeds that operator, below projections and filters; absent where it does not matter.
 * - `nulls`: of a rank, that it asks for nulls there, against the engine's own order.
 * - `kind`: one or several, where what is further up in the plan makes one wrong row into others.
 * - `columns`: those of the output in which it shows. An output without one of them does not show it, and an altered
 *   row differs in no other.
 */
const signatureSchema = z.strictObject({
  engine: z.string().min(1),
  versions: z.string().refine((text) => semver.validRange(text) !== null, 'expected a range of versions'),
  transport: z.enum(transports).optional(),
  subtasks: z.literal('fewer-than-partitions').optional(),
  property: z.enum(propertyNames),
  operator: z.enum(operators),
  over: z.enum(operators).optional(),
  nulls: z.enum(['first', 'last']).optional(),
  kind: z.union([z.enum(kinds), z.array(z.enum(kinds)).min(2)]),
  columns: z.array(nameSchema).min(1).optional(),
});
export type Signature = z.infer<typeof signatureSchema>;

/** In how many of so many runs the case failed when it was found. */
export const confirmedSchema = z
  .strictObject({ k: z.int().min(1), n: z.int().min(1) })
  .refine(({ k, n }) => k <= n, 'k is at most n');
export type Confirmed = z.infer<typeof confirmedSchema>;

/**
 * `NAME.json` of a corpus. `ruling` derives by hand what is true and why. `predicate` holds for each row that differs:
 * of an altered one, for the true row. `case` is the smallest that shows the finding.
 */
export const findingSchema = z.strictObject({
  version: z.literal(FINDING_VERSION),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'expected a name like my-finding: [a-z][a-z0-9-]*'),
  title: z.string().min(1),
  ruling: z.string().min(1),
  signature: signatureSchema,
  predicate: expressionSchema,
  /** Absent where every run shows it. */
  confirmed: confirmedSchema.optional(),
  case: inlineCaseSchema,
});

/** A divergence that hand derivation lays at an engine's door. */
export interface Finding {
  readonly name: string;
  readonly title: string;
  readonly ruling: string;
  readonly signature: Signature;
  readonly predicate: Expression;
  readonly confirmed: Confirmed;
  readonly testCase: Case;
}

/** @throws InputError naming the field: a case that is none, or that the signature or the predicate does not fit. */
export function findingOf(file: z.infer<typeof findingSchema>): Finding {
  const { name, title, ruling, signature, predicate, confirmed = { k: 1, n: 1 } } = file;
  const testCase = below('case', () => caseOfInline(file.case));
  const { columns } = testCase.query.output;
  const missing = signature.columns?.find((column) => !columns.some(({ name }) => name === column));
  if (missing !== undefined)
    throw new InputError(`the query’s output has no column ${missing}`, { field: 'signature.columns' });
  const isCancelled = testCase.schedule.stop === 'cancel';
  if (isCancelled !== (signature.property === 'interrupted-is-prefix')) {
    throw new InputError(`a run that ends in ${testCase.schedule.stop} is not held to this`, {
      field: 'signature.property',
    });
  }
  below('predicate', () => predicateOver(predicate, columns));
  return { name, title, ruling, signature, predicate, confirmed, testCase };
}
