import { z } from 'zod';
import { findingSchema } from '../campaign/corpus/finding.ts';
import { divergenceSchema } from '../campaign/difference-json.ts';
import { reproSchema } from '../campaign/fuzz/repro.ts';
import { fuzzSummarySchema } from '../campaign/fuzz/summary.ts';
import { ledgerLineSchema } from '../campaign/ledger.ts';
import { manifestSchema } from '../campaign/manifest.ts';
import { requestSchema } from '../campaign/request.ts';
import { summarySchema } from '../campaign/summary.ts';
import { timeLineSchema } from '../campaign/time-line.ts';
import { datasetHeaderSchema } from '../model/dataset.ts';
import { querySchema } from '../model/query.ts';
import { keptSinkCaseSchema } from '../sinks/conformance/kept-sink-case.ts';
import { sinkSummarySchema } from '../sinks/conformance/sink-summary.ts';

/** The published JSON Schema of every file we read or write, by the file's name in `docs/schemas/`. */
export function jsonSchemas(): ReadonlyMap<string, unknown> {
  const schemas = {
    dataset: datasetHeaderSchema,
    query: querySchema,
    request: requestSchema,
    manifest: manifestSchema,
    summary: summarySchema,
    'ledger-line': ledgerLineSchema,
    divergence: divergenceSchema,
    'time-line': timeLineSchema,
    finding: findingSchema,
    repro: reproSchema,
    fuzz: fuzzSummarySchema,
    'sink-summary': sinkSummarySchema,
    'sink-case': keptSinkCaseSchema,
  };
  return new Map(
    Object.entries(schemas).map(([name, schema]) => [
      `${name}.schema.json`,
      // Rules that JSON Schema has no words for, such as how a type is spelled, are checked when a file is read.
      z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }),
    ]),
  );
}
