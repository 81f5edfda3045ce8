import { join } from 'node:path';
import { agreesWithTruth } from '../../properties/agrees-with-truth.ts';
import { interruptedIsPrefix } from '../../properties/interrupted-is-prefix.ts';
import type { Property } from '../../properties/property.ts';
import { sessionsAgree } from '../../properties/sessions-agree.ts';
import { hashQuery, MANIFEST_VERSION, type Manifest, manifestSchema } from '../campaign/manifest.ts';
import { REQUEST_VERSION, requestSchema } from '../campaign/request.ts';
import { MANIFEST_FILE, REQUEST_FILE, SUMMARY_FILE } from '../campaign/run-directory.ts';
import { SUMMARY_VERSION, type Summary, summarySchema } from '../campaign/summary.ts';
import type { Case } from '../model/case.ts';
import { InputError } from '../model/errors.ts';
import { checkQuery, type QueryDefinition } from '../model/query.ts';
import { hashDataset } from '../streams/hash-dataset.ts';
import { readJsonFile } from '../streams/json-file.ts';
import { readDataset } from '../streams/read-dataset.ts';
import { loadQuery } from './load-query.ts';

/** One divergence of a run, as a case to be run again. */
export interface DivergingCase {
  readonly testCase: Case;
  readonly property: Property;
  /** As `--engine` takes them: one, or the two of a pair. */
  readonly engines: readonly string[];
  /** Where a repro of it belongs. */
  readonly file: string;
}

/** Which of a run's divergences is meant; not said where there is one alone. */
export interface Choice {
  readonly query?: string | undefined;
  readonly engine?: readonly string[] | undefined;
}

/**
 * The case of a run's divergence: its query over its dataset, as they were when it was run.
 *
 * @throws InputError where the run has no such divergence, or several; where dataset or query are not any more what they
 * were.
 */
export async function divergingCase(run: string, choice: Choice): Promise<DivergingCase> {
  const request = await readJsonFile(join(run, REQUEST_FILE), requestSchema, REQUEST_VERSION);
  const manifest = await readJsonFile(join(run, MANIFEST_FILE), manifestSchema, MANIFEST_VERSION);
  const summary = await readJsonFile(join(run, SUMMARY_FILE), summarySchema, SUMMARY_VERSION);
  const { query, sides } = chosen(run, divergences(summary), choice);
  const directory = request.data ?? join(run, 'dataset');
  const dataset = await readDataset(directory);
  if ((await hashDataset(dataset, directory)) !== manifest.dataset.sha256)
    throw new InputError('the dataset has changed since the run', { file: directory });
  const schemas = dataset.streams.map(({ schema }) => schema);
  const checked = checkQuery(await definitionOf(query, request.queries ?? [], manifest), schemas);
  const { parallelism, stop } = request;
  return {
    testCase: { query: checked, dataset, schedule: { parallelism, stop } },
    property: sides.length > 1 ? sessionsAgree : stop === 'cancel' ? interruptedIsPrefix : agreesWithTruth,
    // A run names its engines in the order in which they were asked for, a local build without its path.
    engines: sides.map(
      (side) => request.engines[manifest.engines.findIndex(({ name }) => name === side)] ?? side,
    ),
    file: join(run, 'queries', query, `${sides.join('-')}.repro.json`),
  };
}

interface Divergence {
  readonly query: string;
  readonly sides: readonly string[];
}

/** What diverges from the truth; pairs only where both sides agree with it. */
function divergences({ queries }: Summary): readonly Divergence[] {
  return queries.flatMap(({ query, engines, pairs }) => {
    const wrong = engines.filter(({ verdict }) => verdict.kind === 'diverge');
    if (wrong.length > 0) return wrong.map(({ engine }) => ({ query, sides: [engine] }));
    return pairs
      .filter(({ verdict }) => verdict.kind === 'diverge')
      .map(({ engines: sides }) => ({ query, sides }));
  });
}

function chosen(run: string, all: readonly Divergence[], { query, engine }: Choice): Divergence {
  const own = all.filter((each) => query === undefined || each.query === query);
  const [first, ...others] = own.filter(
    ({ sides }) => engine === undefined || sides.join() === engine.join(),
  );
  // Another engine may be asked whether it fails in the same case.
  const meant = first ?? (own.length === 1 ? own[0] : undefined);
  const list = (found: readonly Divergence[]) =>
    found.map((each) => `${each.query} on ${each.sides.join(' and ')}`).join(', ');
  if (meant === undefined) {
    const there =
      all.length === 0 ? 'nothing diverges in this run' : `no such divergence; there is ${list(all)}`;
    throw new InputError(there, { file: run });
  }
  if (others.length > 0)
    throw new InputError(`choose by --query and --engine: ${list([meant, ...others])}`, { file: run });
  return meant;
}

async function definitionOf(
  name: string,
  asked: readonly string[],
  { queries }: Manifest,
): Promise<QueryDefinition> {
  const ran = queries.find((query) => query.name === name);
  for (const each of [name, ...asked.filter((word) => word.endsWith('.json'))]) {
    if (each === name && asked.some((word) => word.endsWith('.json')) && !asked.includes(name)) continue;
    const definition = await loadQuery(each);
    if (definition.name !== name) continue;
    const { planSha256, declarationSha256 } = hashQuery(definition);
    if (planSha256 === ran?.planSha256 && declarationSha256 === ran.declarationSha256) return definition;
    throw new InputError(`query ${name} has changed since the run`);
  }
  throw new InputError(`query ${name} is not to be found any more`);
}
