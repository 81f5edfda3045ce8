import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { QueryDefinition } from '../model/query.ts';

export const MANIFEST_VERSION = 1;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

/** `manifest.json`: all a run is a function of, written before its first job starts. */
export const manifestSchema = z.strictObject({
  version: z.literal(MANIFEST_VERSION),
  tidemark: z.string(),
  command: z.array(z.string()),
  dataset: z.strictObject({
    sha256: sha256Schema,
    provenance: z.union([
      z.literal('captured'),
      z.strictObject({ seed: z.string(), profile: z.string(), parameters: z.record(z.string(), z.number()) }),
    ]),
    rows: z.record(z.string(), z.int()),
  }),
  schedule: z.strictObject({
    transport: z.string(),
    parallelism: z.int(),
    stop: z.string(),
    /** What the sinks are held to; over Kafka. */
    delivery: z.string().optional(),
  }),
  engines: z.array(
    z.strictObject({
      name: z.string(),
      version: z.string(),
      sha256: sha256Schema.optional(),
      /** Hashes of the SQL that the engine is given, by query; none for queries it is not given. */
      sql: z.record(z.string(), sha256Schema),
    }),
  ),
  queries: z.array(
    z.strictObject({ name: z.string(), planSha256: sha256Schema, declarationSha256: sha256Schema }),
  ),
  /** The known findings that the run was told of. */
  corpus: z.strictObject({ sha256: sha256Schema, findings: z.int() }).optional(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** What a query computes and how it is judged, each by its hash, so that a later change of either shows. */
export function hashQuery({
  name,
  plan,
  declaration,
  premises,
}: QueryDefinition): Manifest['queries'][number] {
  return { name, planSha256: sha256(plan), declarationSha256: sha256({ declaration, premises }) };
}

/** SHA-256 of plain data's JSON, whatever the order of its keys. */
export function sha256(data: unknown): string {
  const sorted = JSON.stringify(data, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
