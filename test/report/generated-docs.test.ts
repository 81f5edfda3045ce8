import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { nexmarkStreams } from '../../generators/nexmark/index.ts';
import { queries } from '../../src/queries/index.ts';
import { generatedDocs } from '../../src/report/generated-docs.ts';
import { dialects } from '../../src/sql/index.ts';

const docs = new URL('../../docs/', import.meta.url);
const pages = generatedDocs([...queries.values()], nexmarkStreams, dialects);

test.each([...pages.keys()])('docs/%s is what `npm run docs` writes', (path) => {
  expect(readFileSync(new URL(path, docs), 'utf8')).toBe(pages.get(path));
});

test('docs/schemas holds nothing that is not generated', () => {
  const held = readdirSync(new URL('schemas/', docs)).map((name) => `schemas/${name}`);
  expect(held.filter((path) => !pages.has(path))).toEqual([]);
});
