import { checkQuery, type Premise, type QueryDefinition } from '../model/query.ts';
import type { StreamSchema } from '../model/schema.ts';
import type { Dialect } from '../sql/dialect.ts';

/** The page of all queries: what each computes, how it is judged and why, its premises, and its SQL side by side. */
export function queriesMarkdown(
  definitions: readonly QueryDefinition[],
  streams: readonly StreamSchema[],
  dialects: ReadonlyMap<string, Dialect>,
): string {
  const lines = [
    '# Queries',
    '',
    'Generated from the definitions by `npm run docs`; a test fails when this page is stale. Every query is defined',
    'once, as a plan; what is below is its rendering in each dialect. Tables are the streams of a dataset:',
    '',
    ...streams.map(
      ({ name, columns, eventTime, unique }) =>
        `- \`${name}\` (${columns.map((each) => `${each.name} ${each.type}${each.nullable ? '' : ' NOT NULL'}`).join(', ')}); ` +
        `event time \`${eventTime}\`, unique ${unique.map((set) => `(${set.join(', ')})`).join(', ')}`,
    ),
    '',
  ];
  for (const definition of definitions) {
    const query = checkQuery(definition, streams);
    const { declaration, premises } = definition;
    const fire =
      typeof declaration.fire === 'string' ? declaration.fire : `column \`${declaration.fire.column}\``;
    lines.push(
      `## ${definition.name}`,
      '',
      `${definition.title}.`,
      '',
      `- Class: **${declaration.class}**, because ${declaration.reason}.`,
      `- Keys: ${declaration.keys.map((key) => `\`${key}\``).join(', ')}. Fire point: ${fire}.`,
    );
    if (declaration.tolerance !== undefined) {
      const { columns, relative, reason } = declaration.tolerance;
      lines.push(`- Tolerance: ${relative} relative in ${columns.join(', ')}, because ${reason}.`);
    }
    lines.push(
      ...premises.map((premise) => `- Premise: ${premiseText(premise)}.`),
      `- Output: ${query.columns.map(({ name, type }) => `${name} ${type}`).join(', ')}.`,
      '',
    );
    for (const dialect of dialects.values()) {
      const rendered = dialect.select(query);
      lines.push(`${dialect.name}:`, '');
      if (rendered.kind === 'sql') lines.push('```sql', rendered.sql, '```', '');
      else lines.push(`No form: ${rendered.reason}.`, '');
    }
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

function premiseText({ kind, stream, columns, reason }: Premise): string {
  const claim = kind === 'unique' ? 'are unique together' : 'are never null';
  return `${columns.map((name) => `\`${stream}.${name}\``).join(', ')} ${claim}: ${reason}`;
}
