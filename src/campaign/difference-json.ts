import { z } from 'zod';
import { rowToJson } from '../model/row-json.ts';
import type { Column } from '../model/schema.ts';
import type { Row } from '../model/value.ts';
import type { Difference, Diverge } from '../model/verdict.ts';

export const DIVERGENCE_VERSION = 1;

/** A row of generated data as an object, or only its place in line where the data is somebody's own. */
const rowSchema = z.union([z.record(z.string(), z.unknown()), z.literal('private')]);

/** `ENGINE.divergence.json` of a query: exact counts of every kind of difference, and samples. */
export const divergenceSchema = z.strictObject({
  version: z.literal(DIVERGENCE_VERSION),
  counts: z.strictObject({
    lost: z.int(),
    premature: z.int(),
    altered: z.int(),
    extra: z.int(),
    corrupt: z.int(),
  }),
  samples: z.array(
    z.strictObject({
      kind: z.enum(['lost', 'premature', 'altered', 'extra', 'corrupt']),
      count: z.int(),
      expected: rowSchema.optional(),
      actual: rowSchema.optional(),
      columns: z.array(z.string()).optional(),
      position: z
        .strictObject({ line: z.int(), byte: z.int(), problem: z.string(), column: z.string().optional() })
        .optional(),
    }),
  ),
});

/** JSON text of a divergence. Rows of private data are left out; which columns differ is told all the same. */
export function divergenceToJson(columns: readonly Column[], verdict: Diverge, isPrivate: boolean): string {
  const rowJson = (row: Row) => (isPrivate ? '"private"' : rowToJson(columns, row));
  const sample = (difference: Difference): string => {
    const fields = [`"kind":"${difference.kind}"`, `"count":${difference.count}`];
    if ('expected' in difference) fields.push(`"expected":${rowJson(difference.expected)}`);
    if ('actual' in difference) fields.push(`"actual":${rowJson(difference.actual)}`);
    if ('columns' in difference) fields.push(`"columns":${JSON.stringify(difference.columns)}`);
    if ('position' in difference) fields.push(`"position":${JSON.stringify(difference.position)}`);
    return `    {${fields.join(',')}}`;
  };
  const samples = verdict.samples.map(sample).join(',\n');
  const counts = JSON.stringify(verdict.counts);
  return `{\n  "version": ${DIVERGENCE_VERSION},\n  "counts": ${counts},\n  "samples": [\n${samples}\n  ]\n}\n`;
}
