import { z } from 'zod';
import type { Case } from '../../model/case.ts';
import { InputError } from '../../model/errors.ts';
import { streamsOf } from '../../model/plan/index.ts';
import { rowToJson } from '../../model/row-json.ts';
import { type Column, columnSchema } from '../../model/schema.ts';
import type { Row } from '../../model/value.ts';
import type { Diverge } from '../../model/verdict.ts';
import { readJsonFile } from '../../streams/json-file.ts';
import { confirmedSchema } from '../corpus/finding.ts';
import { caseOfInline, inlineCaseSchema } from '../corpus/inline-case.ts';
import { inlineDatasetText } from '../corpus/inline-dataset.ts';
import { divergenceSchema, divergenceToJson } from '../difference-json.ts';
import { sha256 } from '../manifest.ts';
import { readDivergence, readRows } from '../repro/read-divergence.ts';
import { differingRows, type Shown } from '../repro/shown.ts';

/** The second version added what was expected and what came, where the data are from, and the first divergence. */
export const REPRO_VERSION = 2;

/** Whence the rows of a repro are: drawn by a generator, or somebody's own under new values. */
const dataSchema = z.enum(['generated', 'relabelled']);

/**
 * What `--first-divergence` found.
 *
 * - `rows`: so many rows of the input, the first ones in arrival order, are enough; it had `of`.
 * - `shortest`: whether every shorter beginning was tried. Else one row less does not fail, and others may.
 * - `versions`: those of the engine that are installed, the earliest first, and whether the repro fails there.
 */
const firstDivergenceSchema = z.strictObject({
  rows: z.int().min(0),
  of: z.int().min(0),
  shortest: z.boolean(),
  versions: z.array(z.strictObject({ name: z.string(), version: z.string(), fails: z.boolean() })),
});
export type FirstDivergence = z.infer<typeof firstDivergenceSchema>;

const rowsSchema = z.array(z.record(z.string(), z.unknown()));

/**
 * A repro: one failing case that runs again from this file alone. The first version of it had neither `data` nor
 * `expected`, `actual`, `told` and `columns`.
 *
 * - `engine`: on which it failed, as `--engine` takes it; `version` and `sha256` are told, not asked for.
 * - `property`: the statement that it breaks.
 * - `signature`: what it is told by: engine, property, the first operator whose own result is wrong, kinds of difference.
 *   Of this case, as it is; the case that a search drew may have had another.
 * - `found`: where a search drew it; the case itself may since have been made smaller.
 * - `data`: whence the rows are. Somebody's own are never written as they were.
 * - `divergence`: what was wrong, as in a run's evidence.
 * - `expected`, `actual`: what had to be there and what came: `all` rows, or the `differing` ones alone (`told`), under
 *   `columns` where those are not the query's own.
 * - `confirmed`: in how many of so many runs it failed.
 */
export const reproSchema = z.strictObject({
  version: z.literal([1, REPRO_VERSION]),
  engine: z.strictObject({ name: z.string().min(1), version: z.string(), sha256: z.string().optional() }),
  property: z.string().min(1),
  signature: z.string(),
  found: z.strictObject({ seed: z.string(), index: z.int(), profiles: z.array(z.string()) }).optional(),
  data: dataSchema.optional(),
  confirmed: confirmedSchema,
  firstDivergence: firstDivergenceSchema.optional(),
  divergence: divergenceSchema,
  columns: z.array(columnSchema).optional(),
  told: z.enum(['all', 'differing']).optional(),
  expected: rowsSchema.optional(),
  actual: rowsSchema.optional(),
  case: inlineCaseSchema,
});
type ReproFile = z.infer<typeof reproSchema>;

export interface Repro
  extends Pick<ReproFile, 'engine' | 'property' | 'signature' | 'found' | 'confirmed' | 'firstDivergence'> {
  readonly data: z.infer<typeof dataSchema>;
  readonly testCase: Case;
  readonly verdict: Diverge;
  readonly shown: Shown;
}

/** @throws InputError naming file and field of what is no repro. */
export async function readRepro(file: string): Promise<Repro> {
  const read = await readJsonFile(file, reproSchema, REPRO_VERSION, { exact: true });
  const { engine, property, signature, found, confirmed, firstDivergence, data = 'generated' } = read;
  const head = { engine, property, signature, found, confirmed, firstDivergence, data };
  try {
    const testCase = withProvenance(
      below('case', () => caseOfInline(read.case)),
      found?.seed,
    );
    return { ...head, testCase, ...rowsOf(read, testCase) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, { file, field: error.field });
  }
}

function below<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, { field: `${field}.${error.field}` });
  }
}

/** The rows of a repro may be shown, whatever they came from. */
function withProvenance(testCase: Case, seed = ''): Case {
  const provenance = { seed, profile: 'repro', parameters: {} };
  return { ...testCase, dataset: { ...testCase.dataset, provenance } };
}

function rowsOf(file: ReproFile, { query }: Case): Pick<Repro, 'verdict' | 'shown'> {
  const columns = file.columns ?? query.columns;
  const verdict = readDivergence(columns, file.divergence);
  const { told, expected, actual } = file;
  if (told === undefined || expected === undefined || actual === undefined)
    return { verdict, shown: differingRows(columns, verdict) };
  const shown = {
    columns,
    told,
    expected: readRows(columns, expected, 'expected'),
    actual: readRows(columns, actual, 'actual'),
  };
  return { verdict, shown };
}

/**
 * The text of a repro's file.
 *
 * @throws Error where the data are somebody's own: they are relabelled before.
 */
export function reproText(repro: Repro): string {
  const { testCase, verdict, shown, engine, property, signature, found, data, confirmed, firstDivergence } =
    repro;
  const { query, dataset, schedule } = testCase;
  if (dataset.provenance === 'captured') throw new Error('a repro of private data is never written');
  const head = {
    version: REPRO_VERSION,
    engine,
    property,
    signature,
    found,
    data,
    confirmed,
    firstDivergence,
  };
  const isOwn = JSON.stringify(shown.columns) === JSON.stringify(query.columns);
  const rows = { columns: isOwn ? undefined : shown.columns, told: shown.told };
  const fieldsOf = (fields: object) =>
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`)
      .join(',\n');
  const { version: _, ...definition } = query.definition;
  return `{
${fieldsOf(head)},
  "divergence": ${divergenceToJson(shown.columns, verdict, false).trim()},
${fieldsOf(rows)},
  "expected": ${rowsText(shown.columns, shown.expected)},
  "actual": ${rowsText(shown.columns, shown.actual)},
  "case": {
    "query": ${JSON.stringify({ version: 1, ...definition })},
    "dataset": ${inlineDatasetText(dataset, streamsOf(query.plan))},
    "schedule": ${JSON.stringify(schedule)}
  }
}
`;
}

function rowsText(columns: readonly Column[], rows: readonly Row[]): string {
  return rows.length === 0
    ? '[]'
    : `[\n${rows.map((row) => `    ${rowToJson(columns, row)}`).join(',\n')}\n  ]`;
}

/** A file name that says what fails, and differs where the case does. */
export function reproName({ property, testCase }: Pick<Repro, 'property' | 'testCase'>): string {
  const { query, dataset, schedule } = testCase;
  const text = inlineDatasetText(dataset, streamsOf(query.plan));
  return `${property}-${sha256([query.definition, text, schedule]).slice(0, 12)}.json`;
}
