import { mkdirSync, writeFileSync } from 'node:fs';
import { nexmarkStreams } from '../generators/nexmark/index.ts';
import { queries } from '../src/queries/index.ts';
import { generatedDocs } from '../src/report/generated-docs.ts';
import { dialects } from '../src/sql/index.ts';

mkdirSync(new URL('schemas/', import.meta.url), { recursive: true });
for (const [path, text] of generatedDocs([...queries.values()], nexmarkStreams, dialects)) {
  writeFileSync(new URL(path, import.meta.url), text);
}
