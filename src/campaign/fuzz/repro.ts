import { z } from 'zod';
import type { Case } from '../../model/case.ts';
import { InputError } from '../../model/errors.ts';
import { streamsOf } from '../../model/plan/index.ts';
import type { Diverge } from '../../model/verdict.ts';
import { readJsonFile } from '../../streams/json-file.ts';
import { confirmedSchema } from '../corpus/finding.ts';
import { caseOfInline, inlineCaseSchema } from '../corpus/inline-case.ts';
import { inlineDatasetText } from '../corpus/inline-dataset.ts';
import { divergenceSchema, divergenceToJson } from '../difference-json.ts';
import { sha256 } from '../manifest.ts';

export const REPRO_VERSION = 1;

/**
 * A repro: one failing case that runs again from this file alone.
 *
 * - `engine`: on which it failed, as `--engine` takes it; `version` and `sha256` are told, not asked for.
 * - `property`: the statement that it breaks.
 * - `found`: where a search drew it; the case itself may since have been made smaller.
 * - `divergence`: what was wrong, as in a run's evidence.
 * - `confirmed`: in how many of so many runs it failed.
 */
export const reproSchema = z.strictObject({
  version: z.literal(REPRO_VERSION),
  engine: z.strictObject({ name: z.string().min(1), version: z.string(), sha256: z.string().optional() }),
  property: z.string().min(1),
  signature: z.string(),
  found: z.strictObject({ seed: z.string(), index: z.int(), profiles: z.array(z.string()) }).optional(),
  confirmed: confirmedSchema,
  divergence: divergenceSchema,
  case: inlineCaseSchema,
});
type ReproFile = z.infer<typeof reproSchema>;

export interface Repro extends Omit<ReproFile, 'version' | 'case' | 'divergence'> {
  readonly testCase: Case;
  readonly divergence: ReproFile['divergence'];
}

/** @throws InputError naming file and field of what is no repro. */
export async function readRepro(file: string): Promise<Repro> {
  const {
    version: _,
    case: inline,
    ...rest
  } = await readJsonFile(file, reproSchema, REPRO_VERSION, {
    exact: true,
  });
  try {
    return { ...rest, testCase: caseOfInline(inline) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.problem, { file, field: `case.${error.field}` });
  }
}

/** The text of a repro's file. The data are generated, so that rows may be shown. */
export function reproText(
  parts: Omit<Repro, 'divergence' | 'testCase'> & { readonly testCase: Case; readonly verdict: Diverge },
): string {
  const { testCase, verdict, ...head } = parts;
  const { query, dataset, schedule } = testCase;
  const fields = Object.entries({ version: REPRO_VERSION, ...head })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`);
  const { version: __, ...definition } = query.definition;
  return `{
${fields.join(',\n')},
  "divergence": ${divergenceToJson(query.columns, verdict, false).trim()},
  "case": {
    "query": ${JSON.stringify({ version: 1, ...definition })},
    "dataset": ${inlineDatasetText(dataset, streamsOf(query.plan))},
    "schedule": ${JSON.stringify(schedule)}
  }
}
`;
}

/** A file name that says what fails, and differs where the case does. */
export function reproName({ property, testCase }: Pick<Repro, 'property' | 'testCase'>): string {
  const { query, dataset, schedule } = testCase;
  const text = inlineDatasetText(dataset, streamsOf(query.plan));
  return `${property}-${sha256([query.definition, text, schedule]).slice(0, 12)}.json`;
}
