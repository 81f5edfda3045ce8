import { Command } from 'commander';
import { inStableOrder, truth, type Until } from '../../oracles/truth.ts';
import { checkQuery } from '../model/query.ts';
import { rowToJson } from '../model/row-json.ts';
import { readDataset } from '../streams/dataset-files.ts';
import type { CliContext } from './context.ts';
import { loadQuery } from './load-query.ts';
import { traitsOf, until } from './options.ts';
import { writeLines, writeLinesToFile } from './write-lines.ts';

interface OracleOptions {
  query: string;
  data: string;
  until: Until;
  traits?: string;
  out?: string;
  firePoints?: boolean;
  json?: boolean;
}

export function oracleCommand({ stdout }: CliContext): Command {
  return new Command('oracle')
    .description('compute the truth of a query over a dataset, as NDJSON in a stable order')
    .requiredOption('--query <query>', 'a declared query, or a JSON file with a definition')
    .requiredOption('--data <dir>', 'a dataset')
    .option('--until <watermark>', 'settled, drained, or epoch milliseconds', until, 'settled')
    .option('--traits <engine>', 'the truth an engine of these traits is held to (default: the law alone)')
    .option('--out <file>', 'write the rows to a new file instead')
    .option('--fire-points', 'each row as {"fire_point":…,"row":{…}}; null for a row that comes at once')
    .option('--json', 'with --out, tell what was written as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  tidemark oracle --query q12 --data data --until settled --fire-points',
    )
    .action(async (options: OracleOptions) => {
      const definition = await loadQuery(options.query);
      const traits = traitsOf(options.traits);
      const dataset = await readDataset(options.data);
      const query = checkQuery(
        definition,
        dataset.streams.map(({ schema }) => schema),
      );
      const { rows, firePoints, watermark } = inStableOrder(truth(query, dataset, options.until, traits));
      const lines = function* () {
        for (const [index, row] of rows.entries()) {
          const json = rowToJson(query.columns, row);
          if (!options.firePoints) yield json;
          else yield `{"fire_point":${finite(firePoints[index]!)},"row":${json}}`;
        }
      };
      if (options.out === undefined) {
        await writeLines(stdout, lines());
        return;
      }
      await writeLinesToFile(options.out, lines());
      const told = { file: options.out, rows: rows.length, watermark: finite(watermark) };
      stdout.write(
        options.json
          ? `${JSON.stringify(told)}\n`
          : `${rows.length} rows of ${definition.name} in ${options.out}\n`,
      );
    });
}

/** A time as JSON: an infinite one is null. */
function finite(time: number): number | null {
  return Number.isFinite(time) ? time : null;
}
