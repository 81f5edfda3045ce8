import { Command, InvalidArgumentError } from 'commander';
import { nexmarkStreams } from '../../generators/nexmark/index.ts';
import { checkQuery } from '../model/query.ts';
import { queries } from '../queries/index.ts';
import { dialects } from '../sql/index.ts';
import type { Rendered } from '../sql/unsupported.ts';
import type { CliContext } from './context.ts';
import { loadQuery } from './load-query.ts';

interface QueriesOptions {
  dialect?: string;
  query?: string;
  json?: boolean;
}

function text(rendered: Rendered): string {
  return rendered.kind === 'sql' ? rendered.sql : `-- no form: ${rendered.reason}`;
}

export function queriesCommand({ stdout }: CliContext): Command {
  const names = [...dialects.keys()].join(', ');
  return new Command('queries')
    .description('the declared queries and their SQL')
    .option('--dialect <name>', `only the SQL of one dialect: ${names}`, (name) => {
      if (!dialects.has(name)) throw new InvalidArgumentError(`expected one of ${names}.`);
      return name;
    })
    .option('--query <query>', 'only one query, or a JSON file with a definition')
    .option('--json', 'definitions as JSON, with their SQL')
    .addHelpText('after', '\nExample:\n  tidemark queries --dialect clink --query hop')
    .action(async (options: QueriesOptions) => {
      const chosen = options.query === undefined ? [...queries.values()] : [await loadQuery(options.query)];
      const shown = [...dialects].filter(
        ([name]) => options.dialect === undefined || name === options.dialect,
      );
      for (const definition of chosen) {
        const query = checkQuery(definition, nexmarkStreams);
        const sql = Object.fromEntries(shown.map(([name, dialect]) => [name, text(dialect.select(query))]));
        if (options.json) {
          stdout.write(`${JSON.stringify({ ...definition, sql })}\n`);
          continue;
        }
        for (const [name, select] of Object.entries(sql)) {
          stdout.write(`-- ${definition.name} (${name}): ${definition.title}\n${select}\n\n`);
        }
      }
    });
}
