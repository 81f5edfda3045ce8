import type { QueryDefinition } from '../model/query.ts';
import type { StreamSchema } from '../model/schema.ts';
import type { Dialect } from '../sql/dialect.ts';
import { queriesMarkdown } from './queries-markdown.ts';
import { jsonSchemas } from './schemas.ts';

/** Every page of `docs/` that is generated, by its path there. */
export function generatedDocs(
  queries: readonly QueryDefinition[],
  streams: readonly StreamSchema[],
  dialects: ReadonlyMap<string, Dialect>,
): ReadonlyMap<string, string> {
  const pages = new Map([['queries.md', queriesMarkdown(queries, streams, dialects)]]);
  for (const [name, schema] of jsonSchemas())
    pages.set(`schemas/${name}`, `${JSON.stringify(schema, null, 2)}\n`);
  return pages;
}
